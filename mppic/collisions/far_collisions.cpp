#include "mppic/collisions/far_collisions.t.hpp"

namespace corral::mppic {

FarCollisions::FarCollisions(const fluid::Domain& domain, Memory memory)
    : domain_(domain), f_(domain.grid().cells(), 0.0, memory), first_(f_),
      mean_at_{Array<double>(memory), Array<double>(memory), Array<double>(memory)}, radius_at_(memory),
      first_of_(memory), second_of_(memory) {}

std::int64_t FarCollisions::bytes() const {
  std::int64_t total = 0;
  for (const Array<double>* a : {&f_, &first_, &radius_at_, &first_of_, &second_of_}) total += a->bytes();
  for (const Array<double>& a : mean_at_) total += a.bytes();
  return total;
}

template void FarCollisions::advance(Cpu, const CellOrder<double>&, const Parcels&, const FaceSums&, const Flow&);

} // namespace corral::mppic

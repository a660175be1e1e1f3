#include "mppic/collisions/blending.t.hpp"

namespace corral::mppic {

namespace {

std::array<Array<double>, 3> columns_in(Memory memory) {
  return {Array<double>(memory), Array<double>(memory), Array<double>(memory)};
}

} // namespace

Blending::Blending(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), theta_cp_(setup.solids.stress.theta_cp), share_(domain.grid().cells(), 0.0, memory),
      common_{share_, share_, share_}, share_at_(memory), impulse_of_(columns_in(memory)),
      common_at_(columns_in(memory)) {}

std::int64_t Blending::bytes() const {
  std::int64_t total = share_.bytes() + share_at_.bytes();
  for (const auto* arrays : {&common_, &impulse_of_, &common_at_})
    for (const Array<double>& a : *arrays) total += a.bytes();
  return total;
}

template void Blending::advance(Cpu, const CellOrder<double>&, const Parcels&, const FaceSums&, const MoveModel&,
                                const MoveColumns&, const Flow&);

} // namespace corral::mppic

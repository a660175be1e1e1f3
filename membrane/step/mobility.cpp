#include "membrane/step/mobility.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::membrane {

using namespace structure;

void Mobility::get_forces(MarkerVectors& to) const {
  each([&](const Population& p, std::int64_t first) {
    for (std::size_t d = 0; d < 3; ++d) std::copy_n(p.forces()[d], p.points(), to[d].data() + first);
  });
}

void Mobility::put_forces(const MarkerVectors& from) const {
  each([&](Population& p, std::int64_t first) {
    for (std::size_t d = 0; d < 3; ++d) std::copy_n(from[d].data() + first, p.points(), p.forces()[d]);
  });
}

double Mobility::product(const MarkerVectors& a, const MarkerVectors& b) const {
  double total = 0;
  for (std::size_t d = 0; d < 3; ++d)
    total += sum(Cpu{}, size_, [x = a[d].data(), y = b[d].data()](std::int64_t i) { return x[i] * y[i]; });
  return total;
}

} // namespace corral::membrane

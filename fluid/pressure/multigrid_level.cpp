#include "fluid/pressure/multigrid_level.hpp"

namespace corral::fluid::multigrid {

Level::Level(std::array<std::int64_t, 3> n, std::array<bool, 3> wraps)
    : cells(n), periodic(wraps), half((n[0] + 1) / 2), odd((half + 2 + 7) / 8 * 8) {
  const std::int64_t values = plane_step() * (n[2] + 2);
  // Ghosts and padding stay 0 for good: sums may run over them.
  for (Array<float>& a : face) a.resize(values, 0.0f);
  for (Array<float>& a : weight) a.resize(values, 0.0f);
  for (Array<float>* a : {&reaction, &inverse, &b, &x}) a->resize(values, 0.0f);
}

bool Level::seam() const {
  for (std::size_t d = 0; d < 3; ++d)
    if (periodic[d] && cells[d] > 1 && cells[d] % 2 == 1) return true;
  return false;
}

std::int64_t Level::bytes() const {
  std::int64_t total = reaction.bytes() + inverse.bytes() + b.bytes() + x.bytes();
  for (std::size_t d = 0; d < 3; ++d) total += face[d].bytes() + weight[d].bytes();
  return total;
}

void PlainField::resize(std::array<std::int64_t, 3> n) {
  cells = n;
  values.resize((n[0] + 2) * (n[1] + 2) * (n[2] + 2));
}

} // namespace corral::fluid::multigrid

#include "structure/radial/shapes.hpp"

namespace corral::structure::radial {

Direction ellipsoid(const Direction& site, const std::array<double, 3>& semi_axes) {
  return {semi_axes[0] * site[0], semi_axes[1] * site[1], semi_axes[2] * site[2]};
}

Direction red_cell(const Direction& site, double radius) {
  const double square = site[0] * site[0] + site[1] * site[1];
  const double height = 0.105 + square - 0.56 * square * square;
  return {radius * site[0], radius * site[1], radius * height * site[2]};
}

std::array<Array<double>, 3> positions_at(const Spiral& sites, const std::function<Direction(const Direction&)>& map) {
  std::array<Array<double>, 3> positions{Array<double>(sites.count()), Array<double>(sites.count()),
                                         Array<double>(sites.count())};
  for (std::int64_t i = 0; i < sites.count(); ++i) {
    const Direction x = map(sites.point(i));
    for (std::size_t d = 0; d < 3; ++d) positions[d][i] = x[d];
  }
  return positions;
}

} // namespace corral::structure::radial

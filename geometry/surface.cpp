#include "geometry/surface.hpp"

#include <utility>

namespace corral::geometry {

void turn_round(Surface& surface) {
  for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
}

} // namespace corral::geometry

#pragma once

#include "run/state/registry.hpp"

namespace corral::test {

inline const run::ParticleKind parcel_kind{.name = "parcels", .one = "parcel"};

/// 4 x 3 x 2 cells, periodic in x.
inline Grid small_grid() {
  Axis x{4, 0, 1}, y{3, 0, 1, Boundary::wall, Boundary::wall}, z{2, 0, 1, Boundary::wall, Boundary::open};
  return Grid({x, y, z});
}

} // namespace corral::test

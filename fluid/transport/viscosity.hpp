#pragma once

#include "fluid/transport/padded_velocity.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid {

/// Adds mu lap u_d [N/m3] to `force`, grid.points(face(d)) values per direction.
///
/// What a face gives to its neighbour along an axis the neighbour takes, through the open share of what parts them; the
/// rest goes to a wall half a cell away. On fixed faces it is part of what holds them; closed faces get nothing.
template <Execution E>
void add_viscosity(E, const PaddedVelocity& u, double mu, const std::array<double*, 3>& force);

/// mu d2u/dx_e2 at face i of the row [N/m3]; `scale` is mu/h^2.
template <bool closed> CORRAL_HOST_DEVICE double viscosity_along(const RowAlong& r, std::int64_t i, double scale) {
  const Surroundings n = surroundings<closed>(r, i);
  return scale * (n.high - 2 * n.centre + n.low);
}

} // namespace corral::fluid

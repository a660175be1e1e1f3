#pragma once

#include <corral/host_device.hpp>

#include <array>
#include <cstddef>

namespace corral::structure {

/// First moment of forces on the fluid, xx yy zz xy xz yz [N m]: what a body or a surface adds to the stress of a suspension, times
/// the volume (Batchelor 1970).
using Stresslet = std::array<double, 6>;

/// Adds that of a force on the fluid [N] at a place from the centre [m].
template <class Three> CORRAL_HOST_DEVICE void add_moment(Stresslet& sum, const Three& force, const Three& from_centre) {
  constexpr std::size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t a = row[k], b = column[k];
    sum[k] -= 0.5 * (force[a] * from_centre[b] + force[b] * from_centre[a]);
  }
}

} // namespace corral::structure

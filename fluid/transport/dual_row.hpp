#pragma once

#include "fluid/transport/advection.hpp"
#include "fluid/transport/padded_velocity.hpp"

#include <cstdint>

namespace corral::fluid {

/// A row of faces along axis e with the fluxes Fd through the sides of their control volumes.
struct DualRow {
  RowAlong row;            ///< u what is carried, v the fluxes on faces
  double per_length;       ///< area of such a side over the control volume [1/m]
  bool bounded;            ///< the axis does not wrap
  std::int64_t last;       ///< place of the last face along e
  std::int64_t place;      ///< of the row along e; where e runs along the row, that of its first face
  bool along_row;

  CORRAL_HOST_DEVICE std::int64_t at(std::int64_t i) const { return along_row ? i : place; }
  CORRAL_HOST_DEVICE bool low_side(std::int64_t i) const { return bounded && at(i) == 0; }
  CORRAL_HOST_DEVICE bool high_side(std::int64_t i) const { return bounded && at(i) == last; }
  /// Control volumes on the sides along their normal are half a cell.
  CORRAL_HOST_DEVICE double scale(std::int64_t i) const {
    return row.along_normal && (low_side(i) || high_side(i)) ? 2 * per_length : per_length;
  }
  CORRAL_HOST_DEVICE ControlFluxes fluxes(std::int64_t i) const { return control_fluxes(row, i); }
  CORRAL_HOST_DEVICE double spread(std::int64_t i) const {
    const ControlFluxes F = fluxes(i);
    return scale(i) * (F.high - F.low);
  }
  /// What is carried over a side of the box: its own velocity.
  CORRAL_HOST_DEVICE double low_mean(std::int64_t i) const { return 0.5 * (row.u[i - row.step] + row.u[i]); }
  CORRAL_HOST_DEVICE double high_mean(std::int64_t i) const { return 0.5 * (row.u[i] + row.u[i + row.step]); }

  /// Fd (u_side - reference) that leaves through both sides [m/s2].
  template <Advection scheme> CORRAL_HOST_DEVICE double leaving(std::int64_t i, double reference) const {
    const ControlFluxes F = fluxes(i);
    const double* u = row.u + i;
    const double low = low_side(i) ? low_mean(i) : dual_value<scheme>(u - row.step, row.step, F.low);
    const double high = high_side(i) ? high_mean(i) : dual_value<scheme>(u, row.step, F.high);
    return scale(i) * (F.high * (high - reference) - F.low * (low - reference));
  }

private:
  /// Between u[0] and u[step].
  template <Advection scheme>
  CORRAL_HOST_DEVICE static double dual_value(const double* u, std::int64_t step, double flux) {
    if constexpr (scheme == Advection::central) return 0.5 * (u[0] + u[step]);
    else
      return flux > 0 ? advected<scheme>(u[-step], u[0], u[step]) : advected<scheme>(u[2 * step], u[step], u[0]);
  }
};

/// Both fields of one shape: `carried`, values of a component d, and the fluxes that carry it, for rows at (j, k).
struct DualRows {
  PaddedVelocityView fluxes;
  std::array<bool, 3> bounded;

  CORRAL_HOST_DEVICE DualRow along(int d, int e, std::int64_t j, std::int64_t k, const double* carried) const {
    return {.row = fluxes.row_along(d, e, j, k, carried),
            .per_length = fluxes.per_cell[e],
            .bounded = bounded[e],
            .last = fluxes.shape[d].points[e] - 1,
            .place = e == 1 ? j : k,
            .along_row = e == 0};
  }
};

/// The volume around a face of direction d [m3]: half a cell on the sides.
struct DualVolume {
  std::array<std::int64_t, 3> points;
  double cell_volume;
  std::size_t normal;
  bool bounded;

  CORRAL_HOST_DEVICE std::array<std::int64_t, 3> place(std::int64_t f) const {
    return {f % points[0], f / points[0] % points[1], f / (points[0] * points[1])};
  }
  CORRAL_HOST_DEVICE double operator()(std::int64_t f) const {
    const std::int64_t at = place(f)[normal];
    return bounded && (at == 0 || at == points[normal] - 1) ? 0.5 * cell_volume : cell_volume;
  }
};

inline DualVolume dual_volume(const Domain& domain, int d) {
  const Grid& grid = domain.grid();
  return {{grid.points(face(d), 0), grid.points(face(d), 1), grid.points(face(d), 2)},
          grid.cell_volume(), static_cast<std::size_t>(d), !grid.axis(d).periodic()};
}

} // namespace corral::fluid

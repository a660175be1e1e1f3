#pragma once

#include "fluid/transport/padded_velocity.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace corral::fluid {

/// div(m (grad u + grad u^T - 2/3 div u)) at the faces of a staggered velocity, pointwise.
///
/// m, viscosity times the fluid's share of the volume, stands in cells, on edges its mean over the four cells around;
/// normal stresses stand in cells, shear stresses on edges, each used by the two components that meet there. So the
/// operator is symmetric in the faces' control volumes, takes energy, gives no momentum but through walls, and is 0 for
/// a rigid rotation. No shear acts on sides that are no no-slip walls, and no normal stress across any side.
struct ViscousStressView {
  using Place = std::array<std::int64_t, 3>;

  PaddedVelocityView u;
  PaddedShape cells;
  const double* m;             ///< [Pa s], padded
  std::array<bool, 3> bounded; ///< axes that don't wrap
  std::array<bool, 6> no_slip; ///< sides

  /// [N/m3] on face `p` of direction d.
  CORRAL_HOST_DEVICE double force(int d, const Place& p) const {
    const bool on_side = bounded[d] && (p[d] == 0 || p[d] == cells.points[d]);
    double force = on_side ? 0 : u.per_cell[d] * (normal(d, p) - normal(d, moved(p, d, -1)));
    for (int e = 0; e < 3; ++e)
      if (e != d) force += u.per_cell[e] * (shear(d, e, moved(p, e, 1)) - shear(d, e, p));
    return force;
  }

  /// Of that what does not go from face to face but through a side: all that is left of the sum over all faces of force
  /// times control volume.
  CORRAL_HOST_DEVICE double force_from_sides(int d, const Place& p) const {
    double force = 0;
    for (int e = 0; e < 3; ++e) {
      if (!bounded[e]) continue;
      const double per_cell = u.per_cell[e];
      if (e == d) {
        if (p[e] == 1) force -= per_cell * normal(d, moved(p, d, -1));
        if (p[e] == cells.points[e] - 1) force += per_cell * normal(d, p);
      } else {
        if (p[e] == 0) force -= per_cell * shear(d, e, p);
        if (p[e] == cells.points[e] - 1) force += per_cell * shear(d, e, moved(p, e, 1));
      }
    }
    return force;
  }

  /// Of which a cell's normal stress along d is made, at the cell `p` [Pa].
  CORRAL_HOST_DEVICE double normal(int d, const Place& p) const {
    double divergence = 0;
    for (int e = 0; e < 3; ++e) divergence += along(e, p);
    return 2 * viscosity(p) * (along(d, p) - divergence / 3);
  }
  /// On the edge between faces p and p - 1_e of direction d [Pa].
  CORRAL_HOST_DEVICE double shear(int d, int e, const Place& p) const {
    if (slips(d, p) || slips(e, p)) return 0;
    const Place back_d = moved(p, d, -1), back_e = moved(p, e, -1), back_both = moved(back_d, e, -1);
    return 0.25 * (viscosity(p) + viscosity(back_d) + viscosity(back_e) + viscosity(back_both)) * shear_rate(d, e, p);
  }
  /// du_d/dx_e + du_e/dx_d there [1/s].
  CORRAL_HOST_DEVICE double shear_rate(int d, int e, const Place& p) const {
    return u.per_cell[e] * (velocity(d, p) - velocity(d, moved(p, e, -1))) +
           u.per_cell[d] * (velocity(e, p) - velocity(e, moved(p, d, -1)));
  }
  /// du_d/dx_d in a cell [1/s].
  CORRAL_HOST_DEVICE double along(int d, const Place& p) const {
    return u.per_cell[d] * (velocity(d, moved(p, d, 1)) - velocity(d, p));
  }
  /// sqrt(2 S:S) in a cell, S the symmetric part of grad u [1/s]: shear is the mean of squares over the cell's edges.
  CORRAL_HOST_DEVICE double strain(const Place& p) const {
    double square = 0;
    for (int d = 0; d < 3; ++d) square += 2 * along(d, p) * along(d, p);
    for (int d = 0; d < 3; ++d)
      for (int e = d + 1; e < 3; ++e)
        for (const std::int64_t on : {0, 1})
          for (const std::int64_t further : {0, 1}) {
            const double shear = shear_rate(d, e, moved(moved(p, d, on), e, further));
            square += 0.25 * shear * shear;
          }
    return std::sqrt(square);
  }
  /// The largest m that acts on a face.
  CORRAL_HOST_DEVICE double largest(int d, const Place& p) const {
    double most = 0;
    for (const std::int64_t back : {0, 1}) {
      const double* const beside = &m[cells.row(p[1], p[2]) + p[0] - back * cells.stride[d]];
      most = beside[0] > most ? beside[0] : most;
      for (int e = 0; e < 3; ++e) {
        if (e == d) continue;
        const std::int64_t step = cells.stride[e];
        most = beside[-step] > most ? beside[-step] : most;
        most = beside[step] > most ? beside[step] : most;
      }
    }
    return most;
  }

  CORRAL_HOST_DEVICE static Place moved(Place p, int axis, std::int64_t steps) {
    p[axis] += steps;
    return p;
  }
  CORRAL_HOST_DEVICE double viscosity(const Place& p) const { return m[cells.row(p[1], p[2]) + p[0]]; }
  CORRAL_HOST_DEVICE double velocity(int d, const Place& p) const {
    return u.u[d][u.shape[d].row(p[1], p[2]) + p[0]];
  }
  /// An edge on a side along which nothing is held.
  CORRAL_HOST_DEVICE bool slips(int axis, const Place& p) const {
    const auto i = static_cast<std::size_t>(axis);
    return bounded[i] && ((p[i] == 0 && !no_slip[2 * i]) || (p[i] == cells.points[i] && !no_slip[2 * i + 1]));
  }
};

/// Viscosity of eddies that the grid does not resolve (Smagorinsky 1963), rho (c V^(1/3))^2 sqrt(2 S:S) [Pa s], with V the
/// volume of a cell [m3].
CORRAL_HOST_DEVICE inline double smagorinsky_viscosity(double rho, double c, double cell_volume, double strain) {
  const double length = c * std::cbrt(cell_volume);
  return rho * length * length * strain;
}

/// m of the cells, as the stress needs it.
class ViscousStress {
public:
  explicit ViscousStress(const Domain& domain, Memory memory = Memory::host);

  /// m = `share` of each cell times `mu` [Pa s].
  template <Execution E> void set(E, const double* share, double mu);
  /// Adds to m the share times Smagorinsky's viscosity with the constant c.
  template <Execution E> void add_eddies(E, const double* share, double rho, double c, const PaddedVelocity& u);
  ViscousStressView view(const PaddedVelocity& u) const;

  template <Execution E> void fill_beyond(E);

private:

  const Domain& domain_;
  PaddedFaces m_; ///< points are cells
};

} // namespace corral::fluid

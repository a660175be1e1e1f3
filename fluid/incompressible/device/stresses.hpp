#pragma once

#include "fluid/incompressible/device/momentum.hpp"

#include <corral/host_device.hpp>

#include <array>
#include <cstdint>

namespace corral::fluid::spectral_flow {

// Of a viscosity that varies, cell by cell: VaryingViscosity says what stands where.

/// The edges of two components, in the order of arrays: x and y, x and z, y and z.
CORRAL_HOST_DEVICE constexpr int edges_of(int a, int b) { return a + b - 1; }
/// They lie as faces of y do, and those along y as cells.
CORRAL_HOST_DEVICE inline std::int64_t edge(const Box& box, int edges, const Place& p) { return box.face(edges == 1 ? 0 : 1, p); }

/// Viscosity on the edges on a cell's lower sides, and of those on an upper wall: the harmonic mean of the cells around.
struct ToEdges {
  Box box;
  const double* mu; ///< in cells [Pa s]
  std::array<double*, 3> to;

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell) const {
    const Place p = box.place(cell);
    for (int a = 0; a < 3; ++a)
      for (int b = a + 1; b < 3; ++b) to[edges_of(a, b)][edge(box, edges_of(a, b), p)] = mean(p, a, b);
    if (!box.walled || p.j < box.ny - 1) return;
    for (const int along : {0, 2}) { // on walls there are cells on one side alone
      const int edges = edges_of(along, 1);
      const double of_two = (fluidity(p) + fluidity(box.beside(p, along, false))) / 2;
      to[edges][edge(box, edges, {p.i, box.ny, p.k})] = 1 / of_two;
    }
  }

private:
  CORRAL_HOST_DEVICE double fluidity(const Place& p) const { return 1 / mu[box.face(0, p)]; }
  CORRAL_HOST_DEVICE Place back(const Place& p, int axis) const { return box.on_wall(axis, p) ? p : box.beside(p, axis, false); }
  CORRAL_HOST_DEVICE double mean(const Place& p, int a, int b) const {
    const Place of_a = back(p, a);
    return 4 / ((fluidity(p) + fluidity(of_a)) + (fluidity(back(p, b)) + fluidity(back(of_a, b))));
  }
};

/// Stresses of a velocity.
struct Stresses {
  Box box;
  ConstFacePointers u;
  const double* mu; ///< in cells [Pa s]
  std::array<const double*, 3> edges;
  std::array<double, 3> per;                 ///< 1/h [1/m]
  std::array<double, 3> low_wall, high_wall; ///< velocities [m/s]

  CORRAL_HOST_DEVICE double at(int d, const Place& p) const { return u[d][box.face(d, p)]; }
  /// du_d/dx_d in a cell.
  CORRAL_HOST_DEVICE double normal_rate(int d, const Place& p) const { return (at(d, box.beside(p, d, true)) - at(d, p)) * per[d]; }
  CORRAL_HOST_DEVICE double viscosity(const Place& p) const { return mu[box.face(0, p)]; }
  CORRAL_HOST_DEVICE double viscosity_on(int a, int b, const Place& p) const { return edges[edges_of(a, b)][edge(box, edges_of(a, b), p)]; }
  /// du_a/dx_b + du_b/dx_a on the edge on a place's lower sides, which is on no wall.
  CORRAL_HOST_DEVICE double shear_rate(int a, int b, const Place& p) const {
    return (at(a, p) - at(a, box.beside(p, b, false))) * per[b] + (at(b, p) - at(b, box.beside(p, a, false))) * per[a];
  }
  /// Whether the edge is on the lower wall.
  CORRAL_HOST_DEVICE bool on_wall(int a, int b, const Place& p) const { return box.on_wall(a, p) || box.on_wall(b, p); }
  /// The same of component a, along x or z, on the wall beside a cell.
  CORRAL_HOST_DEVICE double rate_on_wall(int a, const Place& p, bool high) const {
    return (high ? 2 : -2) * per[1] * ((high ? high_wall : low_wall)[a] - at(a, p));
  }
  CORRAL_HOST_DEVICE double viscosity_on_wall(int a, const Place& p, bool high) const {
    return viscosity_on(a, 1, {p.i, high ? box.ny : 0, p.k});
  }
  CORRAL_HOST_DEVICE bool beside_wall(const Place& p, bool high) const { return box.walled && p.j == (high ? box.ny - 1 : 0); }
};

/// Their divergence, on the faces on a cell's lower sides but for those on walls.
struct ViscousForce {
  Stresses s;
  FacePointers to; ///< [N/m3]

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell) const {
    const Place p = s.box.place(cell);
    for (int d = 0; d < 3; ++d)
      if (!s.box.on_wall(d, p)) to[d][s.box.face(d, p)] = along(d, p);
  }

private:
  CORRAL_HOST_DEVICE double along(int d, const Place& p) const {
    const Place behind = s.box.beside(p, d, false);
    double force = 2 * s.per[d] * (s.viscosity(p) * s.normal_rate(d, p) - s.viscosity(behind) * s.normal_rate(d, behind));
    for (int e = 0; e < 3; ++e)
      if (e != d) force += s.per[e] * (shear(d, e, p, true) - shear(d, e, p, false));
    return force;
  }
  CORRAL_HOST_DEVICE double shear(int d, int e, const Place& p, bool high) const {
    if (e == 1 && s.beside_wall(p, high)) return s.viscosity_on_wall(d, p, high) * s.rate_on_wall(d, p, high);
    const Place on = high ? s.box.beside(p, e, true) : p;
    return s.viscosity_on(d, e, on) * s.shear_rate(d, e, on);
  }
};

/// What viscosity takes in a cell and on its edges, on walls half an edge.
struct Dissipated {
  Stresses s;

  CORRAL_HOST_DEVICE double operator()(std::int64_t cell) const {
    const Place p = s.box.place(cell);
    double total = 0;
    for (int d = 0; d < 3; ++d) {
      const double rate = s.normal_rate(d, p);
      total += 2 * s.viscosity(p) * rate * rate;
    }
    for (int a = 0; a < 3; ++a)
      for (int b = a + 1; b < 3; ++b) {
        if (s.on_wall(a, b, p)) continue;
        const double rate = s.shear_rate(a, b, p);
        total += s.viscosity_on(a, b, p) * rate * rate;
      }
    for (int high = 0; high < 2; ++high)
      if (s.beside_wall(p, high != 0))
        for (int a = 0; a < 3; a += 2) {
          const double rate = s.rate_on_wall(a, p, high != 0);
          total += 0.5 * s.viscosity_on_wall(a, p, high != 0) * rate * rate;
        }
    return total;
  }
};

/// What both walls do, of a place on them.
struct WorkOfSlidingWalls {
  Stresses s;

  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const {
    const Place low{i % s.box.nx, 0, i / s.box.nx}, high{low.i, s.box.ny - 1, low.k};
    double total = 0;
    for (int a = 0; a < 3; a += 2) {
      total -= s.viscosity_on_wall(a, low, false) * s.rate_on_wall(a, low, false) * s.low_wall[a] * s.per[1];
      total += s.viscosity_on_wall(a, high, true) * s.rate_on_wall(a, high, true) * s.high_wall[a] * s.per[1];
    }
    return total;
  }
};

/// Of one component of a stress, xx yy zz xy xz yz: what viscosity has more than mu0.
struct ExcessStress {
  Stresses s;
  double mu0;
  int component;

  CORRAL_HOST_DEVICE double operator()(std::int64_t cell) const {
    const Place p = s.box.place(cell);
    if (component < 3) return 2 * (s.viscosity(p) - mu0) * s.normal_rate(component, p);
    const int a = component == 5 ? 1 : 0, b = component == 3 ? 1 : 2;
    double total = s.on_wall(a, b, p) ? 0 : (s.viscosity_on(a, b, p) - mu0) * s.shear_rate(a, b, p);
    if (component == 4) return total;
    const int along = component == 3 ? 0 : 2;
    for (int high = 0; high < 2; ++high)
      if (s.beside_wall(p, high != 0))
        total += 0.5 * (s.viscosity_on_wall(along, p, high != 0) - mu0) * s.rate_on_wall(along, p, high != 0);
    return total;
  }
};

/// residual -= factor grad P, on the faces on a cell's lower sides but for those on walls.
struct WithoutGradient {
  Box box;
  const double* P;
  std::array<double, 3> per; ///< factor/h
  FacePointers residual;

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell) const {
    const Place p = box.place(cell);
    for (int d = 0; d < 3; ++d)
      if (!box.on_wall(d, p)) residual[d][box.face(d, p)] -= per[d] * (P[cell] - P[box.face(0, box.beside(p, d, false))]);
  }
};

} // namespace corral::fluid::spectral_flow

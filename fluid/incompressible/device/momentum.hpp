#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/incompressible/flow_rows.hpp"
#include "fluid/spectral/device/box_transform.hpp"

#include <corral/host_device.hpp>

#include <array>
#include <cstdint>

namespace corral::fluid::spectral_flow {

/// A cell by its place, which is also that of the faces on its lower sides.
struct Place {
  std::int64_t i, j, k;
  CORRAL_HOST_DEVICE std::int64_t operator[](int axis) const { return axis == 0 ? i : axis == 1 ? j : k; }
};

/// The box of a flow: it wraps along x and z, and along y or has walls there, of which faces of y stand on the upper one, too.
struct Box {
  std::int64_t nx, ny, nz;
  bool walled;

  CORRAL_HOST_DEVICE std::int64_t cells() const { return nx * ny * nz; }
  CORRAL_HOST_DEVICE std::int64_t rows(int d) const { return d == 1 && walled ? ny + 1 : ny; } ///< of faces, along y
  CORRAL_HOST_DEVICE std::int64_t face(int d, const Place& p) const { return p.i + nx * (p.j + rows(d) * p.k); }
  CORRAL_HOST_DEVICE bool on_wall(int d, const Place& p) const { return d == 1 && walled && p.j == 0; }
  /// Of a cell's number, which has 32 bits: division of more takes a device several times as long.
  CORRAL_HOST_DEVICE Place place(std::int64_t cell) const {
    const auto c = static_cast<std::uint32_t>(cell), x = static_cast<std::uint32_t>(nx), y = static_cast<std::uint32_t>(ny);
    const std::uint32_t row = c / x;
    return {c - row * x, row % y, row / y};
  }
  CORRAL_HOST_DEVICE std::int64_t length(int axis) const { return axis == 0 ? nx : axis == 1 ? ny : nz; }
  /// A cell on or back along an axis, around its end; between walls it is not asked beyond them, but for the faces on the upper
  /// one.
  CORRAL_HOST_DEVICE Place beside(Place p, int axis, bool high) const {
    std::int64_t& at = axis == 0 ? p.i : axis == 1 ? p.j : p.k;
    const std::int64_t n = length(axis);
    const bool wraps = axis != 1 || !walled;
    if (high) at = wraps && at == n - 1 ? 0 : at + 1;
    else at = wraps && at == 0 ? n - 1 : at - 1;
    return p;
  }
};

inline Box box_of(const Domain& domain) {
  const Grid& grid = domain.grid();
  return {grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells, !grid.axis(1).periodic()};
}

/// The right-hand side of the momentum equation, face by face: MomentumRow says what it is.
struct Momentum {
  Box box;
  ConstFacePointers start, carried, force;
  std::array<MomentumFactors, 3> factors;
  std::array<double, 3> low_wall, high_wall; ///< velocities [m/s]

  /// Of a component, of the face on the cell's lower side, which is on no wall.
  template <int d> CORRAL_HOST_DEVICE double at(const Place& p) const {
    const MomentumFactors& f = factors[d];
    const double here = start[d][box.face(d, p)], moved = carried[d][box.face(d, p)];
    double viscous = 0, advection = 0;
    for (int e = 0; e < 3; ++e) {
      const double below = beside<d>(start[d], here, p, e, false), above = beside<d>(start[d], here, p, e, true);
      viscous += f.viscosity[e] * ((above - here) - (here - below));
      const double back = beside<d>(carried[d], here, p, e, false), on = beside<d>(carried[d], here, p, e, true);
      advection += f.advection[e] * ((moved + on) * carrier<d>(p, e, true, moved + on) - (back + moved) * carrier<d>(p, e, false, back + moved));
    }
    return viscous - advection + (f.force * force[d][box.face(d, p)] + f.body);
  }

private:
  /// The component beside; beyond a wall `here` is continued as twice the wall's velocity less itself. Of what is carried that
  /// does not count, for nothing comes through a wall.
  template <int d> CORRAL_HOST_DEVICE double beside(const double* u, double here, const Place& p, int axis, bool high) const {
    if (d != 1 && axis == 1 && box.walled && p.j == (high ? box.ny - 1 : 0)) return 2 * (high ? high_wall : low_wall)[d] - here;
    return u[box.face(d, box.beside(p, axis, high))];
  }
  /// Twice the velocity along an axis on that side of the face's control volume; along the face's own that is `own`.
  template <int d> CORRAL_HOST_DEVICE double carrier(const Place& p, int axis, bool high, double own) const {
    if (axis == d) return own;
    const Place at = high ? box.beside(p, axis, true) : p;
    const Place behind = box.beside(at, d, false);
    const double* const u = carried[axis];
    return u[box.face(axis, behind)] + u[box.face(axis, at)];
  }
};

/// A field, and what is more of it everywhere and beside walls.
struct Source {
  Box box;
  ConstFacePointers field;
  std::array<double, 3> more{};
  std::array<double, 3> low_wall{}, high_wall{}; ///< in the first and the last layer between walls

  template <int d> CORRAL_HOST_DEVICE double at(const Place& p) const {
    double value = field[d][box.face(d, p)] + more[d];
    if (box.walled && p.j == 0) value += low_wall[d];
    if (box.walled && p.j == box.ny - 1) value += high_wall[d];
    return value;
  }
};

/// Values of a source into padded fields; 0 where faces stand on walls.
template <class From> struct Load {
  From from;
  spectral::PaddedBox padded;
  FacePointers to;

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell) const {
    const Box& box = from.box;
    const Place p = box.place(cell);
    const std::int64_t value = padded.value(p.i, p.j + box.ny * p.k);
    to[0][value] = from.template at<0>(p);
    to[1][value] = box.on_wall(1, p) ? 0 : from.template at<1>(p);
    to[2][value] = from.template at<2>(p);
  }
};

/// to = values of a source + factor to; faces on walls stay.
template <class From> struct Put {
  From from;
  double factor;
  FacePointers to;

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell) const {
    const Box& box = from.box;
    const Place p = box.place(cell);
    add<0>(p, from.template at<0>(p));
    if (!box.on_wall(1, p)) add<1>(p, from.template at<1>(p));
    add<2>(p, from.template at<2>(p));
  }

private:
  template <int d> CORRAL_HOST_DEVICE void add(const Place& p, double value) const {
    double& at = to[d][from.box.face(d, p)];
    at = value + factor * at;
  }
};

/// Padded fields to where a flow has them: added to a start or alone, and a pressure times a factor, likewise. Faces on walls stay.
struct Store {
  Box box;
  spectral::PaddedBox padded;
  ConstFacePointers from;
  ConstFacePointers start; ///< null: none
  FacePointers to;
  const double* potential = nullptr; ///< padded; null: none
  double* pressure = nullptr;
  double factor = 1;
  const double* pressure_start = nullptr; ///< null: none

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell) const {
    const Place p = box.place(cell);
    const std::int64_t value = padded.value(p.i, p.j + box.ny * p.k);
    for (int d = 0; d < 3; ++d) {
      if (box.on_wall(d, p)) continue;
      const std::int64_t f = box.face(d, p);
      to[d][f] = start[d] ? start[d][f] + from[d][value] : from[d][value];
    }
    if (pressure) pressure[cell] = (pressure_start ? pressure_start[cell] : 0) + factor * potential[value];
  }
};

/// Velocity through walls is 0.
struct StopAtWalls {
  Box box;
  double* velocity; ///< along y

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t x = i % box.nx, k = i / box.nx;
    velocity[box.face(1, {x, 0, k})] = 0;
    velocity[box.face(1, {x, box.ny, k})] = 0;
  }
};

} // namespace corral::fluid::spectral_flow

#pragma once

#include "fluid/domain.hpp"
#include "fluid/own_planes.hpp"
#include "fluid/scratch.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid {

/// How values on the faces of one direction lie in memory with two layers of points beyond every side, x fastest.
struct PaddedShape {
  static constexpr std::int64_t layers = 2;
  std::array<std::int64_t, 3> points{}, stride{}; ///< faces per axis, and steps between them

  CORRAL_HOST_DEVICE std::int64_t rows() const { return points[1] * points[2]; }
  /// Where the first face of the row along x at (j, k) lies.
  CORRAL_HOST_DEVICE std::int64_t row(std::int64_t j, std::int64_t k) const {
    return layers * stride[0] + (j + layers) * stride[1] + (k + layers) * stride[2];
  }
  std::int64_t size() const { return stride[2] * (points[2] + 2 * layers); }
};

PaddedShape padded_shape(const Grid& grid, Staggering staggering);

struct PaddedFaces : PaddedShape {
  Array<double> values;
};

/// A row of faces of one direction d, and what is beside them along an axis e: the velocity component u that is
/// transported, and component e of the one that carries it. Face i of the row has u[i]; v[i] is on the face of
/// direction e that is half a cell back along e and half a cell on along d.
struct RowAlong {
  bool along_normal;         ///< e = d
  const double* u;
  std::int64_t step;         ///< to the next u along e
  const double* v;
  std::int64_t normal, axis; ///< steps between v along d and along e
  const double *open_u, *open_v; ///< apertures where u and v are; null where the box has no closed faces
};

/// What loops see of a PaddedVelocity.
struct PaddedVelocityView {
  std::array<PaddedShape, 3> shape;
  std::array<const double*, 3> u, open; ///< components; apertures, null where no face is closed
  std::array<double, 3> per_cell;       ///< 1/h_d [1/m]

  /// The row at (j, k) of `carried`, values of a component d, along axis e in the flow of this field.
  CORRAL_HOST_DEVICE RowAlong row_along(int d, int e, std::int64_t j, std::int64_t k, const double* carried) const {
    const auto normal = static_cast<std::size_t>(d), axis = static_cast<std::size_t>(e);
    const std::int64_t at = shape[normal].row(j, k), carrier_at = shape[axis].row(j, k);
    const bool closed = open[normal] != nullptr;
    return {.along_normal = e == d,
            .u = carried + at,
            .step = shape[normal].stride[axis],
            .v = u[axis] + carrier_at,
            .normal = shape[axis].stride[normal],
            .axis = shape[axis].stride[axis],
            .open_u = closed ? open[normal] + at : nullptr,
            .open_v = closed ? open[axis] + carrier_at : nullptr};
  }
};

/// What tangential components are beyond no-slip walls.
enum class BeyondWalls : std::uint8_t {
  mirrored, ///< about the wall's velocity
  as_inside ///< as beyond other sides: of fluxes, which know no friction
};

/// A velocity field that may be looked up two faces beyond any side.
///
/// There tangential components mirror about the wall's velocity at no-slip walls, and as they are at other sides;
/// inlets count as the wall that they are part of. Normal components keep the value of the side. Closed faces have
/// velocity 0, whatever the field holds there.
class PaddedVelocity {
public:
  explicit PaddedVelocity(const Domain&, Memory memory = Memory::host, BeyondWalls beyond = BeyondWalls::mirrored);
  /// With no memory of its own: `take` and `give_back` are around each use.
  PaddedVelocity(const Domain&, const Scratch&);

  /// `u` holds grid.points(face(d)) values per direction. Where ranks share planes, its own and those beside them that are looked up.
  template <Execution E> void fill(E, const std::array<const double*, 3>& u, const Planes& planes = Planes());
  /// Sets component d alone; closed faces keep what `from`, grid.points(face(d)) values, has there.
  template <Execution E> void set(E, int d, const double* from);
  /// Sets the points beyond the sides of a component d from its faces; where ranks share planes, in those that `fill` sets.
  template <Execution E> void fill_beyond(E, int d, PaddedFaces& component, const Planes& planes = Planes()) const;

  const PaddedFaces& component(int d) const { return u_[d]; }
  /// Memory until it is given back; values are to be filled anew.
  void take(Scratch& scratch) {
    for (PaddedFaces& u : u_) scratch.take(u.size(), u.values);
  }
  void give_back(Scratch& scratch) {
    for (PaddedFaces& u : u_) scratch.give_back(u.values);
  }
  bool has_closed_faces() const { return has_closed_; }
  PaddedVelocityView view() const;

private:
  void set_apertures(Memory memory);

  const Domain& domain_;
  BeyondWalls beyond_;
  std::array<PaddedFaces, 3> u_;
  bool has_closed_;
  std::array<PaddedFaces, 3> open_; ///< apertures; empty where no face is closed
};

/// A face's value and those of its neighbours along an axis, two to either side.
struct Surroundings {
  double low2, low, centre, high, high2;
};

/// They as face i of the row, which is open, sees them. Blocked cells are no-slip walls at rest: where a share of what
/// parts two control volumes is closed, that share of the neighbour's value is the face's own turned round, as beyond a
/// side, and nothing is seen through it. Along the normal a closed face is the wall itself, at velocity 0, and the next
/// one belongs to the same blocked cell.
template <bool closed> CORRAL_HOST_DEVICE Surroundings surroundings(const RowAlong& r, std::int64_t i) {
  const double* u = r.u + i;
  const std::int64_t s = r.step;
  if (!closed || r.along_normal) return {u[-2 * s], u[-s], u[0], u[s], u[2 * s]};
  const auto wall_or = [](double open, double beyond, double mirrored) {
    return open >= 1 ? beyond : open * beyond - (1 - open) * mirrored;
  };
  const auto open = [v = r.open_v + i, &r](std::int64_t k) { // share of the control volume's side k steps on along e
    return 0.5 * (v[k * r.axis] + v[k * r.axis - r.normal]);
  };
  const double low = wall_or(open(0), u[-s], u[0]), high = wall_or(open(1), u[s], u[0]);
  // A wall right beside the face mirrors the far neighbour of the other side.
  return {open(0) < 1 ? -high : wall_or(open(-1), u[-2 * s], low), low, u[0], high,
          open(1) < 1 ? -low : wall_or(open(2), u[2 * s], high)};
}

} // namespace corral::fluid

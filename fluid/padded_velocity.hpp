#pragma once

#include "fluid/domain.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::fluid {

/// Values on the faces of one direction and on two layers of points beyond every side, x fastest.
struct PaddedFaces {
  static constexpr std::int64_t layers = 2;
  std::array<std::int64_t, 3> points{}, stride{}; ///< faces per axis, and steps between them in `values`
  Array<double> values;

  std::int64_t rows() const { return points[1] * points[2]; }
  /// Where in `values` the first face of the row along x at (j, k) lies.
  std::int64_t row(std::int64_t j, std::int64_t k) const {
    return layers * stride[0] + (j + layers) * stride[1] + (k + layers) * stride[2];
  }
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

/// A velocity field that may be looked up two faces beyond any side.
///
/// There tangential components mirror about the wall's velocity at no-slip walls, and as they are at other sides;
/// inlets count as the wall that they are part of. Normal components keep the value of the side. Closed faces have
/// velocity 0, whatever the field holds there.
class PaddedVelocity {
public:
  explicit PaddedVelocity(const Domain&);

  /// `u` holds grid.points(face(d)) values per direction.
  void fill(Cpu, const std::array<const double*, 3>& u);
  /// Sets the points beyond the sides of a component d from its faces.
  void fill_beyond(Cpu, int d, PaddedFaces& component) const;

  const Domain& domain() const { return domain_; }
  double per_cell(int d) const { return 1 / domain_.grid().axis(d).spacing; } ///< 1/h_d [1/m]
  const PaddedFaces& component(int d) const { return u_[static_cast<std::size_t>(d)]; }
  bool has_closed_faces() const { return has_closed_; }
  /// The row at (j, k) of `carried`, a component d, along axis e in the flow of this field.
  RowAlong row_along(int d, int e, std::int64_t j, std::int64_t k, const PaddedFaces& carried) const;

private:
  /// What stands beyond a side: sign (x - shift), x the value as far inside.
  struct Mirror {
    double sign = 1, shift = 0;
  };
  static void fill_beyond(Cpu, PaddedFaces&, int along, bool periodic, bool normal, Mirror low, Mirror high);
  void set_apertures();

  const Domain& domain_;
  std::array<PaddedFaces, 3> u_;
  bool has_closed_;
  std::array<PaddedFaces, 3> open_; ///< apertures; empty where no face is closed
};

/// What a sum begins with.
enum class Onto : std::uint8_t { zero, what_is_there };

/// Adds up in `force`, one value per face of direction d, term(e, row)(i) over the axes e for face i of each row, in
/// the order of the axes; closed faces get nothing. `closed` says whether there are any.
template <bool closed, class Term>
void add_along_axes(Cpu cpu, const PaddedVelocity& velocity, int d, const PaddedFaces& carried, Onto onto,
                    double* force, Term term) {
  const std::int64_t n = carried.points[0];
  for_each_chunk(cpu, carried.rows(), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t j = r % carried.points[1], k = r / carried.points[1];
      double* out = force + r * n;
      if (onto == Onto::zero) std::fill(out, out + n, 0.0);
      for (int e = 0; e < 3; ++e) {
        const RowAlong row = velocity.row_along(d, e, j, k, carried);
        const auto at = term(e, row);
        for (std::int64_t i = 0; i < n; ++i)
          if (!closed || row.open_u[i] > 0) out[i] += at(i);
      }
    }
  });
}

/// A face's value and those of its neighbours along an axis, two to either side.
struct Surroundings {
  double low2, low, centre, high, high2;
};

/// They as face i of the row, which is open, sees them. Blocked cells are no-slip walls at rest: where a share of what
/// parts two control volumes is closed, that share of the neighbour's value is the face's own turned round, as beyond a
/// side, and nothing is seen through it. Along the normal a closed face is the wall itself, at velocity 0, and the next
/// one belongs to the same blocked cell.
template <bool closed> Surroundings surroundings(const RowAlong& r, std::int64_t i) {
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

#pragma once

/// The loops of padded_velocity.hpp, and those along its rows, for either processor.

#include "fluid/transport/padded_velocity.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <vector>

namespace corral::fluid {

/// What stands beyond a side: sign (x - shift), x the value as far inside.
struct Mirror {
  double sign = 1, shift = 0;
};

/// Sets the points beyond both sides of axis `along`; x comes before y, and y before z. Those beyond x and y in `planes` alone.
template <Execution E>
void fill_beyond(E execution, PaddedFaces& p, int along, bool periodic, bool normal, Mirror low, Mirror high,
                 const std::vector<distributed::Piece>& planes) {
  constexpr std::int64_t layers = PaddedShape::layers;
  const std::size_t a = static_cast<std::size_t>(along), b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
  const std::int64_t n = p.points[a], nb = p.points[b] + 2 * layers;
  const std::int64_t step = p.stride[a], step_b = p.stride[b], step_c = p.stride[c];
  const std::vector<distributed::Piece> everywhere{{-layers, p.points[c] + layers}};
  for (const distributed::Piece& piece : c == 2 ? planes : everywhere) {
    double* const origin = p.values.data() + layers * step + (piece.begin + layers) * step_c;
    for_each_part(execution, nb * piece.size(), 1, 256, [=] CORRAL_BODY(std::int64_t line, std::int64_t, std::int64_t) {
      double* const u = origin + (line % nb) * step_b + (line / nb) * step_c;
      for (std::int64_t g = 1; g <= layers; ++g) {
        double *const below = u - g * step, *const above = u + (n - 1 + g) * step;
        if (periodic) {
          *below = u[((n - g) % n + n) % n * step];
          *above = u[(g - 1) % n * step];
        } else if (normal) {
          *below = u[0];
          *above = u[(n - 1) * step];
        } else {
          *below = low.sign * (u[(g - 1 < n ? g - 1 : n - 1) * step] - low.shift);
          *above = high.sign * (u[(n > g ? n - g : 0) * step] - high.shift);
        }
      }
    });
  }
}

template <Execution E> void PaddedVelocity::fill(E execution, const std::array<const double*, 3>& u, const Planes& planes) {
  const Grid& grid = domain_.grid();
  for (int d = 0; d < 3; ++d) {
    const PaddedShape shape = u_[d];
    const double *from = u[d], *open = has_closed_ ? open_[d].values.data() : nullptr;
    double* to = u_[d].values.data();
    for (const OwnRange& range : points_around(grid, planes, face(d), PaddedShape::layers)) {
      const OwnRange rows = rows_of(grid, face(d), range);
      const std::int64_t first = rows.first;
      for_each_part(execution, rows.count, shape.points[0], rows_per_task,
                    [=] CORRAL_BODY(std::int64_t part, std::int64_t begin, std::int64_t end) {
                      const std::int64_t r = first + part, at = shape.row(r % shape.points[1], r / shape.points[1]);
                      const double* row = from + r * shape.points[0];
                      for (std::int64_t k = begin; k < end; ++k)
                        to[at + k] = open != nullptr && open[at + k] == 0 ? 0 : row[k];
                    });
    }
    fill_beyond(execution, d, u_[d], planes);
  }
}

template <Execution E> void PaddedVelocity::set(E execution, int d, const double* from) {
  PaddedFaces& u = u_[d];
  const PaddedShape shape = u;
  double* const to = u.values.data();
  for_each_part(execution, shape.rows(), shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t r, std::int64_t begin, std::int64_t end) {
                  const std::int64_t at = shape.row(r % shape.points[1], r / shape.points[1]);
                  const double* row = from + r * shape.points[0];
                  for (std::int64_t i = begin; i < end; ++i) to[at + i] = row[i];
                });
  fill_beyond(execution, d, u);
}

template <Execution E> void PaddedVelocity::fill_beyond(E execution, int d, PaddedFaces& p, const Planes& planes) const {
  const std::vector<distributed::Piece> there = planes_around(domain_.grid(), planes, face(d), PaddedShape::layers);
  for (int along = 0; along < 3; ++along) { // in this order edges and corners are set, too
    const auto mirror = [&](bool high) -> Mirror {
      const int s = side(along, high);
      if (beyond_ == BeyondWalls::as_inside || domain_.side_kind(s) != SideKind::no_slip) return {};
      return {-1.0, 2 * domain_.wall_velocity(s)[d]};
    };
    fluid::fill_beyond(execution, p, along, domain_.grid().axis(along).periodic(), along == d, mirror(false), mirror(true), there);
  }
}

/// A copy of padded faces, in memory that is large enough.
template <Execution E> void copy_faces(E execution, const PaddedFaces& from, PaddedFaces& to) {
  static_cast<PaddedShape&>(to) = from;
  const double* source = from.values.data();
  double* target = to.values.data();
  for_each(execution, from.size(), [=] CORRAL_BODY(std::int64_t i) { target[i] = source[i]; });
}

/// The same of faces with normal d, where ranks share planes: of its own, those beside them that are looked up, and what stands
/// beyond the sides.
template <Execution E> void copy_faces(E execution, const Grid& grid, const Planes& planes, int d, const PaddedFaces& from, PaddedFaces& to) {
  if (!planes.shared()) return copy_faces(execution, from, to);
  static_cast<PaddedShape&>(to) = from;
  const auto copy_planes = [&](std::int64_t first, std::int64_t count) {
    const double* source = from.values.data() + first * from.stride[2];
    double* target = to.values.data() + first * from.stride[2];
    for_each(execution, count * from.stride[2], [=] CORRAL_BODY(std::int64_t i) { target[i] = source[i]; });
  };
  constexpr std::int64_t layers = PaddedShape::layers;
  copy_planes(0, layers);
  copy_planes(from.points[2] + layers, layers);
  for (const distributed::Piece& piece : planes_around(grid, planes, face(d), layers)) copy_planes(piece.begin + layers, piece.size());
}

/// What a sum begins with.
enum class Onto : std::uint8_t { zero, what_is_there };

/// Adds up in `force`, one value per face of direction d, term.along(e, row)(i) over the axes e for face i of each row of
/// `carried`, in the order of the axes; closed faces get nothing. `closed` says whether there are any. Of rows in `rows` alone.
template <bool closed, Execution E, class Term>
void add_along_axes(E execution, const PaddedVelocityView& velocity, int d, const OwnRange& rows, const double* carried, Onto onto,
                    double* force, const Term& term_of) {
  const PaddedShape shape = velocity.shape[d];
  const Term term = term_of;
  const std::int64_t first = rows.first;
  for_each_part(execution, rows.count, shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t part, std::int64_t begin, std::int64_t end) {
                  const std::int64_t r = first + part;
                  double* out = force + r * shape.points[0];
                  if (onto == Onto::zero)
                    for (std::int64_t i = begin; i < end; ++i) out[i] = 0;
                  for (int e = 0; e < 3; ++e) {
                    const RowAlong row =
                        velocity.row_along(d, e, r % shape.points[1], r / shape.points[1], carried);
                    const auto at = term.along(e, row);
                    for (std::int64_t i = begin; i < end; ++i)
                      if (!closed || row.open_u[i] > 0) out[i] += at(i);
                  }
                });
}

} // namespace corral::fluid

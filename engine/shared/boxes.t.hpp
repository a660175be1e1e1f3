#pragma once

/// The maps of <corral/boxes.hpp>, for either processor.

#include "engine/shared/box_sums.hpp"
#include "engine/shared/order_data.hpp"

#include <corral/boxes.hpp>
#include <corral/error.hpp>
#include <corral/groups.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace corral::boxes {

/// The loops over a group's particles. The CPU's are compiled for several instruction sets (boxes.cpp).
template <Execution E> struct OverParticles {
  template <class... Arguments> CORRAL_HOST_DEVICE static void sum_corners(Arguments&&... arguments) {
    boxes::sum_corners_by_column(arguments...);
  }
  template <class... Arguments> CORRAL_HOST_DEVICE static void sum_fluxes(Arguments&&... arguments) {
    boxes::sum_fluxes(arguments...);
  }
  template <class... Arguments> CORRAL_HOST_DEVICE static void interpolate_corners(Arguments&&... arguments) {
    boxes::interpolate_corners(arguments...);
  }
};
template <> struct OverParticles<Cpu> {
  static void sum_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end, const CornerColumns& columns,
                          AtCorners* sums);
  static void sum_fluxes(const Fraction& along, const Fraction& a, const Fraction& b, std::int64_t begin,
                         std::int64_t end, const double* weight, const double* distance, Across (&sums)[3]);
  static void interpolate_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end, const Trilinear& x,
                                  const Trilinear& y, const Trilinear& z, const std::array<double*, 3>& out);
};

/// Where the sums of some columns go.
struct Targets {
  struct Target {
    std::size_t sum; ///< its number
    double* out;
  };
  std::size_t count = 0;
  Target of[most_terms + weighted_terms] = {};

  void add(std::size_t sum, double* out) {
    if (out) of[count++] = {sum, out};
  }
};

template <Execution E> struct SpreadGroup {
  Grid grid;
  PositionColumns position;
  CornerColumns columns;
  Targets cells, faces[3];

  CORRAL_HOST_DEVICE void operator()(const Group& group, std::int64_t begin, std::int64_t end) const {
    const Corners at(grid, group);
    const Fraction fraction[3]{at.fraction(position, 0), at.fraction(position, 1), at.fraction(position, 2)};
    AtCorners sums[most_terms + weighted_terms];
    OverParticles<E>::sum_corners(fraction, begin, end, columns, sums);
    const std::size_t next = at.face[0] < 0 ? 2 : 1; // along a thin axis x the upper corners have no weight
    for (std::size_t c = 0; c < corner_count; c += next) {
      const std::int64_t cell = at.cell_index(grid, c);
      for (std::size_t t = 0; t < cells.count; ++t) cells.of[t].out[cell] += sums[cells.of[t].sum][c];
    }
    for (int d = 0; d < 3; ++d) {
      if (at.face[d] < 0) continue;
      for (std::size_t c = 0; c < corner_count; c += next) {
        if (c >> d & 1) continue;
        const std::int64_t f = at.face_index(grid, d, c);
        for (std::size_t t = 0; t < faces[d].count; ++t) {
          const Targets::Target& to = faces[d].of[t];
          to.out[f] += sums[to.sum][c] + sums[to.sum][c | (std::size_t{1} << d)];
        }
      }
    }
  }
};

template <Execution E> struct SpreadFluxesOfGroup {
  Grid grid;
  PositionColumns position;
  const double* weight;
  std::array<const double*, 3> distance;
  std::array<double*, 3> fluxes;

  CORRAL_HOST_DEVICE void operator()(const Group& group, std::int64_t begin, std::int64_t end) const {
    Corners at(grid, group);
    for (int d = 0; d < 3; ++d) {
      if (at.face[d] < 0) continue;
      const Axis& axis = grid.axis(d);
      const int a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2; // the axes across the faces
      Across sums[3] = {};
      OverParticles<E>::sum_fluxes(at.fraction(position, d), at.fraction(position, a), at.fraction(position, b), begin, end,
                                   weight, distance[d], sums);
      const std::int64_t own = at.face[d];
      for (int box = 0; box < 3; ++box) {
        at.face[d] = own + box - 1;
        if (axis.periodic()) at.face[d] = (at.face[d] + axis.cells) % axis.cells;
        else if (at.face[d] < 0 || at.face[d] > axis.cells) continue;
        for (std::size_t c = 0; c < 4; ++c)
          fluxes[d][at.face_index(grid, d, (c & 1) << a | (c >> 1) << b)] += sums[box][c];
      }
      at.face[d] = own;
    }
  }
};

template <Execution E> struct InterpolateToGroup {
  Grid grid;
  PositionColumns position;
  std::array<const double*, 3> faces;
  std::array<const double*, 3> cells;
  std::array<double*, 3> columns;

  CORRAL_HOST_DEVICE void operator()(const Group& group, std::int64_t begin, std::int64_t end) const {
    const Corners at(grid, group);
    const Fraction fraction[3]{at.fraction(position, 0), at.fraction(position, 1), at.fraction(position, 2)};
    OverParticles<E>::interpolate_corners(fraction, begin, end, of_axis(at, 0), of_axis(at, 1), of_axis(at, 2), columns);
  }

private:
  CORRAL_HOST_DEVICE Trilinear of_axis(const Corners& at, int d) const {
    double v[corner_count] = {};
    for (std::size_t c = 0; c < corner_count && at.face[d] >= 0; ++c) {
      const double cell = cells[d][at.cell_index(grid, c)];
      v[c] = faces[d][at.face_index(grid, d, c)] + (at.beyond[d][c >> d & 1] ? -cell : cell);
    }
    return Trilinear(v);
  }
};

/// What loops see of an order whose groups lie between centres, of axes with periodic sides or walls, and whose particles
/// lie in cell order. Throws Error where it is another one, or was sorted on the other processor.
template <Execution E> OrderView<double> view_between_centres(E execution, const CellOrder<double>& order) {
  const CellOrder<double>::Data& data = order.data();
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = data.grid.axis(d);
    for (const Boundary side : {axis.low, axis.high})
      if (side == Boundary::open || side == Boundary::halo)
        throw Error("a map by boxes beside an open or halo side (what it would drop there is in none of its sums) use periodic "
                    "sides and walls");
    if (!axis.thin() && !data.groups[d].half)
      throw Error("a map by boxes over an order with Offset::zero (its groups lie in cells, not between centres) make the order "
                  "with Offset::half");
  }
  if (!data.identity)
    throw Error("a map by boxes of particles that do not lie in cell order (it takes columns as they lie) reorder them first");
  return order.view(execution);
}

template <Execution E>
void spread(E execution, const CellOrder<double>& order, const PositionColumns& position, std::span<const BoxTerm> terms,
            const double* weight) {
  const OrderView<double> view = view_between_centres(execution, order);
  if (terms.size() > most_terms) throw Error("more than 10 columns to spread by boxes (their sums have no room)");
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (!terms[t].weighted) continue;
    if (t >= weighted_terms || terms.size() < weighted_terms)
      throw Error("a column to spread by weight that is none of the first 4 of at least 4 (only those have room)");
    if (!weight && order.size() > 0)
      throw Error("a column to spread by weight without one (weight is null) give each particle its own");
  }
  const Grid& grid = order.grid();
  SpreadGroup<E> group{grid, position, {terms.size(), {}, weight}, {}, {}};
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const BoxTerm& term = terms[t];
    group.columns.column[t] = term.column;
    group.cells.add(t, term.cells);
    group.cells.add(terms.size() + t, term.weighted);
    for (int d = 0; d < 3; ++d) group.faces[d].add(t, term.faces[d]);
  }
  for_each_group(execution, grid, view, 1, group);
}

template <Execution E>
void spread_fluxes(E execution, const CellOrder<double>& order, const PositionColumns& position, const double* weight,
                   const std::array<const double*, 3>& distance, const std::array<double*, 3>& fluxes) {
  const OrderView<double> view = view_between_centres(execution, order);
  const Grid& grid = order.grid();
  for_each_group(execution, grid, view, 2, SpreadFluxesOfGroup<E>{grid, position, weight, distance, fluxes});
}

template <Execution E>
void interpolate(E execution, const CellOrder<double>& order, const PositionColumns& position,
                 const std::array<const double*, 3>& faces, const std::array<const double*, 3>& cells,
                 const std::array<double*, 3>& columns) {
  for_each_group(execution, order.grid(), view_between_centres(execution, order), 0,
                 InterpolateToGroup<E>{order.grid(), position, faces, cells, columns});
}

} // namespace corral::boxes

/// The public calls with E, for explicit use within namespace corral.
#define CORRAL_DEFINE_BOXES(E)                                                                                         \
  void spread_to_boxes(E execution, const CellOrder<double>& order, const PositionColumns& position,                   \
                       std::span<const BoxTerm> terms, const double* weight) {                                         \
    boxes::spread(execution, order, position, terms, weight);                                                          \
  }                                                                                                                    \
  void spread_box_fluxes(E execution, const CellOrder<double>& order, const PositionColumns& position,                 \
                         const double* weight, const std::array<const double*, 3>& distance,                           \
                         const std::array<double*, 3>& fluxes) {                                                       \
    boxes::spread_fluxes(execution, order, position, weight, distance, fluxes);                                        \
  }                                                                                                                    \
  void interpolate_boxes(E execution, const CellOrder<double>& order, const PositionColumns& position,                 \
                         const std::array<const double*, 3>& faces, const std::array<const double*, 3>& cells,         \
                         const std::array<double*, 3>& columns) {                                                      \
    boxes::interpolate(execution, order, position, faces, cells, columns);                                             \
  }

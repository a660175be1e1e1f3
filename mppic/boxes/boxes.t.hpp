#pragma once

/// The loops of boxes.hpp, for either processor.

#include "mppic/boxes/boxes.hpp"
#include "mppic/boxes/group.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

namespace boxes {

/// The loops over a group's parcels. The CPU's are compiled for several instruction sets (boxes.cpp).
template <Execution E> struct OverParcels {
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
template <> struct OverParcels<Cpu> {
  static void sum_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end, const CornerColumns& columns,
                          AtCorners* sums);
  static void sum_fluxes(const Fraction& along, const Fraction& a, const Fraction& b, std::int64_t begin,
                         std::int64_t end, const double* weight, const double* distance, Across (&sums)[3]);
  static void interpolate_corners(const Fraction (&at)[3], std::int64_t begin, std::int64_t end, const Trilinear& x,
                                  const Trilinear& y, const Trilinear& z, const std::array<double*, 3>& out);
};

using Group = std::array<std::int64_t, 3>; ///< its place along each axis

/// Calls f(group, begin, end) for every group that holds parcels, row by row: rows of one colour are more than `reach`
/// apart and reach no point in common, and colours follow each other, so that sums have one order for any number of
/// threads. What a periodic axis has beyond a multiple of reach + 1 gets colours of its own.
template <Execution E, class F>
void for_each_group(E execution, const Grid& grid, const OrderView<double>& order, int reach, const F& of_group) {
  const std::int64_t period = reach + 1, colours = 2 * period - 1, n1 = order.groups[1], n2 = order.groups[2];
  const F f = of_group;
  const bool wraps1 = grid.axis(1).periodic(), wraps2 = grid.axis(2).periodic();
  for (std::int64_t now = 0; now < colours * colours; ++now)
    fluid::for_each_part(execution, n1 * n2, 1, 8, [=] CORRAL_BODY(std::int64_t row, std::int64_t, std::int64_t) {
      const auto colour = [&](std::int64_t at, std::int64_t n, bool wraps) {
        const std::int64_t whole = n - n % period;
        return wraps && at >= whole ? period + at - whole : at % period;
      };
      const std::int64_t j = row % n1, k = row / n1;
      if (colour(j, n1, wraps1) + colours * colour(k, n2, wraps2) != now) return;
      for (std::int64_t i = 0; i < order.groups[0]; ++i) {
        const std::int64_t g = i + order.groups[0] * row;
        const std::int64_t begin = order.group_begin(g), end = order.group_begin(g + 1);
        if (begin < end) f(Group{i, j, k}, begin, end);
      }
    });
}

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
  Boxes::Place place;
  CornerColumns columns;
  Targets cells, faces[3];

  CORRAL_HOST_DEVICE void operator()(const Group& group, std::int64_t begin, std::int64_t end) const {
    const Corners at = corners_of(grid, group);
    const Fraction fraction[3]{at.fraction(place, 0), at.fraction(place, 1), at.fraction(place, 2)};
    AtCorners sums[most_terms + weighted_terms];
    OverParcels<E>::sum_corners(fraction, begin, end, columns, sums);
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
  Boxes::Place place;
  const double* weight;
  std::array<const double*, 3> distance;
  fluid::FacePointers fluxes;

  CORRAL_HOST_DEVICE void operator()(const Group& group, std::int64_t begin, std::int64_t end) const {
    Corners at = corners_of(grid, group);
    for (int d = 0; d < 3; ++d) {
      if (at.face[d] < 0) continue;
      const auto i = static_cast<std::size_t>(d);
      const Axis& axis = grid.axis(d);
      const int a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2; // the axes across the faces
      Across sums[3] = {};
      OverParcels<E>::sum_fluxes(at.fraction(place, d), at.fraction(place, a), at.fraction(place, b), begin, end, weight,
                                 distance[i], sums);
      const std::int64_t own = at.face[d];
      for (int box = 0; box < 3; ++box) {
        at.face[d] = own + box - 1;
        if (axis.periodic()) at.face[d] = (at.face[d] + axis.cells) % axis.cells;
        else if (at.face[d] < 0 || at.face[d] > axis.cells) continue;
        for (std::size_t c = 0; c < 4; ++c)
          fluxes[i][at.face_index(grid, d, (c & 1) << a | (c >> 1) << b)] += sums[box][c];
      }
      at.face[d] = own;
    }
  }
};

template <Execution E> struct InterpolateToGroup {
  Grid grid;
  Boxes::Place place;
  fluid::ConstFacePointers faces;
  std::array<const double*, 3> cells;
  std::array<double*, 3> columns;

  CORRAL_HOST_DEVICE void operator()(const Group& group, std::int64_t begin, std::int64_t end) const {
    const Corners at = corners_of(grid, group);
    const Fraction fraction[3]{at.fraction(place, 0), at.fraction(place, 1), at.fraction(place, 2)};
    OverParcels<E>::interpolate_corners(fraction, begin, end, of_axis(at, 0), of_axis(at, 1), of_axis(at, 2), columns);
  }

private:
  CORRAL_HOST_DEVICE Trilinear of_axis(const Corners& at, int d) const {
    const auto i = static_cast<std::size_t>(d);
    double v[corner_count] = {};
    for (std::size_t c = 0; c < corner_count && at.face[d] >= 0; ++c) {
      const double cell = cells[i][at.cell_index(grid, c)];
      v[c] = faces[i][at.face_index(grid, d, c)] + (at.beyond[d][c >> d & 1] ? -cell : cell);
    }
    return Trilinear(v);
  }
};

/// n values = 0.
template <Execution E> void clear(E execution, double* values, std::int64_t n) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { values[i] = 0; });
}

} // namespace boxes

template <Execution E>
void Boxes::spread(E execution, const CellOrder<double>& order, const Place& place, const std::vector<Term>& terms,
                   const double* weight) const {
  if (terms.size() > boxes::most_terms) throw Error("more than 10 columns to spread by boxes (their sums have no room)");
  boxes::SpreadGroup<E> group{grid_, place, {terms.size(), {}, weight}, {}, {}};
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const Term& term = terms[t];
    group.columns.column[t] = term.column;
    if (term.weighted && (t >= boxes::weighted_terms || terms.size() < boxes::weighted_terms))
      throw Error("a column to spread by weight that is none of the first 4 of at least 4 (only those have room)");
    group.cells.add(t, term.cells);
    group.cells.add(terms.size() + t, term.weighted);
    for (double* in_cells : {term.cells, term.weighted})
      if (in_cells) boxes::clear(execution, in_cells, grid_.cells());
    for (int d = 0; d < 3; ++d) {
      double* out = term.faces[static_cast<std::size_t>(d)];
      group.faces[d].add(t, out);
      if (out) boxes::clear(execution, out, grid_.points(face(d)));
    }
  }
  boxes::for_each_group(execution, grid_, order.view(execution), 1, group);
}

template <Execution E>
void Boxes::spread_fluxes(E execution, const CellOrder<double>& order, const Place& place, const double* weight,
                          const std::array<const double*, 3>& distance, fluid::FaceArrays& fluxes) const {
  for (Array<double>& flux : fluxes) fluid::fill(execution, flux, 0);
  boxes::for_each_group(
      execution, grid_, order.view(execution), 2,
      boxes::SpreadFluxesOfGroup<E>{grid_, place, weight, distance, fluid::writable_pointers(fluxes)});
}

template <Execution E>
void Boxes::interpolate(E execution, const CellOrder<double>& order, const Place& place,
                        const fluid::FaceArrays& faces, const std::array<Array<double>, 3>& cells,
                        const std::array<double*, 3>& columns) const {
  boxes::for_each_group(
      execution, grid_, order.view(execution), 0,
      boxes::InterpolateToGroup<E>{grid_, place, fluid::pointers(faces), fluid::pointers(cells), columns});
}

} // namespace corral::mppic

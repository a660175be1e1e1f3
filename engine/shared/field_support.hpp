#pragma once

#include "engine/shared/order_data.hpp"
#include "engine/shared/requirements.hpp"
#include "engine/shared/support.hpp"

#include <corral/error.hpp>
#include <corral/kernel_weights.hpp>
#include <corral/views.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace corral::shared {

/// Fields of one staggering that are mapped in one go.
inline constexpr int field_block = 4;

/// Cuts the terms of a map into blocks that share a staggering and the signs at walls, and so their stencils: indices
/// into `terms`, each in one block, at most `field_block` a block.
template <class Term> std::vector<std::vector<std::size_t>> field_blocks(std::span<const Term> terms) {
  std::vector<std::vector<std::size_t>> blocks;
  std::vector<bool> placed(terms.size(), false);
  for (std::size_t first = 0; first < terms.size(); ++first) {
    if (placed[first]) continue;
    const auto& field = terms[first].field;
    std::vector<std::size_t>& block = blocks.emplace_back();
    for (std::size_t t = first; t < terms.size() && block.size() < field_block; ++t) {
      const auto& other = terms[t].field;
      if (placed[t] || other.staggering != field.staggering || other.wall_sign != field.wall_sign) continue;
      placed[t] = true;
      block.push_back(t);
    }
  }
  return blocks;
}

/// How the fields of one staggering are reached from an order: the support along each axis.
struct FieldSupport {
  std::array<AxisSupport, 3> axis;

  /// `kernel` answers for its support along an axis, as KernelWeights does.
  template <class T, class Weights>
  static FieldSupport of(const typename CellOrder<T>::Data& order, Staggering staggering, const Weights& kernel) {
    FieldSupport s;
    for (int d = 0; d < 3; ++d) {
      const bool on_faces = on_face(staggering, d);
      s.axis[d] = AxisSupport::of(order.grid.axis(d), order.groups[d], on_faces, kernel.support(on_faces));
    }
    return s;
  }
};

inline void require_memory(const void* data) {
  if (data == nullptr) throw Error("a column or field without memory (its pointer is null)");
}

/// Throws Error where a field that says its extents has other ones than the grid gives it.
template <class T> void check_extent(const Grid& grid, const FieldView<T>& field) {
  const Staggering s = field.staggering;
  const std::array<std::int64_t, 3> points{grid.points(s, 0), grid.points(s, 1), grid.points(s, 2)};
  if (field.extent == points || field.extent == std::array<std::int64_t, 3>{}) return;
  const auto text = [](const std::array<std::int64_t, 3>& n) {
    return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
  };
  throw Error("a " + std::string(name(s)) + " field of " + text(field.extent) + " points (the grid has " +
              text(points) + " of them)");
}

/// Throws Error unless a column and a field, reached so, have what a map touches; `holder` has so many particles.
template <class ColumnValue, class FieldValue>
void check_term(const Grid& grid, const FieldSupport& support, const std::string& holder, std::int64_t particles,
                const Column<ColumnValue>& column, const FieldView<FieldValue>& field) {
  if (column.size != particles)
    throw Error("a column of " + std::to_string(column.size) + " values cannot be mapped (" + holder + " " +
                std::to_string(particles) + " particles) hand over columns as long as the positions");
  if (column.size > 0) require_memory(column.data);
  require_memory(field.data);
  require_reachable(column.size, column.stride);
  require_known(field.staggering);
  for (const Sign sign : field.wall_sign) require_known(sign);
  check_extent(grid, field);
  PointMemory memory{field.data, {}, field.stride, sizeof(FieldValue)};
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(d);
    const std::int64_t points = axis.points(on_face(field.staggering, d));
    // To read one value for many points is meant, to add the sums of many points to one is not.
    if (!std::is_const_v<FieldValue> && field.stride[d] == 0 && points > 1)
      throw Error("a " + std::string(name(field.staggering)) + " field with stride 0 along axis " + "xyz"[d] +
                  " (a spread would add up its " + std::to_string(points) + " points in one) set its three strides");
    const AxisSupport& s = support.axis[d];
    const std::int64_t below = axis.low == Boundary::halo ? -s.first : 0;
    const std::int64_t last = s.first + s.padded_points() - 1;
    const std::int64_t above = axis.high == Boundary::halo ? last - (points - 1) : 0;
    if (below > field.ghosts || above > field.ghosts)
      throw Error("a " + std::string(name(field.staggering)) + " field with " + std::to_string(field.ghosts) +
                  " ghost points (this kernel reaches " + std::to_string(std::max(below, above)) +
                  " beyond the halo side of axis " + "xyz"[d] + ")");
    memory.points[d] = points + std::max<std::int64_t>(below, 0) + std::max<std::int64_t>(above, 0);
    require_reachable(memory.points[d], field.stride[d]);
  }
  if (!std::is_const_v<FieldValue> && points_coincide(memory))
    throw Error("a " + std::string(name(field.staggering)) + " field with strides " + std::to_string(field.stride[0]) +
                ", " + std::to_string(field.stride[1]) + " and " + std::to_string(field.stride[2]) +
                " (points of it share a value, to which a spread would add the sums of both) set its three strides");
}

/// Throws Error where two terms of a map of so many particles write to the same values, or one to what another reads.
template <class Term> void check_targets(const Grid& grid, std::int64_t particles, std::span<const Term> terms) {
  constexpr bool spreads = std::is_const_v<std::remove_pointer_t<decltype(terms[0].column.data)>>;
  const auto column_of = [](const Term& term) {
    const auto& column = term.column;
    return detail::ColumnMemory{column.data, column.size, column.stride, sizeof *column.data};
  };
  const auto field_of = [&](const Term& term) {
    const auto& field = term.field;
    const auto points = [&](int d) { return grid.points(field.staggering, d); };
    return PointMemory{field.data, {points(0), points(1), points(2)}, field.stride, sizeof *field.data};
  };
  const auto target = [&](const Term& term) {
    if constexpr (spreads) return field_of(term);
    else return column_of(term);
  };
  for (std::size_t i = 0; i < terms.size() && particles > 0; ++i) {
    const auto mine = target(terms[i]);
    if constexpr (!spreads) require_own_values(mine);
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(target(terms[j]), mine))
        throw Error(spreads ? "a field that two terms add to (they may be added at once) spread them in two calls"
                            : "a column that two terms set (each overwrites the other's values) give each a column of "
                              "its own");
    for (const Term& other : terms)
      if (overlap(column_of(terms[i]), field_of(other)))
        throw Error("a column in the memory of a field (what is written would change what is read) give it its own");
  }
}

/// Throws Error unless the three columns of coordinates are of one length and have memory.
template <class T> void check_positions(const Positions<T>& positions) {
  const std::int64_t n = positions.size();
  for (const auto& column : positions.axis) {
    if (column.size != n || n < 0)
      throw Error("coordinates of " + std::to_string(column.size) + " and " + std::to_string(n) +
                  " particles (the three columns must be equally long)");
    require_reachable(n, column.stride);
    if (column.data == nullptr && n > 0) throw Error("coordinates without memory (a column's pointer is null)");
  }
}

/// Throws Error unless the column and the field of a term fit the order.
template <class T, class ColumnValue, class FieldValue, class Weights>
void check_term(const typename CellOrder<T>::Data& order, const Column<ColumnValue>& column,
                const FieldView<FieldValue>& field, const Weights& kernel) {
  check_term(order.grid, FieldSupport::of<T>(order, field.staggering, kernel), "the order holds", order.size, column,
             field);
}

} // namespace corral::shared

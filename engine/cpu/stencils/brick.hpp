#pragma once

#include "engine/cpu/machine/huge_pages.hpp"
#include "engine/cpu/stencils/laned_field.hpp"
#include "engine/cpu/stencils/particle_batch.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// Groups of a brick along each axis, at most.
using BrickSize = std::array<std::int64_t, 3>;

/// Slabs are no thinner than this, nor are bricks but at their sides.
inline constexpr std::int64_t least_brick_width = 8;

/// Long along x, so that there is little around it, and short enough for the copies of two fields to stay in the second
/// cache: however many fields a call has, as a field's sums are those of a call of its own. With few particles copies
/// are what costs, and wider bricks have less around them.
template <class T> BrickSize brick_size(const typename CellOrder<T>::Data& order, int widest_support) {
  constexpr std::int64_t shortest = 32, cache = 512 * 1024; // [bytes] half of what processors have
  constexpr std::int64_t few = 8;                           // cells per particle
  const bool sparse = order.counts.inside * few < order.group_count();
  BrickSize size{128, sparse ? 2 * least_brick_width : least_brick_width, least_brick_width};
  const auto bytes = [&] {
    std::int64_t points = 1;
    for (const std::int64_t groups : size) points *= groups + widest_support - 1;
    return 2 * points * std::int64_t{sizeof(T)};
  };
  while (bytes() > cache && size[0] > shortest) size[0] /= 2;
  return size;
}

/// What is left of a box without the planes and rows at its sides that hold no particles; of an empty one, nothing.
template <class T> GroupBox narrowed(const typename CellOrder<T>::Data& order, const GroupBox& box) {
  GroupBox b{{box.low[0], box.high[1], box.high[2]}, {box.high[0], box.low[1], box.low[2]}};
  for (std::int64_t k = box.low[2]; k < box.high[2]; ++k)
    for (std::int64_t j = box.low[1]; j < box.high[1]; ++j) {
      const std::int64_t* begin = row_begin<T>(order, j, k);
      if (begin[box.high[0]] == begin[box.low[0]]) continue;
      b.low[1] = std::min(b.low[1], j);
      b.high[1] = std::max(b.high[1], j + 1);
      b.low[2] = std::min(b.low[2], k);
      b.high[2] = k + 1;
    }
  return b;
}

/// Calls f(brick) for the bricks of a slab that hold particles, x fastest, without the empty rows at their sides.
template <class T, class F>
void for_each_brick(const typename CellOrder<T>::Data& order, const GroupBox& slab, const BrickSize& size, const F& f) {
  GroupBox b;
  const auto each = [&](std::size_t d, const auto& inner) {
    for (b.low[d] = slab.low[d]; b.low[d] < slab.high[d]; b.low[d] = b.high[d]) {
      b.high[d] = std::min(b.low[d] + size[d], slab.high[d]);
      inner();
    }
  };
  each(2, [&] {
    each(1, [&] {
      each(0, [&] {
        const GroupBox brick = narrowed<T>(order, b);
        if (brick.low[2] < brick.high[2]) f(brick);
      });
    });
  });
}

/// A copy of a field's points around a brick, in memory it is lent, boundaries as they come in padded indices.
template <class T> class BrickCopy {
public:
  template <class Point> BrickCopy(const LanedField<T, Point>& laned, const BrickSize& most) : lanes_(laned.lanes) {
    for (std::size_t d = 0; d < 3; ++d) {
      const shared::AxisSupport& s = laned.support.axis[d];
      width_[d] = s.width;
      most_points_[d] = std::min(most[d], s.groups) + s.width - 1;
    }
  }

  /// Values that it needs memory for, whatever brick it is moved to.
  std::int64_t room() const {
    return (row_pitch(most_points_[0]) * most_points_[1] + most_added) * most_points_[2];
  }
  void live_in(T* memory) { data_ = memory; }

  void move_to(const GroupBox& brick) {
    points_ = brick;
    for (std::size_t d = 0; d < 3; ++d) points_.high[d] += width_[d] - 1;
    pitch_y_ = row_pitch(points_.high[0] - points_.low[0]);
    pitch_z_ = plane_pitch(pitch_y_ * (points_.high[1] - points_.low[1]));
    origin_ = brick.low[0] * lanes_ + brick.low[1] * pitch_y_ + brick.low[2] * pitch_z_;
  }
  void clear() { std::fill_n(data_, pitch_z_ * (points_.high[2] - points_.low[2]), T(0)); }

  const GroupBox& points() const { return points_; } ///< padded indices
  T* data() { return data_; }
  /// The first value of row (j, k), padded indices.
  T* row(std::int64_t j, std::int64_t k) {
    return data() + at(points_.low[0], j, k);
  }
  /// data()[at(i, j, k)] is point (i, j, k), padded indices.
  std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i * lanes_ + j * pitch_y_ + k * pitch_z_ - origin_;
  }
  std::int64_t pitch_y() const { return pitch_y_; } ///< [values] between rows
  std::int64_t pitch_z() const { return pitch_z_; } ///< [values] between planes

private:
  static constexpr std::int64_t line = 64 / sizeof(T), page = 4096 / sizeof(T), apart = 4 * line;
  static constexpr std::int64_t most_added = 2 * apart; ///< to a plane by plane_pitch

  /// Whole lines, an odd number of them: rows then visit all sets of the cache.
  std::int64_t row_pitch(std::int64_t points) const { return ((points * lanes_ + line - 1) / line | 1) * line; }
  /// Nor do planes begin at about the same place in a page.
  static std::int64_t plane_pitch(std::int64_t values) {
    while (values % page < apart || values % page > page - apart) values += line;
    return values;
  }

  std::int64_t lanes_, pitch_y_ = 0, pitch_z_ = 0, origin_ = 0;
  std::array<std::int64_t, 3> width_, most_points_;
  GroupBox points_{};
  T* data_ = nullptr;
};

/// A copy for each field, one behind the other in `memory`.
template <class T, class LanedFields>
std::vector<BrickCopy<T>> brick_copies(const LanedFields& laned_fields, const BrickSize& most, Array<T>& memory) {
  std::vector<BrickCopy<T>> copies;
  std::int64_t room = 0;
  for (const auto& laned : laned_fields) {
    copies.emplace_back(laned, most);
    room += copies.back().room();
  }
  T* next = on_whole_huge_pages(memory, room);
  for (BrickCopy<T>& copy : copies) {
    copy.live_in(next);
    next += copy.room();
  }
  return copies;
}

} // namespace corral::cpu

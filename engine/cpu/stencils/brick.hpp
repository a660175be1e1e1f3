#pragma once

#include "engine/cpu/machine/huge_pages.hpp"
#include "engine/cpu/stencils/laned_field.hpp"
#include "engine/cpu/stencils/particle_batch.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
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
    points_ = points_of(brick);
    pitch_y_ = row_pitch(points_.high[0] - points_.low[0]);
    pitch_z_ = plane_pitch(pitch_y_ * (points_.high[1] - points_.low[1]));
    origin_ = brick.low[0] * lanes_ + brick.low[1] * pitch_y_ + brick.low[2] * pitch_z_;
  }
  void clear() { std::fill_n(data_, pitch_z_ * (points_.high[2] - points_.low[2]), T(0)); }
  /// The same for the rows of a box, whole ones.
  void clear(const GroupBox& rows) {
    for (std::int64_t k = rows.low[2]; k < rows.high[2]; ++k)
      std::fill_n(row(rows.low[1], k), pitch_y_ * (rows.high[1] - rows.low[1]), T(0));
  }

  const GroupBox& points() const { return points_; } ///< padded indices
  /// The points that the stencils of some of the brick's groups reach, padded indices.
  GroupBox points_of(GroupBox groups) const {
    for (std::size_t d = 0; d < 3; ++d) groups.high[d] += width_[d] - 1;
    return groups;
  }
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

/// Particles that one sum takes one after another before it is handed on. A sum of floats loses what grows with their
/// number, and stops at 2^24 equal ones; doubles have digits enough for all.
template <class T>
inline constexpr std::int64_t block_particles =
    sizeof(T) < sizeof(double) ? 4096 : std::numeric_limits<std::int64_t>::max();

/// Whether a point of the brick may get more particles than one sum should take, from the groups that reach it.
template <class T>
bool crowded(const typename CellOrder<T>::Data& order, const GroupBox& brick, std::int64_t widest_support) {
  if (order.size <= block_particles<T>) return false;
  const auto each_row = [&](const auto& f) {
    for (std::int64_t k = brick.low[2]; k < brick.high[2]; ++k)
      for (std::int64_t j = brick.low[1]; j < brick.high[1]; ++j) f(row_begin<T>(order, j, k));
  };
  std::int64_t held = 0, most = 0;
  each_row([&](const std::int64_t* begin) { held += begin[brick.high[0]] - begin[brick.low[0]]; });
  if (held <= block_particles<T>) return false;
  each_row([&](const std::int64_t* begin) {
    for (std::int64_t i = brick.low[0]; i < brick.high[0]; ++i) most = std::max(most, begin[i + 1] - begin[i]);
  });
  const std::int64_t across = widest_support + 1; // straddled
  return most > block_particles<T> / (across * across * across);
}

/// The particles of a brick whose sums are in its copies: those of rows that follow each other. All of the brick, unless
/// it is crowded.
template <class T> class SumBlock {
public:
  SumBlock(const GroupBox& brick, bool is_crowded) : brick_(brick), groups_(brick), crowded_(is_crowded) {}

  bool full() const { return crowded_ && particles_ >= block_particles<T>; }
  void begin_anew() { particles_ = 0; }
  void add(const ParticleBatch<T>& batch) {
    if (!crowded_) return;
    const std::int64_t last = batch.n - 1, j = batch.group[1][last], k = batch.group[2][last];
    if (particles_ == 0) {
      first_j_ = batch.group[1][0];
      groups_.low[2] = batch.group[2][0];
    }
    particles_ += batch.n;
    const bool one_plane = k == groups_.low[2];
    groups_.low[1] = one_plane ? first_j_ : brick_.low[1];
    groups_.high[1] = one_plane ? j + 1 : brick_.high[1];
    groups_.high[2] = k + 1;
  }
  const GroupBox& groups() const { return groups_; } ///< whole rows of the brick that hold the particles

private:
  GroupBox brick_, groups_;
  bool crowded_;
  std::int64_t first_j_ = 0, particles_ = 0;
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

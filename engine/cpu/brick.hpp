#pragma once

#include "engine/cpu/particle_batch.hpp"
#include "engine/cpu/strand.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// Groups of a brick along each axis.
using BrickSize = std::array<std::int64_t, 3>;

/// Bricks reach as far along y and z, whatever they are copied for.
inline constexpr std::int64_t brick_width = 8;

/// Long along x, so that there is little around it, and short enough for the copies of two fields to stay in the second
/// cache. However many fields a call has: a field's sums are those of a call of its own.
template <class T> BrickSize brick_size(int widest_support) {
  constexpr std::int64_t longest = 128, shortest = 32, cache = 512 * 1024; // [bytes] half of what processors have
  const std::int64_t around = widest_support - 1;
  const std::int64_t section = 2 * (brick_width + around) * (brick_width + around) * std::int64_t{sizeof(T)};
  std::int64_t length = longest;
  while (length > shortest && (length + around) * section > cache) length /= 2;
  return {length, brick_width, brick_width};
}

/// Calls f(brick) for the bricks of a slab that hold particles, x fastest.
template <class T, class F>
void for_each_brick(const typename CellOrder<T>::Data& order, const Box& slab, const BrickSize& size, const F& f) {
  Box b;
  const auto each = [&](std::size_t d, const auto& inner) {
    for (b.low[d] = slab.low[d]; b.low[d] < slab.high[d]; b.low[d] = b.high[d]) {
      b.high[d] = std::min(b.low[d] + size[d], slab.high[d]);
      inner();
    }
  };
  each(2, [&] {
    each(1, [&] {
      each(0, [&] {
        if (has_particles<T>(order, b)) f(b);
      });
    });
  });
}

/// A copy of a strand's points around a brick, in memory of its own, boundaries as they come in padded indices.
template <class T> class BrickCopy {
public:
  template <class Point> BrickCopy(const Strand<T, Point>& strand, const BrickSize& size) : lanes_(strand.lanes) {
    std::array<std::int64_t, 3> most;
    for (std::size_t d = 0; d < 3; ++d) {
      const shared::AxisSupport& s = strand.support.axis[d];
      width_[d] = s.width;
      most[d] = std::min(size[d], s.groups) + s.width - 1;
    }
    constexpr std::int64_t line = 64 / sizeof(T), page = 4096 / sizeof(T);
    pitch_y_ = ((most[0] * lanes_ + line - 1) / line | 1) * line; // odd: rows then visit all sets of the cache
    pitch_z_ = pitch_y_ * most[1];
    while (pitch_z_ % page < 4 * line || pitch_z_ % page > page - 4 * line) pitch_z_ += line;
    values_.resize(pitch_z_ * most[2]);
  }

  void move_to(const Box& brick) {
    points_ = brick;
    for (std::size_t d = 0; d < 3; ++d) points_.high[d] += width_[d] - 1;
    origin_ = brick.low[0] * lanes_ + brick.low[1] * pitch_y_ + brick.low[2] * pitch_z_;
  }
  void clear() { std::fill_n(data(), pitch_z_ * (points_.high[2] - points_.low[2]), T(0)); }

  const Box& points() const { return points_; } ///< padded indices
  T* data() { return values_.data(); }
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
  std::int64_t lanes_, pitch_y_, pitch_z_, origin_ = 0;
  std::array<std::int64_t, 3> width_;
  Box points_{};
  Array<T> values_;
};

template <class T, class Strands>
std::vector<BrickCopy<T>> brick_copies(const Strands& strands, const BrickSize& size) {
  std::vector<BrickCopy<T>> copies;
  for (const auto& strand : strands) copies.emplace_back(strand, size);
  return copies;
}

} // namespace corral::cpu

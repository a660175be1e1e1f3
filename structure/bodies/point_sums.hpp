#pragma once

#include <corral/array.hpp>
#include <corral/memory.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

namespace corral::structure {

/// Sums over the points of each body on a device: each body's points are cut into parts, a block adds up each, and parts are
/// added in order. So what a body's sum is depends on its own points alone. `sum_points` of point_sums.cuh adds up.
class PointSums {
public:
  static constexpr std::int64_t most_of_part = 1024; ///< points

  /// `first`: of each body's points, and of all at the end.
  void set_bodies(std::span<const std::int64_t> first) {
    std::vector<std::int64_t> points, parts;
    for (std::size_t b = 0; b + 1 < first.size(); ++b) {
      parts.push_back(std::ssize(points));
      for (std::int64_t p = first[b]; p == first[b] || p < first[b + 1]; p += most_of_part) points.push_back(p);
    }
    parts.push_back(std::ssize(points));
    points.push_back(first.back());
    first_point_.assign(points);
    first_part_.assign(parts);
  }

  std::int64_t bodies() const { return std::max<std::int64_t>(first_part_.size() - 1, 0); }
  std::int64_t parts() const { return std::max<std::int64_t>(first_point_.size() - 1, 0); }
  const std::int64_t* first_point() const { return first_point_.data(); } ///< of each part, and of all at the end
  const std::int64_t* first_part() const { return first_part_.data(); }   ///< of each body, and of all at the end
  /// Scratch for as many sums of so many bytes.
  void* scratch(std::size_t bytes) {
    scratch_.resize(std::max<std::int64_t>(scratch_.size(), static_cast<std::int64_t>((bytes + sizeof(double) - 1) / sizeof(double))));
    return scratch_.data();
  }

private:
  Array<std::int64_t> first_point_{Memory::device}, first_part_{Memory::device};
  Array<double> scratch_{Memory::device};
};

/// Tells when values that a device was asked for are on the host: `fetch_later` of point_sums.cuh asks.
struct Arrival {
  std::shared_ptr<void> event; ///< null: nothing was asked for
};

} // namespace corral::structure

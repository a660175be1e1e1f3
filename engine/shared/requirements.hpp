#pragma once

#include <corral/cell_order.hpp>
#include <corral/grid.hpp>
#include <corral/method.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace corral::shared {

/// Throws Error for a number that stands for no method.
void require_known(Method);
/// Throws Error for numbers that are no enumerators.
void require_known(Staggering);
void require_known(Sign);

/// Throws Error unless numbers of type T tell apart coordinates a quarter of a cell from each other, anywhere on the
/// grid, and hold one over a cell's size.
template <class T> void require_resolved(const Grid&);

/// Throws Error in a build without CUDA, or where no device is found.
void require_device();

// Whether what a call writes to lies in memory of its own.

/// Throws Error where so many values [or points] that far apart would reach beyond any memory, and their addresses
/// overflow.
void require_reachable(std::int64_t count, std::int64_t stride);

/// Throws Error where all values of a column with several lie in one place.
void require_own_values(const detail::ColumnMemory&);

/// Whether two columns share values. Columns of different strides that run through each other are taken to.
bool overlap(const detail::ColumnMemory&, const detail::ColumnMemory&);

/// Throws Error unless these columns of an order of `size` particles can be reordered together: of its size, each with
/// memory of its own.
void check_reordered(std::span<const detail::ColumnMemory> columns, std::int64_t size);

/// The points of a field as they lie in memory.
struct PointMemory {
  const void* data;                    ///< the point (0, 0, 0)
  std::array<std::int64_t, 3> points;  ///< along each axis, 1 or more
  std::array<std::int64_t, 3> stride;  ///< [values]
  std::int64_t bytes;                  ///< of a value
};

/// Whether two points of the field share a value.
bool points_coincide(const PointMemory&);

/// Whether two fields share a value. Of fields with different strides only (0, 0, 0) is compared.
bool overlap(const PointMemory&, const PointMemory&);

/// Whether a column and a field share values. Those that run through each other are taken to, unless their strides keep
/// them apart.
bool overlap(const detail::ColumnMemory&, const PointMemory&);

} // namespace corral::shared

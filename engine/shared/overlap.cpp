#include "engine/shared/requirements.hpp"

#include "engine/shared/field_support.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace corral::shared {
namespace {

std::int64_t address(const void* data) { return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(data)); }

std::int64_t floor_ratio(std::int64_t a, std::int64_t b) { // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

/// A column in bytes, from its lowest address upwards.
struct Bytes {
  std::int64_t low, stride, value, end;

  explicit Bytes(const detail::ColumnMemory& c)
      : low(address(c.data)), stride(c.size > 1 ? std::abs(c.stride) * c.bytes : 0), value(c.bytes) {
    if (c.stride < 0) low -= (c.size - 1) * stride;
    end = low + (c.size - 1) * stride + value;
  }
};

/// A whole number n of [low, high] times `stride`.
struct Multiples {
  std::int64_t stride; ///< above 0
  std::int64_t low, high;

  std::int64_t furthest() const { return stride * std::max(std::abs(low), std::abs(high)); }
};

/// Whether numbers of the axes, one each, add up to `sum`, other than 0 for all where `nonzero`. The largest strides
/// come first: few of their multiples come near enough for the rest to reach.
bool reaches(std::span<const Multiples> axes, std::int64_t sum, bool nonzero) {
  if (axes.empty()) return sum == 0 && !nonzero;
  const Multiples& axis = axes.front();
  std::int64_t rest = 0;
  for (const Multiples& other : axes.subspan(1)) rest += other.furthest();
  const std::int64_t first = std::max(axis.low, -floor_ratio(rest - sum, axis.stride));
  const std::int64_t last = std::min(axis.high, floor_ratio(sum + rest, axis.stride));
  for (std::int64_t n = first; n <= last; ++n)
    if (reaches(axes.subspan(1), sum - n * axis.stride, nonzero && n == 0)) return true;
  return false;
}

/// The differences of indices of two boxes of points with the same strides.
struct Differences {
  std::array<Multiples, 3> axis;

  Differences(const std::array<std::int64_t, 3>& a, const std::array<std::int64_t, 3>& b,
              const std::array<std::int64_t, 3>& stride) {
    for (std::size_t d = 0; d < 3; ++d) {
      const bool thin = a[d] == 1 && b[d] == 1, up = stride[d] >= 0;
      axis[d] = thin ? Multiples{1, 0, 0}
                     : Multiples{std::abs(stride[d]), up ? 1 - a[d] : 1 - b[d], up ? b[d] - 1 : a[d] - 1};
    }
    if (axis[0].stride < axis[1].stride) std::swap(axis[0], axis[1]);
    if (axis[1].stride < axis[2].stride) std::swap(axis[1], axis[2]);
    if (axis[0].stride < axis[1].stride) std::swap(axis[0], axis[1]);
  }
  bool stands_still() const { return axis[2].stride == 0; } ///< several points along an axis of stride 0
};

} // namespace

void require_reachable(std::int64_t count, std::int64_t stride) {
  constexpr double most = 0x1p56; // three axes of as many values of 8 bytes still fit 64 bits
  if (std::abs(static_cast<double>(count) * static_cast<double>(stride)) > most)
    throw Error("a stride of " + std::to_string(stride) + " (no memory is as long as " + std::to_string(count) +
                " values that far apart) count strides in values");
}

void require_own_values(const detail::ColumnMemory& column) {
  if (column.stride == 0 && column.size > 1)
    throw Error("a column with stride 0 that is written to (its " + std::to_string(column.size) +
                " values lie in one place) set its stride");
}

bool overlap(const detail::ColumnMemory& one, const detail::ColumnMemory& other) {
  if (one.size <= 0 || other.size <= 0) return false;
  const Bytes a(one), b(other);
  if (a.end <= b.low || b.end <= a.low) return false;
  const std::int64_t common = std::gcd(a.stride, b.stride);
  if (common == 0) return true;
  const std::int64_t between = b.low - a.low - common * floor_ratio(b.low - a.low, common);
  return between < a.value || common - between < b.value;
}

void check_reordered(std::span<const detail::ColumnMemory> columns, std::int64_t size) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const detail::ColumnMemory& column = columns[i];
    if (column.size != size)
      throw Error("a column of " + std::to_string(column.size) + " values cannot be reordered (the order holds " +
                  std::to_string(size) + " particles) hand over columns as long as the positions");
    if (column.bytes != 4 && column.bytes != 8)
      throw Error("a column of values of " + std::to_string(column.bytes) +
                  " bytes (a reorder moves those of 4 and 8)");
    if (size > 0) require_memory(column.data);
    require_reachable(size, column.stride);
    require_own_values(column);
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(columns[j], column))
        throw Error(columns[j].data == column.data
                        ? "a column is handed over twice (its values would be reordered twice) name each column once"
                        : "two columns share values (which would be reordered twice) name each value once");
  }
}

bool points_coincide(const PointMemory& field) {
  const Differences own(field.points, field.points, field.stride);
  return own.stands_still() || reaches(own.axis, 0, true);
}

bool overlap(const PointMemory& a, const PointMemory& b) {
  if (a.data == b.data) return true;
  for (std::size_t d = 0; d < 3; ++d)
    if (a.stride[d] != b.stride[d] && (a.points[d] > 1 || b.points[d] > 1)) return false;
  const std::int64_t bytes = address(a.data) - address(b.data);
  const Differences differences(a.points, b.points, a.stride);
  return bytes % a.bytes == 0 && !differences.stands_still() && reaches(differences.axis, bytes / a.bytes, false);
}

bool overlap(const detail::ColumnMemory& column, const PointMemory& field) {
  if (column.size <= 0) return false;
  const Bytes a(column);
  std::int64_t low = address(field.data), high = low + field.bytes, common = a.stride;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t length = (field.points[d] - 1) * field.stride[d] * field.bytes;
    (length < 0 ? low : high) += length;
    if (length != 0) common = std::gcd(common, field.stride[d] * field.bytes);
  }
  if (a.end <= low || high <= a.low) return false;
  if (common == 0) return true;
  const std::int64_t between = address(field.data) - a.low - common * floor_ratio(address(field.data) - a.low, common);
  return between < a.value || common - between < field.bytes;
}

} // namespace corral::shared

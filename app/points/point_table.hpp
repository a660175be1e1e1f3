#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// Points with named numbers, all finite, as a file has them.
struct PointTable {
  std::filesystem::path file;
  std::int64_t points = 0;                          ///< 1 or more
  std::map<std::string, std::vector<double>> columns{}; ///< `points` values each

  bool has(std::string_view name) const { return columns.contains(std::string(name)); }
};

/// Reads a .vtp file as corral writes it, any other as comma-separated values. Throws UsageError where there is no such file,
/// and run::CaseError, a line "file:line: problem (why) suggestion" for each thing that is wrong:
/// - comma-separated values stand below a line of names, each of which is one of `known`, in any order: names that are unknown
///   or written twice, rows of another length, what is no finite number, no rows
/// - of a .vtp file the points are x, y and z, an array `force` is fx, fy and fz, `torque` tx, ty and tz, `q` and `n` likewise,
///   and one with a name that is `known` is that; others are passed over
PointTable read_points(const std::filesystem::path& file, std::span<const std::string_view> known);

} // namespace corral::app

#include "structure/placing/group_case.hpp"

#include "run/case/problems.hpp"
#include "run/case/units.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace corral::structure {

namespace {

using run::brief;

constexpr std::streamsize most_bytes = 16 << 20;

/// What a file of lines of numbers is called, and what they are.
struct Kind {
  std::string name, lines;
};
const Kind path_kind{"path", "lines of `time, x, y, z`"};
const Kind table_kind{"table of places", "lines of `x, y, z`, or with the axis behind, `x, y, z, ax, ay, az`"};

/// Throws Error where the file cannot be read, holds too much or is no text.
std::string text_of(const std::filesystem::path& file, const Kind& kind) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw Error("no " + kind.name + (std::filesystem::is_directory(file, ignored) ? " (it is a directory)"
                                                                                   : " (there is no such file)"));
  std::ifstream stream(file, std::ios::binary);
  std::string text(most_bytes + 1, '\0');
  if (stream) stream.read(text.data(), most_bytes + 1);
  if (!stream.eof() && !stream.good()) throw Error("the " + kind.name + " cannot be read");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (static_cast<std::streamsize>(text.size()) > most_bytes)
    throw Error("a " + kind.name + " of more than 16 MiB (it holds " + kind.lines + ") leave out what is not needed");
  if (const std::string_view encoding = run::wide_encoding(text); !encoding.empty())
    throw Error("the file is " + std::string(encoding) + " (a " + kind.name + " is plain text) save it as UTF-8");
  if (run::first_not_utf8(text) < text.size())
    throw Error("byte " + std::to_string(run::first_not_utf8(text)) + " is no text (a " + kind.name + " is " + kind.lines + ")");
  return std::string(run::without_byte_order_mark(text));
}

/// Calls read(numbers, line) for each line of numbers; comments begin with #. Errors that it throws stand at their lines.
/// False where there are any, after the first of them.
template <class Read>
bool read_lines(const std::filesystem::path& file, const Kind& kind, run::Problems& problems, const Read& read) {
  run::Location where{file.string(), 1};
  try {
    const std::string text = text_of(where.file, kind);
    where.line = 0;
    bool any = false;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
      ++where.line;
      end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      const std::string_view content = run::trimmed(line.substr(0, line.find('#')));
      if (content.empty()) continue;
      read(run::parse_quantities(content, ""), where.line);
      any = true;
    }
    where.line = 1;
    if (!any) throw Error("holds no " + kind.lines);
    return true;
  } catch (const Error& e) {
    problems.add(where, e.what());
    return false;
  }
}

std::string numbers(std::size_t count) { return std::to_string(count) + (count == 1 ? " number" : " numbers"); }

/// Throws Error for a line that is no point, or does not come after the points so far.
ImmersedGroup::PathPoint path_point(const std::vector<double>& read, const std::vector<ImmersedGroup::PathPoint>& before) {
  if (read.size() != 4) throw Error(numbers(read.size()) + " (a line is `time, x, y, z`, in s and m)");
  if (read[0] < 0 || (!before.empty() && read[0] <= before.back().time))
    throw Error("the time " + brief(read[0]) + " s does not come after " +
                (before.empty() ? "the start" : "the last one, " + brief(before.back().time) + " s") +
                " (times ascend from 0)");
  return {read[0], {read[1], read[2], read[3]}};
}

/// Throws Error for a line that says no place in the box, or has not as many numbers as the first one.
ImmersedGroup::GivenPlace given_place(const std::vector<double>& read, int line, double unit, std::size_t first,
                                      const run::FlowBox& box) {
  if (read.size() != 3 && read.size() != 6 && read.size() != 7)
    throw Error(numbers(read.size()) + " (a line is `x, y, z`, `x, y, z, ax, ay, az` or `x, y, z, ax, ay, az, angle`)");
  if (read.size() != first)
    throw Error(numbers(read.size()) + " (the first line has " + std::to_string(first) + ") say the same of all");
  ImmersedGroup::GivenPlace given{line, {}};
  for (std::size_t d = 0; d < 3; ++d) {
    const double x = given.position[d] = unit * read[d], low = box.origin[d], high = low + box.size[d];
    if (!(x >= low && x <= high))
      throw Error(std::string("lies outside the box along ") + "xyz"[d] + " (" + brief(x) + " m; the box reaches from " + brief(low) +
                  " to " + brief(high) + " m) set unit where coordinates are not in m");
  }
  if (read.size() == 3) return given;
  const double length = std::hypot(read[3], read[4], read[5]);
  if (!(length > 0) || !std::isfinite(length)) throw Error("the axis is 0, 0, 0 (it has no direction) give another");
  for (std::size_t d = 0; d < 3; ++d) given.axis[d] = read[3 + d] / length;
  if (read.size() == 7) given.angle = read[6];
  return given;
}

} // namespace

std::vector<ImmersedGroup::PathPoint> GroupReader::path(const std::string& block) {
  std::vector<ImmersedGroup::PathPoint> path;
  const bool right = read_lines(s_.file(block, "path"), path_kind, problems_, [&](const std::vector<double>& read, int) {
    path.push_back(path_point(read, path));
  });
  if (right) return path;
  complained_ = true;
  return {};
}

void GroupReader::table(const std::string& block, ImmersedGroup& group) {
  if (!s_.given(block, "table"))
    return complain(block, "arrangement", "[" + block + "] does not say where (arrangement = table needs `table = FILE`)");
  group.table_file = s_.file(block, "table").string();
  const double unit = s_.real(block, "unit");
  std::size_t first = 0;
  const bool right = read_lines(group.table_file, table_kind, problems_, [&](const std::vector<double>& read, int line) {
    if (first == 0) first = read.size();
    group.table.push_back(given_place(read, line, unit, first, box_));
  });
  if (!right) {
    complained_ = true;
    return;
  }
  group.count = static_cast<std::int64_t>(group.table.size());
  const bool idle = s_.changed(block, "axis") || s_.changed(block, "orientation");
  if (first > 3 && idle)
    warnings_.push_back("orientation and axis of [" + block + "] have no effect: each line of its table has an axis");
}

} // namespace corral::structure

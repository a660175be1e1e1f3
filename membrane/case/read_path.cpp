#include "membrane/case/case_reader.hpp"

#include "run/case/problems.hpp"
#include "run/case/units.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace corral::membrane {

namespace {

using run::brief;

constexpr std::streamsize most_bytes = 16 << 20;

/// Throws Error where the file cannot be read, holds too much or is no text.
std::string text_of(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw Error(std::filesystem::is_directory(file, ignored) ? "no path (it is a directory)"
                                                             : "no path (there is no such file)");
  std::ifstream stream(file, std::ios::binary);
  std::string text(most_bytes + 1, '\0');
  if (stream) stream.read(text.data(), most_bytes + 1);
  if (!stream.eof() && !stream.good()) throw Error("the path cannot be read");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (static_cast<std::streamsize>(text.size()) > most_bytes)
    throw Error("a path of more than 16 MiB (between its points it goes straight)");
  if (const std::string_view encoding = run::wide_encoding(text); !encoding.empty())
    throw Error("the file is " + std::string(encoding) + " (a path is plain text) save it as UTF-8");
  if (run::first_not_utf8(text) < text.size())
    throw Error("byte " + std::to_string(run::first_not_utf8(text)) + " is no text (a path is lines of `time, x, y, z`)");
  return std::string(run::without_byte_order_mark(text));
}

/// Throws Error for a line that is no point, or does not come after the points so far.
structure::ImmersedGroup::PathPoint read_point(std::string_view line, const std::vector<structure::ImmersedGroup::PathPoint>& before) {
  const std::vector<double> read = run::parse_quantities(line, "");
  if (read.size() != 4)
    throw Error(std::to_string(read.size()) + (read.size() == 1 ? " number" : " numbers") +
                " (a line is `time, x, y, z`, in s and m)");
  if (read[0] < 0 || (!before.empty() && read[0] <= before.back().time))
    throw Error("the time " + brief(read[0]) + " s does not come after " +
                (before.empty() ? "the start" : "the last one, " + brief(before.back().time) + " s") +
                " (times ascend from 0)");
  return {read[0], {read[1], read[2], read[3]}};
}

} // namespace

void SetupReader::path(const std::string& block, structure::ImmersedGroup& group) {
  run::Location where{s_.file(block, "path").string(), 1};
  try {
    const std::string text = text_of(where.file);
    where.line = 0;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
      ++where.line;
      end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      const std::string_view content = run::trimmed(line.substr(0, line.find('#')));
      if (!content.empty()) group.path.push_back(read_point(content, group.path));
    }
    where.line = 1;
    if (group.path.empty()) throw Error("holds no lines of `time, x, y, z` (where the anchors go, in s and m)");
  } catch (const Error& e) {
    problems_.add(where, e.what());
    complained_ = true;
    return;
  }
  if (!(setup_.surfaces[group.surface].material.tether_stiffness > 0))
    complain(block, "path", "[" + block + "] has a path, but its surface no tethers (paths move their anchors) give the "
                            "surface a tether_stiffness");
}

} // namespace corral::membrane

#pragma once

#include "run/case/problems.hpp"
#include "run/case/settings.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace corral::app {

inline constexpr std::size_t largest_case_file = std::size_t{1} << 20; ///< [bytes]
inline constexpr std::size_t longest_case_line = 4096;                 ///< [bytes]

/// Reads the text of a case file: `[section]`, `key = value`, comments from a # at the start or after a blank to the
/// end of the line, values with such a # in double quotes. UTF-8, line ends LF or CRLF. Adds to `problems` every line
/// that cannot be read, keys outside a section, and what stands twice.
run::WrittenCase read_ini(std::string_view text, const std::string& file, const std::filesystem::path& directory,
                          run::Problems& problems);

/// Replaces or adds the values of `--set section.key=value`; `section.key=` leaves the key as if it were not in the
/// file. An empty text is `section.key=""`.
void apply_overrides(run::WrittenCase& written, const std::vector<std::string>& overrides, run::Problems& problems);

} // namespace corral::app

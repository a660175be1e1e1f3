#pragma once

#include "app/command/commands.hpp"
#include "app/system/process.hpp"
#include "run/case/keys.hpp"
#include "run/case/values.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <corral/error.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace corral::app {

namespace po = boost::program_options;

/// What stands behind a word of the command, as `parse` reads it.
struct Arguments {
  po::variables_map options;
  std::vector<std::string> positional;

  bool has(const std::string& name) const { return options.count(name) != 0; }
  std::string text(const std::string& name) const { return has(name) ? options[name].as<std::string>() : ""; }
  std::vector<std::string> texts(const std::string& name) const {
    return has(name) ? options[name].as<std::vector<std::string>>() : std::vector<std::string>{};
  }
};

/// Throws UsageError with the nearest name for an option that is not `known`.
Arguments parse(const std::string& command, const std::vector<std::string>& words, const po::options_description& known);

/// `usage`, and below it the options.
Message help_of(const std::string& usage, const po::options_description& known);

/// The name of a file or directory that `what` gives. Throws UsageError where it holds a control character: messages and files
/// of lines name it.
std::filesystem::path nameable(const std::string& what, const std::string& name);

/// What `text`, behind an option, says by the rules and messages of case files: no abbreviations of numbers, no nan, ranges
/// said. Throws UsageError.
template <class T> T read_value(const std::string& option, std::string_view text, const run::Key& key) {
  try {
    return std::get<T>(run::parse_value(key, run::trimmed(text), {}));
  } catch (const Error& e) {
    throw UsageError("--" + option + ": " + e.what());
  }
}
/// The same; nothing where the option is not given.
template <class T> std::optional<T> value_of(const Arguments& found, const std::string& option, const run::Key& key) {
  if (!found.has(option)) return std::nullopt;
  return read_value<T>(option, found.text(option), key);
}

/// CPU threads that --threads asks for, 0: all.
int threads_of(const Arguments& found);
inline constexpr const char* threads_meaning = "CPU threads; 0, the default: all that the process has the time of";

/// `corral stokes`, which has options of its own kind.
Request read_stokes(const std::vector<std::string>& words);

} // namespace corral::app

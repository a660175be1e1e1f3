#pragma once

#include "bench/map_options.hpp"

#include <corral/error.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace corral::app {

/// The command line cannot be obeyed, or the output directory cannot be used as asked: nothing was written, exit 2.
class UsageError : public Error {
public:
  using Error::Error;
};

/// What `corral run` was asked for.
struct RunOptions {
  std::filesystem::path case_directory; ///< holds case.ini
  std::vector<std::string> overrides;   ///< "section.key=value" of each --set, in order
  int threads = 0;                      ///< 0: all that the machine offers
  std::optional<double> until;          ///< ends the run at this time [s], before the case's own end
  std::optional<std::int64_t> steps;    ///< ends the run after so many steps
  std::filesystem::path output;         ///< results; case_directory/out unless said
  bool overwrite = false;               ///< replace results that are there
  bool quiet = false;                   ///< no progress, no closing table
};

/// What `corral resume` was asked for: `output` holds what a run wrote, and `steps` counts from its start.
struct ResumeOptions : RunOptions {};

/// What `corral info` was asked for.
struct InfoOptions {
  std::filesystem::path path; ///< of a checkpoint, of results, or of a case
};

/// What `corral check` was asked for.
struct CheckOptions {
  std::filesystem::path case_directory;
  std::vector<std::string> overrides;
};

/// What `corral describe` was asked for.
struct DescribeOptions {
  std::string key; ///< "section" or "section.key"; empty: all
  bool json = false;
};

/// Text that was asked for: --help or --version.
struct Message {
  std::string text;
};

using Request =
    std::variant<RunOptions, ResumeOptions, CheckOptions, DescribeOptions, InfoOptions, bench::MapOptions, Message>;

/// Reads the arguments of the command, without its name. Names are never guessed from their beginning. Throws
/// UsageError.
Request read_command_line(const std::vector<std::string>& arguments);

} // namespace corral::app

#pragma once

#include "app/system/process.hpp"
#include "bench/maps.hpp"
#include "run/driver.hpp"
#include "stokes/accuracy/parameters.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace corral::app {

/// What runs the steps of a driver: threads of the host, or a CUDA device.
enum class Backend : std::uint8_t { cpu, gpu };

/// What --backend and --device say.
struct BackendOptions {
  Backend backend = Backend::cpu;
  std::optional<int> device{}; ///< its number from 0; nothing: CUDA's first
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
  bool allow_scripts = false;           ///< those that case.ini names outside its directory, too
  bool strict = false;                  ///< warnings of the case refuse it, those of the run end it
  BackendOptions backend{};
};

/// What `corral resume` was asked for: `output` holds what a run wrote, and `steps` counts from its start.
struct ResumeOptions : RunOptions {};

/// What `corral info` was asked for.
struct InfoOptions {
  std::filesystem::path path; ///< of a checkpoint, of results, or of a case
  bool all = false;           ///< what is the run's alone, too
};

/// What `corral check` was asked for.
struct CheckOptions {
  std::filesystem::path case_directory;
  std::vector<std::string> overrides;
  bool allow_scripts = false;
  bool strict = false; ///< warnings of the case refuse it
  BackendOptions backend{};
  std::optional<int> ranks{}; ///< that would share the case
};

/// What `corral describe` was asked for.
struct DescribeOptions {
  std::string key; ///< "section" or "section.key"; empty: all
  bool json = false;
};

/// What `corral stokes` was asked for.
struct StokesOptions {
  std::filesystem::path points;  ///< sources with their strengths
  std::filesystem::path targets; ///< empty: the sources
  std::optional<stokes::Sum> sum; ///< nothing: the one whose strengths the sources have
  stokes::Box box{};
  double tolerance = 1e-6;
  bool pressure = false, gradient = false;
  stokes::Parameters fixed{};      ///< 0: to be chosen
  std::optional<double> radius;    ///< of spheres that forces act on [m]; nothing: on points
  std::optional<double> viscosity; ///< [Pa s]; nothing: sums as they are
  int threads = 0;                 ///< 0: all that the machine offers
  std::filesystem::path output;    ///< .csv or .vtp; empty: standard output
  bool overwrite = false;
  bool report = false; ///< parameters, errors and times to standard error
};

/// Text that was asked for: --help or --version.
struct Message {
  std::string text;
};

using Request = std::variant<RunOptions, ResumeOptions, CheckOptions, DescribeOptions, InfoOptions, bench::MapOptions,
                             StokesOptions, Message>;

/// Reads the arguments of the command, without its name. Names are never guessed from their beginning. Throws
/// UsageError.
Request read_command_line(const std::vector<std::string>& arguments);

/// The whole command: `arguments` without its name, answers to `out`, what went wrong to `err`. Returns the exit
/// status: 0 done, 1 the run failed, 2 bad input or usage before anything was written, 3 interrupted. Of a team rank 0 alone
/// answers; `run` and `resume` are done by all.
int execute(const std::vector<std::string>& arguments, const std::vector<run::DriverKind>& drivers, std::ostream& out,
            std::ostream& err, const distributed::Team* team = nullptr);

/// `corral run`: reads the case, makes its driver, and runs it into the output directory. Returns the exit status, 0
/// done or 3 interrupted. Throws CaseError or UsageError before anything is written, Error where the run fails.
int run(const RunOptions& options, const std::vector<run::DriverKind>& drivers, const distributed::Team* team = nullptr);

/// `corral resume`: the same from the newest checkpoint that is whole among the results. Throws CaseError where the case
/// is not that of the checkpoint, but for keys that may change; UsageError where there is none.
int resume(const ResumeOptions& options, const std::vector<run::DriverKind>& drivers, const distributed::Team* team = nullptr);

// What the other ranks of a team do then. They write and say nothing.
int help_to_run(const RunOptions& options, const std::vector<run::DriverKind>& drivers, const distributed::Team& team);
int help_to_resume(const ResumeOptions& options, const std::vector<run::DriverKind>& drivers, const distributed::Team& team);

/// The keys of case.ini as a table, one section or one key of it in full, or JSON: {"keys": [{"driver": null for the
/// command's own, "section", "key", "type", "unit", "minimum", "minimum_excluded", "maximum", "maximum_excluded",
/// "default", "required", "choices", "meaning"}]}. Throws UsageError with the nearest name for an unknown one.
std::string describe(const DescribeOptions& options, const std::vector<run::DriverKind>& drivers);

/// `corral info`: the moment of a checkpoint or of an output file, that it is whole, and a line for each array
/// in it: extents, unit, meaning. What is the run's alone is counted, and listed where all is asked for. Throws
/// UsageError where there is neither, Error where it is damaged.
std::string info(const InfoOptions& options);

/// `corral stokes`: sums over the points at the targets, to `out` as CSV or to a file; what was done to `err` where it is asked
/// for. Throws CaseError for what is wrong with the tables, UsageError for all else that is refused, before anything is
/// written; Error where the file cannot be written.
void sum_points(const StokesOptions& options, std::ostream& out, std::ostream& err);

} // namespace corral::app

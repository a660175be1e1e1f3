#include "app/command/commands.hpp"

#include "app/case/case_file.hpp"
#include "app/checkpoint/checkpointer.hpp"
#include "app/command/backend.hpp"
#include "app/output/summary.hpp"
#include "app/system/process.hpp"
#include "bench/maps.hpp"
#include "run/case/problems.hpp"

#include <corral/error.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace corral::app {

namespace {

std::vector<std::string> described(const Case& c, bool on_device) {
  Waiting waiting(stderr, Progress::style_for(stderr));
  return describe_case(c, on_device, [&](const std::string& how_far) { waiting.show(how_far); });
}

struct Execution {
  int operator()(const RunOptions& options) const { return run(options, drivers, team); }

  int operator()(const ResumeOptions& options) const { return resume(options, drivers, team); }

  int operator()(const InfoOptions& options) const {
    out << info(options);
    return 0;
  }

  int operator()(const CheckOptions& options) const {
    Case c = read_case(options.case_directory, options.overrides, drivers);
    c.settings.open_runs_by(earlier_run);
    const std::vector<std::string> scripts = scripts_run_by(c, options.allow_scripts);
    take_device(options.backend, c);
    const std::vector<std::string> description =
        options.ranks ? describe_shared_case(c, *options.ranks) : described(c, options.backend.backend == Backend::gpu);
    for (const std::vector<std::string>& lines : {description, scripts})
      for (const std::string& line : lines) out << line << "\n";
    if (options.strict) refuse_warnings(description);
    out << "the case is valid\n";
    return 0;
  }

  int operator()(const DescribeOptions& options) const {
    out << describe(options, drivers);
    return 0;
  }

  int operator()(const bench::MapOptions& options) const {
    // The file is a result, too: a reader of the table that leaves must not cost it.
    if (!options.json_file.empty()) std::signal(SIGPIPE, SIG_IGN);
    bench::run_maps(options, out);
    return 0;
  }

  int operator()(const StokesOptions& options) const {
    sum_points(options, out, err);
    return 0;
  }

  int operator()(const Message& message) const {
    out << message.text;
    return 0;
  }

  const std::vector<run::DriverKind>& drivers;
  std::ostream& out;
  std::ostream& err;
  const distributed::Team* team;
};

/// Of the ranks but the first.
struct Help {
  int operator()(const RunOptions& options) const { return help_to_run(options, drivers, team); }
  int operator()(const ResumeOptions& options) const { return help_to_resume(options, drivers, team); }
  template <class Other> int operator()(const Other&) const { return 0; }

  const std::vector<run::DriverKind>& drivers;
  const distributed::Team& team;
};

/// What is wrong with the words rank 0 says.
int help(const std::vector<std::string>& arguments, const std::vector<run::DriverKind>& drivers, const distributed::Team& team) {
  std::optional<Request> request;
  try {
    request = read_command_line(arguments);
  } catch (const UsageError&) {
    return 0;
  }
  return std::visit(Help{drivers, team}, *request);
}

constexpr int failed = 1, refused = 2;

int executed(const std::vector<std::string>& arguments, const std::vector<run::DriverKind>& drivers, std::ostream& out,
             std::ostream& err, const distributed::Team* team) {
  try {
    if (team && team->rank() != 0) return help(arguments, drivers, *team);
    const int status = std::visit(Execution{drivers, out, err, team}, read_command_line(arguments));
    if (!out.flush()) throw Error(undelivered(""));
    return status;
  } catch (const run::CaseError& e) {
    err << e.what() << "\n"; // each line begins with its file, as compilers have it
    return refused;
  } catch (const UsageError& e) {
    err << "corral: " << e.what() << "\n";
    return refused;
  } catch (const std::exception& e) {
    err << "corral: " + reason_text(e) + "\n";
    return failed;
  }
}

} // namespace

int execute(const std::vector<std::string>& arguments, const std::vector<run::DriverKind>& drivers, std::ostream& out,
            std::ostream& err, const distributed::Team* team) {
  try {
    return executed(arguments, drivers, out, err, team);
  } catch (const std::bad_alloc&) { // not even what was to be said found room
    err << no_memory_at_all;
    return failed;
  }
}

} // namespace corral::app

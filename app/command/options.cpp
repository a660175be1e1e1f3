#include "app/command/arguments.hpp"

#include "run/case/problems.hpp"

#include <string_view>

namespace corral::app {

namespace {

using run::cited;

constexpr std::string_view version_text = "corral " CORRAL_VERSION "\n";

constexpr std::string_view help_text =
    R"(corral maps between particles and grids; this command runs simulations from case directories.

  corral run CASE [options]        run the case in directory CASE (it holds case.ini)
  corral resume CASE [options]     go on from the newest checkpoint, bit for bit the same run
  corral check CASE [options]      read and validate a case, report its size; run nothing
  corral describe [KEY] [--json]   every key of case.ini: type, unit, range, default, meaning
  corral info PATH [--all]         what is in a checkpoint, in the newest of a case or of results, or in an output file
  corral bench [options]           the maps on synthetic particles, a line per measurement
  corral stokes POINTS [options]   sums of Stokes flow over points in a periodic box
  corral COMMAND --help            the options of a command
  corral --version

Exit status: 0 done; 1 the run failed; 2 bad input or usage, nothing was written; 3 interrupted: `corral resume` goes on.
)";

const std::vector<std::string> commands{"run", "resume", "check", "describe", "info", "bench", "stokes"};
constexpr std::string_view commands_text = "run, resume, check, describe, info, bench or stokes";

po::options_description case_options() {
  po::options_description known("Options");
  known.add_options()("help,h", "say this");
  known.add_options()("set", po::value<std::vector<std::string>>()->value_name("section.key=value"),
                      "replace a value of case.ini, or, with nothing after the =, leave it out; may be repeated")
      ("allow-scripts", "run scripts that case.ini names outside its own directory, with your rights")
      ("strict", "warnings of the case refuse it (status 2), those of a run end it (status 1)")
      ("backend", po::value<std::string>()->value_name("NAME"), "what runs the steps: cpu, the default, or gpu, a CUDA device")
      ("device", po::value<std::string>()->value_name("N"), "which device, from 0; default: CUDA's first");
  return known;
}

std::filesystem::path case_of(const std::string& command, const Arguments& found) {
  if (found.positional.empty() || found.positional.front().empty())
    throw UsageError("corral " + command + " needs a case (the directory that holds case.ini)");
  if (found.positional.size() > 1)
    throw UsageError("corral " + command + " takes one case (" + cited(found.positional[1]) + " is too many)");
  return nameable("corral " + command, found.positional.front());
}

BackendOptions backend_of(const Arguments& found) {
  using run::KeyType;
  const run::Key backends{.type = KeyType::choice, .choices = {"cpu", "gpu"}};
  const run::Key numbers{.type = KeyType::integer, .minimum = 0, .maximum = 4096};
  BackendOptions asked;
  if (value_of<std::string>(found, "backend", backends) == "gpu") asked.backend = Backend::gpu;
  if (const auto number = value_of<std::int64_t>(found, "device", numbers)) asked.device = static_cast<int>(*number);
  return asked;
}

/// Of run and resume alike.
po::options_description run_options() {
  po::options_description known = case_options();
  auto add = [&](const char* name, const char* value, const char* meaning) {
    known.add_options()(name, po::value<std::string>()->value_name(value), meaning);
  };
  add("threads", "N", threads_meaning);
  add("until", "T", "end at this time [s], if the case does not end before");
  add("steps", "N", "end after N steps in all, if the case does not end before");
  add("output", "DIR", "directory of the results; default: CASE/out");
  known.add_options()("quiet,q", "say nothing but errors");
  return known;
}

RunOptions run_options_of(const std::string& command, const Arguments& found) {
  RunOptions options;
  options.case_directory = case_of(command, found);
  options.overrides = found.texts("set");
  using run::KeyType;
  options.threads = threads_of(found);
  options.until = value_of<double>(found, "until", {.unit = "s", .minimum = 0});
  options.steps = value_of<std::int64_t>(found, "steps", {.type = KeyType::integer, .minimum = 0});
  if (found.has("output") && found.text("output").empty()) throw UsageError("--output needs the name of a directory");
  options.output = nameable("--output", found.text("output"));
  if (options.output.empty()) options.output = options.case_directory / "out";
  options.quiet = found.has("quiet");
  options.allow_scripts = found.has("allow-scripts");
  options.strict = found.has("strict");
  options.backend = backend_of(found);
  return options;
}

Request read_run(const std::vector<std::string>& words) {
  po::options_description known = run_options();
  known.add_options()("overwrite", "replace results that are there");
  const Arguments found = parse("run", words, known);
  if (found.has("help")) return help_of("corral run CASE [options]: run the case in directory CASE", known);
  RunOptions options = run_options_of("run", found);
  options.overwrite = found.has("overwrite");
  return options;
}

Request read_resume(const std::vector<std::string>& words) {
  const po::options_description known = run_options();
  const Arguments found = parse("resume", words, known);
  if (found.has("help"))
    return help_of("corral resume CASE [options]: go on from the newest checkpoint among the results of the case", known);
  return ResumeOptions{run_options_of("resume", found)};
}

Request read_info(const std::vector<std::string>& words) {
  po::options_description known("Options");
  known.add_options()("help,h", "say this")("all", "list what is the run's own, too");
  const Arguments found = parse("info", words, known);
  if (found.has("help"))
    return help_of("corral info PATH [--all]: what is in a checkpoint or in an output file; of a case or of results, in the "
                   "newest checkpoint", known);
  if (found.positional.size() != 1)
    throw UsageError("corral info takes one path (of a checkpoint, of an output file, of results, or of a case)");
  return InfoOptions{nameable("corral info", found.positional.front()), found.has("all")};
}

Request read_check(const std::vector<std::string>& words) {
  po::options_description known = case_options();
  known.add_options()("ranks,n", po::value<std::string>()->value_name("N"), "say what each of N processes of mpirun would have of it");
  const Arguments found = parse("check", words, known);
  if (found.has("help")) return help_of("corral check CASE [options]: read and validate a case; run nothing", known);
  CheckOptions options{case_of("check", found), found.texts("set"), found.has("allow-scripts"), found.has("strict"), backend_of(found)};
  if (const auto ranks = value_of<std::int64_t>(found, "ranks", {.type = run::KeyType::integer, .minimum = 1, .maximum = 1000000}))
    options.ranks = static_cast<int>(*ranks);
  if (options.ranks && options.backend.backend == Backend::gpu)
    throw UsageError("--ranks with --backend gpu (a case that ranks share runs on the CPU) leave one of them out");
  return options;
}

Request read_describe(const std::vector<std::string>& words) {
  po::options_description known("Options");
  known.add_options()("help,h", "say this")("json", "as JSON, for programs");
  const Arguments found = parse("describe", words, known);
  if (found.has("help"))
    return help_of("corral describe [KEY] [--json]: the keys of case.ini; KEY is a section or section.key", known);
  if (found.positional.size() > 1)
    throw UsageError("corral describe takes one key (" + cited(found.positional[1]) + " is too many)");
  return DescribeOptions{found.positional.empty() ? "" : found.positional.front(), found.has("json")};
}

Request read_bench(const std::vector<std::string>& words) {
  try {
    bench::MapOptions options = bench::read_map_options(words);
    if (options.help) return Message{bench::map_options_help()};
    return options;
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
}

} // namespace

Request read_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UsageError("a command is missing (" + std::string(commands_text) + "): see corral --help");
  const std::string& command = arguments.front();
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (command == "run") return read_run(rest);
  if (command == "resume") return read_resume(rest);
  if (command == "info") return read_info(rest);
  if (command == "check") return read_check(rest);
  if (command == "describe") return read_describe(rest);
  if (command == "bench") return read_bench(rest);
  if (command == "stokes") return read_stokes(rest);
  if (command == "--help" || command == "-h") return Message{std::string(help_text)};
  if (command == "--version") return Message{std::string(version_text)};
  const auto near = run::nearest(command, commands);
  throw UsageError(cited(command) + " is not a command (" + (near ? "nearest: " + *near : std::string(commands_text)) +
                   "): see corral --help");
}

} // namespace corral::app

#include "app/command/commands.hpp"

#include "run/case/keys.hpp"
#include "run/case/problems.hpp"
#include "run/case/values.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>

#include <sstream>
#include <string_view>

namespace corral::app {

namespace {

namespace po = boost::program_options;
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
  corral COMMAND --help            the options of a command
  corral --version

Exit status: 0 done; 1 the run failed; 2 bad input or usage, nothing was written; 3 interrupted: `corral resume` goes on.
)";

const std::vector<std::string> commands{"run", "resume", "check", "describe", "info", "bench"};
constexpr std::string_view commands_text = "run, resume, check, describe, info or bench";

struct Arguments {
  po::variables_map options;
  std::vector<std::string> positional;

  bool has(const std::string& name) const { return options.count(name) != 0; }
  std::string text(const std::string& name) const { return has(name) ? options[name].as<std::string>() : ""; }
  std::vector<std::string> texts(const std::string& name) const {
    return has(name) ? options[name].as<std::vector<std::string>>() : std::vector<std::string>{};
  }
};

Arguments parse(const std::string& command, const std::vector<std::string>& words,
                const po::options_description& known) {
  Arguments found;
  try {
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const auto parsed = po::command_line_parser(words).options(known).style(style).run();
    po::store(parsed, found.options);
    for (const auto& option : parsed.options)
      if (option.string_key.empty())
        found.positional.insert(found.positional.end(), option.value.begin(), option.value.end());
  } catch (const po::unknown_option& e) {
    const std::string word = e.get_option_name();
    const std::string name = word.substr(0, word.find('='));
    if (name == "--backend") throw UsageError("--backend is not available in this version (every run uses the CPU)");
    std::vector<std::string> names;
    for (const auto& option : known.options()) names.push_back("--" + option->long_name());
    const auto near = run::nearest(name, names);
    throw UsageError("corral " + command + " has no option " + cited(name) +
                     (near ? " (nearest: " + *near + ")" : " (see corral " + command + " --help)"));
  } catch (const po::error& e) {
    throw UsageError(std::string(e.what()) + " (see corral " + command + " --help)");
  }
  return found;
}

po::options_description case_options() {
  po::options_description known("Options");
  known.add_options()("help,h", "say this");
  known.add_options()("set", po::value<std::vector<std::string>>()->value_name("section.key=value"),
                      "replace a value of case.ini, or, with nothing after the =, leave it out; may be repeated")
      ("allow-scripts", "run scripts that case.ini names outside its own directory, with your rights")
      ("strict", "warnings of the case refuse it (status 2), those of a run end it (status 1)");
  return known;
}

Message help_of(const std::string& usage, const po::options_description& known) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);
  text << usage << "\n\n" << known;
  return {text.str()};
}

// Messages and files of lines name it: a line break would break them.
std::filesystem::path directory_of(const std::string& what, const std::string& name) {
  if (run::first_control_character(name) < name.size())
    throw UsageError(what + ": " + cited(name) + " holds a line break or another control character (messages and files "
                                                 "of lines could not name it) rename the directory");
  return name;
}

std::filesystem::path case_of(const std::string& command, const Arguments& found) {
  if (found.positional.empty() || found.positional.front().empty())
    throw UsageError("corral " + command + " needs a case (the directory that holds case.ini)");
  if (found.positional.size() > 1)
    throw UsageError("corral " + command + " takes one case (" + cited(found.positional[1]) + " is too many)");
  return directory_of("corral " + command, found.positional.front());
}

// Same rules and messages as in case files: no abbreviations of numbers, no nan, ranges said.
template <class T> std::optional<T> number(const Arguments& found, const std::string& option, const run::Key& key) {
  if (!found.has(option)) return std::nullopt;
  try {
    return std::get<T>(run::parse_value(key, run::trimmed(found.text(option)), {}));
  } catch (const Error& e) {
    throw UsageError("--" + option + ": " + e.what());
  }
}

/// Of run and resume alike.
po::options_description run_options() {
  po::options_description known = case_options();
  auto add = [&](const char* name, const char* value, const char* meaning) {
    known.add_options()(name, po::value<std::string>()->value_name(value), meaning);
  };
  add("threads", "N", "CPU threads; 0, the default: all that the process has the time of");
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
  const run::Key threads{.type = KeyType::integer, .minimum = 0, .maximum = 4096};
  options.threads = static_cast<int>(number<std::int64_t>(found, "threads", threads).value_or(0));
  options.until = number<double>(found, "until", {.unit = "s", .minimum = 0});
  options.steps = number<std::int64_t>(found, "steps", {.type = KeyType::integer, .minimum = 0});
  if (found.has("output") && found.text("output").empty()) throw UsageError("--output needs the name of a directory");
  options.output = directory_of("--output", found.text("output"));
  if (options.output.empty()) options.output = options.case_directory / "out";
  options.quiet = found.has("quiet");
  options.allow_scripts = found.has("allow-scripts");
  options.strict = found.has("strict");
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
  return InfoOptions{directory_of("corral info", found.positional.front()), found.has("all")};
}

Request read_check(const std::vector<std::string>& words) {
  const po::options_description known = case_options();
  const Arguments found = parse("check", words, known);
  if (found.has("help")) return help_of("corral check CASE [options]: read and validate a case; run nothing", known);
  return CheckOptions{case_of("check", found), found.texts("set"), found.has("allow-scripts"), found.has("strict")};
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
  if (command == "--help" || command == "-h") return Message{std::string(help_text)};
  if (command == "--version") return Message{std::string(version_text)};
  const auto near = run::nearest(command, commands);
  throw UsageError(cited(command) + " is not a command (" + (near ? "nearest: " + *near : std::string(commands_text)) +
                   "): see corral --help");
}

} // namespace corral::app

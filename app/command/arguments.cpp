#include "app/command/arguments.hpp"

#include "run/case/problems.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>

#include <cstdint>
#include <sstream>

namespace corral::app {

Arguments parse(const std::string& command, const std::vector<std::string>& words,
                const po::options_description& known) {
  using run::cited;
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

Message help_of(const std::string& usage, const po::options_description& known) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);
  text << usage << "\n\n" << known;
  return {text.str()};
}

std::filesystem::path nameable(const std::string& what, const std::string& name) {
  if (run::first_control_character(name) < name.size())
    throw UsageError(what + ": " + run::cited(name) + " holds a line break or another control character (messages and files "
                                                      "of lines could not name it) rename it");
  return name;
}

int threads_of(const Arguments& found) {
  const run::Key key{.type = run::KeyType::integer, .minimum = 0, .maximum = 4096};
  return static_cast<int>(value_of<std::int64_t>(found, "threads", key).value_or(0));
}

} // namespace corral::app

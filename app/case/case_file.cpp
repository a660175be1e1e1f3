#include "app/case/case_file.hpp"

#include "app/system/process.hpp"
#include "run/case/values.hpp"
#include "run/driver.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why, int line = 1) {
  throw run::CaseError(run::Location{file.string(), line}.text() + ": " + why);
}

// The first line that alone is too long; 1 where it's the number of lines.
int line_to_blame(std::string_view text) {
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > longest_case_line) return line;
    begin = end + 1;
  }
  return 1;
}

std::string read_text(const fs::path& file) {
  if (const std::string fault = run::fault_of(file); !fault.empty())
    refuse(file, fault + (fault.ends_with(')') ? "" : " (a case is a directory that holds a plain file case.ini)"));
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, std::string("cannot be read (") + std::strerror(errno) + ")");
  std::string text(largest_case_file + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) refuse(file, std::string("cannot be read (") + std::strerror(errno) + ")");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > largest_case_file)
    refuse(file, "the file is too large (the limit is 1 MiB) move tables into files of their own",
           line_to_blame(text));
  return text;
}

const run::DriverKind* find_driver(const run::WrittenCase& written, const std::vector<run::DriverKind>& drivers) {
  for (const auto& e : written.entries)
    for (const run::DriverKind& d : drivers)
      if (e.section == "case" && e.key == "driver" && e.value == d.name) return &d;
  return nullptr;
}

// Without a driver nobody knows what is missing from the other keys, or misspelt.
run::WrittenCase what_the_command_knows(run::WrittenCase written, const run::KeyTable& table) {
  std::erase_if(written.sections, [&](const auto& s) { return table.pattern(s.name).empty(); });
  std::erase_if(written.entries,
                [&](const auto& e) { return e.section != "case" && table.find(e.section, e.key) == nullptr; });
  return written;
}

const run::Location command_line{"--set", 0};

std::string_view key_of(std::string_view override) { return run::trimmed(override.substr(0, override.find('='))); }

/// Those before of whose keys nothing is said anew, and the new ones.
std::vector<std::string> joined(const std::vector<std::string>& before, const std::vector<std::string>& anew) {
  std::vector<std::string> all;
  const auto replaced = [&](const std::string& text) {
    return std::any_of(anew.begin(), anew.end(), [&](const std::string& other) { return key_of(other) == key_of(text); });
  };
  std::remove_copy_if(before.begin(), before.end(), std::back_inserter(all), replaced);
  all.insert(all.end(), anew.begin(), anew.end());
  return all;
}

} // namespace

run::KeyTable key_table(const run::DriverKind& driver, const std::vector<run::DriverKind>& drivers) {
  run::KeyTable table;
  declare_case_keys(table, drivers, {driver.sets, driver.tables});
  driver.declare_keys(table);
  return table;
}

Case parse_case(std::string_view text, const std::string& file, const fs::path& directory,
                const std::vector<std::string>& overrides, const std::vector<run::DriverKind>& drivers,
                const ToldBefore& before) {
  run::Problems problems;
  run::WrittenCase written = read_ini(text, file, directory, problems);
  if (problems.empty() && written.entries.empty()) {
    problems.add(written.file,
                 "holds no settings (a case begins with [case] and its driver) `corral describe` lists all keys");
    problems.throw_if_any();
  }
  apply_overrides(written, before.overrides, before.where, problems);
  apply_overrides(written, overrides, command_line, problems);

  Case c;
  c.overrides = joined(before.overrides, overrides);
  c.directory = directory;
  c.driver_kind = find_driver(written, drivers);
  if (c.driver_kind != nullptr) {
    c.keys = key_table(*c.driver_kind, drivers);
  } else {
    declare_case_keys(c.keys, drivers, outputs_of(drivers));
    written = what_the_command_knows(std::move(written), c.keys);
  }
  c.settings = run::validate(c.keys, written, problems);
  problems.throw_if_any();
  if (used_ini(c).size() > largest_case_file) {
    problems.add(written.file, "the case is too large once its defaults are filled in (the limit is 1 MiB)");
    problems.throw_if_any();
  }
  return c;
}

Case read_case(const fs::path& directory, const std::vector<std::string>& overrides,
               const std::vector<run::DriverKind>& drivers, const ToldBefore& before) {
  std::error_code code;
  if (const fs::file_status status = fs::status(directory, code); fs::exists(status) && !fs::is_directory(status))
    refuse(directory, "is a file (a case is a directory that holds case.ini) name the directory");
  const fs::path file = directory / "case.ini";
  return parse_case(read_text(file), file.string(), directory, overrides, drivers, before);
}

namespace {

/// make(problems)
template <class Make> std::unique_ptr<run::Driver> made_by(const Case& c, const run::Problems::Listener& listener, const Make& make) {
  run::Problems problems(listener);
  std::unique_ptr<run::Driver> driver = make(problems);
  problems.throw_if_any();
  if (!driver) throw Error("the driver " + c.driver_kind->name + " was not made (and doesn't say why)");
  return driver;
}

} // namespace

std::unique_ptr<run::Driver> make_driver(const Case& c, bool on_device, const run::Problems::Listener& listener) {
  const auto make = on_device ? c.driver_kind->on_device.make : c.driver_kind->make;
  return made_by(c, listener, [&](run::Problems& problems) { return make(c.settings, problems); });
}

namespace {

const run::RanksKind& require_shared(const Case& c, int ranks) {
  const run::RanksKind& kind = c.driver_kind->over_ranks;
  if (!kind.make)
    throw UsageError(std::to_string(ranks) + " processes for driver = " + c.driver_kind->name +
                     " (it runs on one, with threads) start it without mpirun");
  return kind;
}

} // namespace

std::unique_ptr<run::Driver> make_shared_driver(const Case& c, const distributed::Team& team, const run::Problems::Listener& listener) {
  const auto make = require_shared(c, team.size()).make;
  return made_by(c, listener, [&](run::Problems& problems) { return make(c.settings, problems, team); });
}

std::vector<std::string> describe_case(const Case& c, bool on_device, const run::Problems::Listener& listener) {
  run::Problems problems(listener);
  const auto describe = on_device ? c.driver_kind->on_device.describe : c.driver_kind->describe;
  std::vector<std::string> lines = describe(c.settings, problems);
  problems.throw_if_any();
  return lines;
}

std::vector<std::string> describe_shared_case(const Case& c, int ranks) {
  run::Problems problems;
  std::vector<std::string> lines = require_shared(c, ranks).describe(c.settings, problems, ranks);
  problems.throw_if_any();
  return lines;
}

std::vector<std::string> scripts_run_by(const Case& c, bool allowed) {
  run::Problems problems;
  std::vector<std::string> lines;
  const fs::path home = fs::weakly_canonical(c.directory);
  for (const InSituPlan& plan : insitu_plans(c.settings)) {
    const std::string block = "insitu." + plan.name;
    const run::Location where = c.settings.where(block, "script");
    const fs::path script = fs::weakly_canonical(plan.script); // where links lead
    lines.push_back("runs      " + script.string() + " (Python, with your rights)");
    if (allowed || where.line == 0) continue;
    if (std::mismatch(home.begin(), home.end(), script.begin(), script.end()).first == home.end()) continue;
    problems.add(where, "[" + block + "] would run " + script.string() +
                            " (a script outside the case's directory, with your rights) add --allow-scripts where you "
                            "know it, or switch it off: --set output.watch=false");
  }
  problems.throw_if_any();
  return lines;
}

std::string used_ini(const Case& c) {
  std::string text = "# The case with everything resolved: as the case.ini of a directory, it is the same case.\n";
  for (const std::string& section : c.settings.sections()) {
    std::string lines;
    for (const run::Key* key : c.keys.keys(section))
      if (c.settings.given(section, key->name)) lines += key->name + " = " + c.settings.written(section, *key) + "\n";
    // An empty block counts: `blocks` lists it.
    if (!lines.empty() || section.find('.') != section.npos) text += "\n[" + section + "]\n" + lines;
  }
  return text;
}

void refuse_warnings(const std::vector<std::string>& description) {
  constexpr std::string_view warning = "warning   ";
  for (const std::string& line : description)
    if (line.starts_with(warning))
      throw UsageError("the case is refused by --strict, for a warning: " + line.substr(warning.size()));
}

} // namespace corral::app

#include "app/case/resumed_case.hpp"

#include "app/checkpoint/checkpointer.hpp"
#include "app/checkpoint/checksum.hpp"
#include "run/case/problems.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace corral::app {

namespace {

using run::Key;

std::string value_of(const Case& c, const std::string& section, const Key& key) {
  return c.settings.given(section, key.name) ? c.settings.written(section, key) : "";
}

Case case_of(const Checkpoint& checkpoint, const std::vector<run::DriverKind>& drivers) {
  std::ifstream in(checkpoint.used_ini(), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse_case(text, checkpoint.used_ini().string(), checkpoint.directory, {}, drivers);
}

/// Files count by what they hold: they may have been moved.
void compare_inputs(const Case& now, const Checkpoint& checkpoint, run::Problems& problems) {
  for (const Manifest::Input& input : inputs_of(now)) {
    const std::size_t point = input.key.rfind('.');
    const auto before = std::find_if(checkpoint.manifest.inputs.begin(), checkpoint.manifest.inputs.end(),
                                     [&](const Manifest::Input& i) { return i.key == input.key; });
    if (before != checkpoint.manifest.inputs.end() && before->checksum == input.checksum) continue;
    problems.add(now.settings.where(input.key.substr(0, point), input.key.substr(point + 1)),
                 input.key + ": the file is not what the run began with (a checkpoint goes with what it held) put that "
                             "back, or begin again with corral run --overwrite");
  }
}

} // namespace

void require_same_case(const Case& now, const Checkpoint& checkpoint, const std::vector<run::DriverKind>& drivers) {
  const Case before = case_of(checkpoint, drivers);
  run::Problems problems;
  std::vector<std::string> sections = now.settings.sections();
  for (const std::string& section : before.settings.sections())
    if (std::find(sections.begin(), sections.end(), section) == sections.end()) sections.push_back(section);
  for (const std::string& section : sections)
    for (const Key* key : now.keys.keys(section)) {
      if (key->when_resumed || key->type == run::KeyType::file) continue;
      const std::string was = value_of(before, section, *key), is = value_of(now, section, *key);
      if (was == is) continue;
      problems.add(now.settings.where(section, key->name),
                   section + "." + key->name + " is " + (is.empty() ? "not given" : is) + ", and was " +
                       (was.empty() ? "not given" : was) +
                       " (only time.end, case.title and [checkpoint] may change when a run goes on) set it back, or "
                       "begin again with corral run --overwrite");
    }
  compare_inputs(now, checkpoint, problems);
  problems.throw_if_any();
}

} // namespace corral::app

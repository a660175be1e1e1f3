#include "app/case/resumed_case.hpp"

#include "app/case/ini.hpp"
#include "app/checkpoint/checkpointer.hpp"
#include "app/openpmd/checksum.hpp"
#include "app/output/output_file.hpp"
#include "run/case/problems.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace corral::app {

namespace {

using run::Key;

/// Values as they are written, by section and key.
using Values = std::map<std::pair<std::string, std::string>, std::string>;

/// Of a used.ini, which names every key. Files that it names need not be there any more.
Values values_of(const std::string& used, const std::filesystem::path& file) {
  run::Problems problems;
  const run::WrittenCase written = read_ini(used, file.string(), file.parent_path(), problems);
  problems.throw_if_any();
  Values values;
  for (const auto& s : written.sections) values[{s.name, ""}] = "there"; // an empty block counts
  for (const auto& e : written.entries) values[{e.section, e.key}] = e.value;
  return values;
}

std::string name_of(const Values::key_type& key) {
  return key.second.empty() ? "[" + key.first + "]" : key.first + "." + key.second;
}

/// By key, what each file held: that counts, for files may have been moved.
std::map<std::string, std::string> by_key(const std::vector<Manifest::Input>& inputs) {
  std::map<std::string, std::string> checksums;
  for (const Manifest::Input& input : inputs) checksums[input.key] = input.checksum;
  return checksums;
}

void compare_inputs(const Case& now, const Checkpoint& checkpoint, run::Problems& problems) {
  const auto before = by_key(checkpoint.manifest.inputs), after = by_key(inputs_of(now));
  auto all = after;
  all.insert(before.begin(), before.end());
  for (const auto& [key, checksum] : all) {
    const auto is = after.find(key), was = before.find(key);
    if (is != after.end() && was != before.end() && is->second == was->second) continue;
    const std::size_t point = key.rfind('.');
    problems.add(now.settings.where(key.substr(0, point), key.substr(point + 1)),
                 key + ": " + (is == after.end() ? "names no file" : "the file is not what the run began with") +
                     " (a checkpoint goes with what it held) put that back, or begin again with corral run "
                     "--overwrite");
  }
}

/// True for sections, of which an empty block is all that is written, where every key may.
bool may_change(const run::KeyTable& table, const std::string& section) {
  const std::vector<const Key*> keys = table.keys(section);
  return !keys.empty() && std::all_of(keys.begin(), keys.end(), [](const Key* key) { return key->when_resumed; });
}

/// True where a case says nothing by it.
bool is_default(const Key* key, const std::string& value) {
  return key != nullptr && key->fallback && value == run::write_value(*key, run::parse_value(*key, *key->fallback, {}));
}

[[noreturn]] void throw_of_another(const Case& now, const Checkpoint& checkpoint, std::size_t other, std::size_t chosen) {
  throw run::CaseError(now.settings.where("case", "driver").text() + ": the checkpoint " + checkpoint.directory.string() +
                       " is of another case (of " + std::to_string(chosen) + " settings that are not the defaults " +
                       std::to_string(other) + " are others; its own is " + checkpoint.used_ini().string() +
                       ") say with --output where the results of this case are, or begin again with corral run --overwrite");
}

/// "time.end, case.title, ...": what may change, blocks and sections as a whole where all of their keys may.
std::string changeable(const run::KeyTable& table) {
  std::vector<std::string> names;
  for (const std::string& section : table.sections()) {
    if (may_change(table, section)) names.push_back("[" + section + "]");
    else
      for (const Key* key : table.keys(section))
        if (key->when_resumed) names.push_back(section + "." + key->name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : name == names.back() ? " and " : ", ") + name;
  return text;
}

} // namespace

void require_same_case(const Case& now, const Checkpoint& checkpoint) {
  const Values before = values_of(read_whole_file(checkpoint.used_ini(), largest_case_file), checkpoint.used_ini());
  const Values after = values_of(used_ini(now), now.directory / "used.ini");
  Values all = after;
  all.insert(before.begin(), before.end());
  run::Problems problems;
  std::size_t chosen = 0, other = 0;
  for (const auto& [name, value] : all) {
    const Key* key = now.keys.find(name.first, name.second);
    if (key ? key->when_resumed || key->type == run::KeyType::file : may_change(now.keys, name.first)) continue;
    const auto is = after.find(name), was = before.find(name);
    const bool same = is != after.end() && was != before.end() && is->second == was->second;
    if (!same || !is_default(key, value)) ++chosen;
    if (same) continue;
    ++other;
    const auto said = [](const Values& values, Values::const_iterator it) {
      return it == values.end() ? std::string("not given") : it->second;
    };
    problems.add(now.settings.where(name.first, name.second),
                 name_of(name) + " is " + said(after, is) + ", and was " + said(before, was) +
                     " (only " + changeable(now.keys) + " may change when a run goes on) set it back, or begin again with "
                     "corral run --overwrite");
  }
  if (2 * other > chosen) throw_of_another(now, checkpoint, other, chosen);
  compare_inputs(now, checkpoint, problems);
  problems.throw_if_any();
}

} // namespace corral::app

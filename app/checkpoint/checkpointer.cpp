#include "app/checkpoint/checkpointer.hpp"

#include "app/case/case_file.hpp"
#include "app/openpmd/hdf5_driver.hpp"
#include "app/system/checksum.hpp"
#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "app/system/system_calls.hpp"
#include "app/system/text.hpp"
#include "run/case/problems.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace corral::app {

std::vector<Manifest::Input> inputs_of(const Case& c) {
  std::vector<Manifest::Input> inputs;
  for (const std::string& section : c.settings.sections())
    for (const run::Key* key : c.keys.keys(section))
      if (run::may_name_file(key->type) && !key->when_resumed && c.settings.names_file(section, key->name)) {
        const std::filesystem::path file = c.settings.file(section, key->name);
        inputs.push_back({section + "." + key->name, checksum_of(file, size_of(file))});
      }
  return inputs;
}

Checkpointer::Checkpointer(const Case& c, const std::filesystem::path& output, std::string maps)
    : checkpoints_(output), context_{used_ini(c), inputs_of(c), c.overrides, {}, std::move(maps)},
      steps_(c.settings.integer("checkpoint", "steps")), keep_(c.settings.integer("checkpoint", "keep")),
      wall_clock_(c.settings.real("checkpoint", "wall_clock")), at_end_(c.settings.flag("checkpoint", "at_end")),
      times_(c.settings.real("checkpoint", "interval")) {
  const MemoryForHdf5 now_rather_than_after_an_hour;
}

void Checkpointer::begin(const run::Clock& clock) {
  last_ = WallClock::now();
  times_.due(clock);
}

bool Checkpointer::due(const run::Clock& clock) {
  const bool by_time = times_.due(clock);
  const bool by_steps = steps_ > 0 && clock.step() % steps_ == 0;
  const std::chrono::duration<double> since = WallClock::now() - last_;
  return by_time || by_steps || (wall_clock_ > 0 && since.count() >= wall_clock_);
}

void Checkpointer::write(const run::Registry& state, const run::Registry& loop, const run::Clock& clock,
                         const std::vector<Log*>& tables) {
  last_ = WallClock::now(); // one that fails is tried again when the next is due
  context_.tables.clear();
  for (Log* table : tables) {
    table->sync();
    context_.tables.push_back({table->name(), table->size(), checksum_of(table->path(), table->size())});
  }
  checkpoints_.sync_results();
  checkpoints_.add(state, loop, clock, context_, keep_);
}

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

Values values_of(const Checkpoint& checkpoint) {
  return values_of(read_whole_file(checkpoint.used_ini(), largest_case_file), checkpoint.used_ini());
}

Values values_of(const Case& c) { return values_of(used_ini(c), c.directory / "used.ini"); }

std::string name_of(const Values::key_type& key) {
  return key.second.empty() ? "[" + key.first + "]" : key.first + "." + key.second;
}

bool is_file(const Key& key, const std::string& value) {
  return key.type == run::KeyType::choice_or_file &&
         std::find(key.choices.begin(), key.choices.end(), value) == key.choices.end();
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

std::set<std::string> other_outputs(const Case& now, const Checkpoint& checkpoint) {
  const Values before = values_of(checkpoint);
  std::set<std::string> others;
  for (const auto& [name, value] : values_of(now))
    if (const auto was = before.find(name); name.first == "output" && (was == before.end() || was->second != value))
      others.insert(name.second);
  return others;
}

void require_same_case(const Case& now, const Checkpoint& checkpoint) {
  const Values before = values_of(checkpoint), after = values_of(now);
  Values all = after;
  all.insert(before.begin(), before.end());
  run::Problems problems;
  std::size_t chosen = 0, other = 0;
  for (const auto& [name, value] : all) {
    const Key* key = now.keys.find(name.first, name.second);
    const auto is = after.find(name), was = before.find(name);
    const bool both = is != after.end() && was != before.end();
    // What files hold is compared below, and not what they are called.
    const bool files = key && (key->type == run::KeyType::file || (both && is_file(*key, is->second) && is_file(*key, was->second)));
    if (key ? key->when_resumed || files : may_change(now.keys, name.first)) continue;
    const bool same = both && is->second == was->second;
    if (!same || !is_default(key, value)) ++chosen;
    // A key that an earlier version did not have, and whose default is what it did.
    if (same || (was == before.end() && is_default(key, value))) continue;
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

namespace {

namespace fs = std::filesystem;

bool holds(const fs::path& file, const Manifest::Table& table) {
  return fs::is_regular_file(file) && size_of(file) >= table.bytes && checksum_of(file, table.bytes) == table.checksum;
}

bool begins_with(const fs::path& file, const std::string& text) {
  std::string there(text.size(), '\0');
  Descriptor descriptor;
  if (size_of(file) < text.size()) return false;
  if (const int code = system_calls::open_plain(descriptor, file, O_RDONLY)) cannot_read(file, code);
  if (const int code = system_calls::read_at(descriptor.number(), 0, there.data(), there.size())) cannot_read(file, code);
  return there == text;
}

void give_name(const fs::path& from, const fs::path& to) {
  if (const int code = system_calls::rename(from, to)) cannot_write(to, code);
}

} // namespace

KeptTables::KeptTables(const Manifest& manifest, const fs::path& output, const std::map<std::string, std::string>& headers) {
  for (const Manifest::Table& table : manifest.tables) {
    const fs::path file = output / table.name,
                   left = output / (file.stem().string() + "_" + padded(manifest.step, 12) + file.extension().string());
    // It was left already where a run with other columns went on from here, and came to no checkpoint.
    const fs::path there = holds(file, table) || !holds(left, table) ? file : left;
    if (there == file && !holds(file, table))
      throw UsageError(file.string() + " is not what the run wrote up to its checkpoint (rows were changed or lost) put "
                                       "it back, or begin again with corral run --overwrite");
    if (::access(there.c_str(), W_OK) != 0)
      throw UsageError("cannot write " + there.string() + " (" + std::strerror(errno) +
                       ") a run that goes on adds rows to it: have its permission changed (chmod)");
    const auto header = headers.find(table.name);
    tables_.push_back({there, file, left, table.bytes, header == headers.end() || begins_with(there, header->second + "\n")});
  }
  if (std::none_of(manifest.tables.begin(), manifest.tables.end(), [](const auto& table) { return table.name == "log.csv"; }))
    throw UsageError("the checkpoint says nothing of log.csv (its manifest was changed) begin again with corral run "
                     "--overwrite");
}

std::map<std::string, std::size_t> KeptTables::bytes() const {
  std::map<std::string, std::size_t> bytes;
  for (const Table& table : tables_)
    if (table.goes_on) bytes[table.file.filename().string()] = table.bytes;
  return bytes;
}

std::vector<std::string> KeptTables::put_in_place() const {
  std::vector<std::string> sentences;
  for (const Table& table : tables_) {
    if (table.goes_on && table.there != table.file) give_name(table.there, table.file);
    if (table.goes_on) continue;
    OutputFile whole(table.there, table.bytes); // rows behind those that count are cut off
    whole.sync();
    whole.close();
    if (table.there != table.left) give_name(table.there, table.left);
    sentences.push_back(table.file.filename().string() + " has other columns from here on: what was before is in " +
                        table.left.filename().string());
  }
  return sentences;
}

} // namespace corral::app

#include "app/checkpoint/checkpoints.hpp"

#include "app/case/case_file.hpp"
#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "app/system/rank_file.hpp"
#include "app/system/system_calls.hpp"
#include "app/system/text.hpp"

#include <corral/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace corral::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_manifest = std::size_t{64} << 20;
const std::string part_ending = ".part";

std::string name_of(std::int64_t step) { return padded(step, 12); }

bool is_checkpoint(const std::string& name) {
  return name.size() >= 12 && std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); });
}

void require(const fs::path& path, int code) {
  if (code) cannot_write(path, code);
}

/// Of a checkpoint's directory what corral writes, and the directory where nothing else is in it; of a link the link.
void remove_checkpoint(const fs::path& directory) {
  std::error_code ignored;
  if (fs::is_symlink(directory, ignored)) {
    system_calls::try_to_remove(directory);
    return;
  }
  for (const char* part : {"manifest", "state.h5", "used.ini", "manifest.part", "used.ini.part"})
    system_calls::try_to_remove(directory / part);
  system_calls::try_to_remove(directory);
}

bool is_whole(const fs::path& directory) {
  try {
    open_checkpoint(directory);
    return true;
  } catch (const Error&) {
    return false;
  }
}

} // namespace

Checkpoint open_checkpoint(const fs::path& directory) {
  Checkpoint found{directory, Manifest::parse(read_whole_file(directory / "manifest", largest_manifest))};
  found.manifest.verify(directory);
  for (const char* needed : {"state.h5", "used.ini"})
    if (std::none_of(found.manifest.parts.begin(), found.manifest.parts.end(),
                     [&](const Manifest::Part& part) { return part.name == needed; }))
      throw Error("the manifest is damaged (it does not name " + std::string(needed) + ")");
  return found;
}

std::vector<fs::path> Checkpoints::all() const {
  std::vector<fs::path> found;
  for (const fs::path& path : paths_in(directory_))
    if (is_checkpoint(path.filename().string())) found.push_back(path);
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename(), y = b.filename();
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  return found;
}

void Checkpoints::add(const run::Registry& state, const run::Registry& loop, const run::Clock& clock,
                      const Context& context, std::int64_t keep) const {
  const fs::path whole = directory_ / name_of(clock.step()), part = whole.string() + part_ending;
  if (is_whole(whole)) return;
  remove_checkpoint(whole);
  remove_parts();
  require(directory_, system_calls::make_directories(directory_));
  require(part, system_calls::make_directory(part));
  try {
    write_state(part / "state.h5", state, loop, clock);
    const auto write = [](const fs::path& file, const std::string& text) {
      OutputFile out(file);
      out.write(text);
      out.sync();
      out.close();
    };
    write(part / "used.ini", context.used_ini);
    Manifest manifest{.step = clock.step(), .time = number_text(clock.time()), .version = CORRAL_VERSION,
                      .instruction_set = context.maps};
    manifest.parts = {Manifest::part_of(part / "state.h5", checksums_by(state.ranks())), Manifest::part_of(part / "used.ini")};
    manifest.tables = context.tables;
    manifest.inputs = context.inputs;
    manifest.overrides = context.overrides;
    write(part / "manifest", manifest.text());
    require(part, system_calls::sync_directory(part));
    require(whole, system_calls::rename(part, whole));
    require(directory_, system_calls::sync_directory(directory_));
  } catch (...) {
    remove_checkpoint(part);
    throw;
  }
  AtomicFile newest(directory_ / "newest");
  newest.write(whole.filename().string() + "\n");
  newest.commit_on_disk();
  // The new one is never among them, whatever else lies there under the name of a later step.
  std::vector<fs::path> there = all();
  there.erase(std::find(there.begin(), there.end(), whole), there.end());
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) <= there.size(); ++i) remove_checkpoint(there[i]);
}

void Checkpoints::sync_results() const {
  require(directory_.parent_path(), system_calls::sync_directory(directory_.parent_path()));
}

// The names alone say which is newest: `newest` is for people and scripts, and could lag behind after a fault.
std::optional<Checkpoint> Checkpoints::newest(std::vector<std::string>& refused) const {
  std::vector<fs::path> there = all();
  for (auto it = there.rbegin(); it != there.rend(); ++it) {
    try {
      Checkpoint found = open_checkpoint(*it);
      if (name_of(found.manifest.step) != it->filename())
        throw Error("it holds step " + std::to_string(found.manifest.step) + " (somebody gave it another name)");
      return found;
    } catch (const UsageError&) { // whole perhaps, but not for everybody: an older one is not what is asked for
      throw;
    } catch (const Error& e) {
      refused.push_back("checkpoint " + it->filename().string() + " is left aside: " + e.what());
    }
  }
  return std::nullopt;
}

void Checkpoints::remove_parts() const {
  for (const fs::path& path : paths_in(directory_))
    if (const std::string name = path.filename().string();
        name.ends_with(part_ending) && is_checkpoint(name.substr(0, name.size() - part_ending.size())))
      remove_checkpoint(path);
}

void Checkpoints::require_removable() const {
  const std::vector<fs::path> there = all();
  if (there.empty()) return;
  std::vector<fs::path> changed{directory_};
  std::error_code ignored;
  for (const fs::path& checkpoint : there)
    if (fs::is_directory(fs::symlink_status(checkpoint, ignored))) changed.push_back(checkpoint);
  for (const fs::path& path : changed)
    if (::access(path.c_str(), W_OK | X_OK) != 0)
      throw UsageError("the checkpoints in " + directory_.string() + " cannot be removed (" + path.string() + ": " +
                       std::strerror(errno) + ") have its permission changed, or choose another directory with --output");
}

void Checkpoints::remove_all() const {
  remove_parts();
  for (const fs::path& checkpoint : all()) remove_checkpoint(checkpoint);
  for (const char* name : {"newest", "newest.part"}) system_calls::try_to_remove(directory_ / name);
  // A link leads to where its owner wants checkpoints to lie.
  std::error_code ignored;
  if (fs::is_directory(fs::symlink_status(directory_, ignored))) system_calls::try_to_remove(directory_);
}

namespace {

class CheckpointedRun final : public run::EarlierRun {
public:
  CheckpointedRun(const Checkpoint& checkpoint, std::vector<std::string> refused) : state_(checkpoint.state()) {
    place = checkpoint.directory.string();
    step = checkpoint.manifest.step;
    time = checkpoint.manifest.time;
    left_aside = std::move(refused);
    run::Problems problems;
    used = read_ini(read_whole_file(checkpoint.used_ini(), largest_case_file), checkpoint.used_ini().string(),
                    checkpoint.directory, problems);
    problems.throw_if_any();
  }

  void read(run::Registry& wanted) const override { read_state(state_, wanted); }

private:
  fs::path state_;
};

[[noreturn]] void holds_none(const fs::path& output) {
  std::error_code code;
  if (!fs::is_directory(output, code))
    throw Error(output.string() + (fs::exists(output, code) ? " is no directory" : " does not exist") +
                " (where a run has written its results is expected) name its output directory");
  const fs::path below = output / "out";
  throw Error(output.string() + " holds no checkpoint (" + (output / "checkpoint").string() + " has none) " +
              (fs::is_directory(below / "checkpoint", code) ? "its case wrote into " + below.string() + ": name that"
                                                             : "name the output directory of a run that has written one"));
}

} // namespace

std::shared_ptr<const run::EarlierRun> earlier_run(const fs::path& output) {
  std::vector<std::string> refused;
  const std::optional<Checkpoint> found = Checkpoints(output).newest(refused);
  if (found) return std::make_shared<CheckpointedRun>(*found, std::move(refused));
  if (refused.empty()) holds_none(output);
  throw Error(output.string() + " holds no checkpoint that is whole (" + refused.front() + ") name another run's results");
}

} // namespace corral::app

#pragma once

#include "app/checkpoint/manifest.hpp"
#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace corral::app {

/// A checkpoint that was found whole.
struct Checkpoint {
  std::filesystem::path directory;
  Manifest manifest;

  std::filesystem::path state() const { return directory / "state.h5"; }
  std::filesystem::path used_ini() const { return directory / "used.ini"; }
};

/// The checkpoints of a run: OUTPUT/checkpoint/000000001200, one directory each that is called by its step, and a file
/// `newest` that names the last one. A directory has its name only once all in it is on the disk, and the one before is
/// removed only then.
class Checkpoints {
public:
  explicit Checkpoints(const std::filesystem::path& output) : directory_(output / "checkpoint") {}

  /// What is said of the run beside its state.
  struct Context {
    std::string used_ini;
    std::vector<Manifest::Input> inputs;
    std::vector<Manifest::Table> tables;
  };
  /// Adds one, and keeps the last `keep` of them. Does nothing where there is one of that step that is whole. Throws
  /// Error; those that were there are as they were then.
  void add(const run::Registry& state, const run::Registry& loop, const run::Clock& clock, const Context& context,
           std::int64_t keep) const;

  /// The names of the results among which the checkpoints lie are on the disk when it returns. Throws Error.
  void sync_results() const;

  /// The newest that is whole, and of newer ones that are not, why. Reads all bytes of what it returns.
  std::optional<Checkpoint> newest(std::vector<std::string>& refused) const;

  /// Throws UsageError where there are some that this process may not remove: a run that replaced all but them would
  /// leave them as its own.
  void require_removable() const;
  /// Removes all, and of the directory nothing that corral does not write.
  void remove_all() const;

  const std::filesystem::path& directory() const { return directory_; }

private:
  std::vector<std::filesystem::path> all() const; ///< oldest first, whole or not
  void remove_parts() const;

  std::filesystem::path directory_;
};

/// Reads a checkpoint's manifest and compares all of it with its checksums. Throws Error that says what is damaged.
Checkpoint open_checkpoint(const std::filesystem::path& directory);

} // namespace corral::app

#pragma once

#include "app/system/checksum.hpp"
#include "run/case/earlier_run.hpp"
#include "run/driver.hpp"
#include "run/state/registry.hpp"

#include <corral/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// What a checkpoint consists of and belongs to: the file `manifest` in its directory, lines of text, the last of which
/// is the checksum of all others. Nothing of a checkpoint is parsed before its manifest has been found right.
struct Manifest {
  static constexpr std::size_t block = std::size_t{1} << 20; ///< [bytes] of each checksum of a part

  /// A file beside the manifest.
  struct Part {
    std::string name{};
    std::size_t bytes = 0;
    std::vector<std::string> blocks{}; ///< checksums
  };
  /// The beginning of a table among the results, which grows as the run goes on.
  struct Table {
    std::string name{};
    std::size_t bytes = 0;
    std::string checksum{};
  };
  /// What a file that the case names held.
  struct Input {
    std::string key{}; ///< "surface.cell.file"
    std::string checksum{};
  };

  std::int64_t step = 0;
  std::string time{}; ///< simulated [s], as log.csv has it
  std::string version{}, instruction_set{}; ///< of the program that wrote it, and of its maps: "AVX2", "CUDA"
  std::vector<Part> parts{};
  std::vector<Table> tables{};
  std::vector<Input> inputs{};
  std::vector<std::string> overrides{}; ///< "section.key=value" of each --set that the run was told

  std::string text() const;
  /// Throws Error where the text is not whole, or of another version.
  static Manifest parse(std::string_view text);

  /// What the program and the processor that wrote it may change in a run that goes on by `maps`, a sentence each.
  std::vector<std::string> notices(const std::string& maps) const;

  static Part part_of(const std::filesystem::path& file, const Checksums& by = checksums);
  /// Throws Error that names the first part of `directory` that is not as it was written.
  void verify(const std::filesystem::path& directory) const;
};

/// Writes all that is saved of the two registries into an HDF5 file, laid out by the base standard of openPMD 1.1: fields
/// as meshes with their staggering, sets of particles as species, units as powers of SI's. What the standard has no
/// place for stands under /corral/state and /corral/loop: numbers, tables, connectivity. Values are those of memory,
/// bit for bit. Throws Error.
void write_state(const std::filesystem::path& file, const run::Registry& state, const run::Registry& loop,
                 const run::Clock& clock);

/// Reads it into registries that were declared alike. Throws Error where the file lacks something that is not optional,
/// or holds it in another shape; some of it may have been read by then.
void read_state(const std::filesystem::path& file, run::Registry& state, run::Registry& loop);
/// Of the driver's alone.
void read_state(const std::filesystem::path& file, run::Registry& state);

/// What the maps of a driver are for: its CUDA device, or this processor.
std::string maps_of(const run::Driver& driver);

/// A checkpoint that was found whole.
struct Checkpoint {
  std::filesystem::path directory;
  Manifest manifest;

  std::filesystem::path manifest_file() const { return directory / "manifest"; }
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
    std::string used_ini{};
    std::vector<Manifest::Input> inputs{};
    std::vector<std::string> overrides{};
    std::vector<Manifest::Table> tables{};
    std::string maps{corral::instruction_set()}; ///< what they are for (maps_of)
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

/// Opens the newest checkpoint that is whole among a run's results. Throws Error where there is none.
std::shared_ptr<const run::EarlierRun> earlier_run(const std::filesystem::path& output);

} // namespace corral::app

#pragma once

#include "app/output/log.hpp"
#include "run/driver.hpp"
#include "run/state/registry.hpp"

#include <corral/array.hpp>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::app {

/// Writes the `shown` fields as VTK ImageData (.vti), at the cells' centres: means over the cell where their points lie
/// elsewhere, vectors as vectors. `time` [s] stands in the file as TimeValue.
void write_fields(const std::filesystem::path& path, const run::Registry& registry, double time);

/// Writes a set of particles as VTK PolyData (.vtp): points from the vector column "position", the other `shown`
/// columns as point data, vector columns as vectors. A set with triangles is written as these, with what stands on them
/// as cell data; otherwise all points are in one poly-vertex cell, which is what makes viewers draw them. Throws Error
/// where the set has no position column.
void write_particles(const std::filesystem::path& path, const run::ParticleSet& set, double time);

/// A .pvd file that lists numbered files with their times. Each `add` replaces the closing tags by a line and the
/// closing tags, in one write: the list is complete at any moment, and a run of many files writes each line once.
class Series {
public:
  /// The list is directory/name.pvd; its members are called name_000000.extension and so on.
  Series(std::filesystem::path directory, std::string name, std::string extension);

  void bind_state(run::Registry& registry) { registry.bind(name_ + "_times", "s", "of the files written", times_); }

  /// The next member, to be written before it is added.
  std::filesystem::path next() const { return directory_ / member(times_.size()); }
  void add(double time);
  /// All members are on the disk when it returns, but for those that somebody removed. Throws Error.
  void sync();
  /// Where the times have been assigned, those of a run that goes on: lists them anew, and removes members that are later.
  void restore();

private:
  std::string line(std::int64_t number) const;
  std::string member(std::int64_t number) const;
  void write_list() const;
  std::optional<std::int64_t> number_of(std::string_view file) const; ///< of a member, by its name

  std::filesystem::path directory_;
  std::string name_;
  std::string extension_;
  Array<double> times_; // [s] of each member
  std::int64_t on_disk_ = 0; // members, the first ones
};

/// What a file is to hold.
struct Shown {
  bool fields = false;
  std::vector<const run::ParticleSet*> sets{};
};

/// Writes what is `shown` as an HDF5 file by openPMD (openpmd/iteration_file.hpp): the fields where their points lie, the
/// columns of the sets, and under /corral/state triangles and what stands on them. The same state is the same bytes, and
/// the file appears whole or not at all. `series`: how the files of its series are called, "" where it stands alone.
/// Throws Error, also where a set has no position column.
void write_shown(const std::filesystem::path& path, const run::Registry& registry, const Shown& shown,
                 const run::Clock& clock, const std::string& series = "");

/// Files of a run by openPMD, one for each time at which something is due, called by its step: openpmd_000000001200.h5.
/// openpmd.pmd names them all for ParaView.
class OpenpmdSeries {
public:
  explicit OpenpmdSeries(std::filesystem::path directory) : directory_(std::move(directory)) {}

  void add(const run::Registry& registry, const Shown& shown, const run::Clock& clock);
  /// What was added so far is on the disk when it returns.
  void sync();
  /// Of a run that goes on from the clock's step: removes files of later ones.
  void restore(const run::Clock& clock) const;

private:
  std::filesystem::path directory_;
  std::vector<std::filesystem::path> not_on_disk_{};
  bool listed_ = false; ///< openpmd.pmd has been written, by this process
};

/// How files of fields and particles are written, and when.
struct StateFilesPlan {
  bool vtk = true, openpmd = false;
  double fields_interval = 0; ///< [s], 0: never
  /// Of each set of particles, by its name [s]; 0 or no entry: never.
  std::map<std::string, double> particle_intervals{};
};

/// The files of a run's fields and sets of particles. VTK has one for the fields and one for each set, openPMD one for
/// all that is due at a time.
class StateFiles {
public:
  StateFiles(const StateFilesPlan& plan, std::filesystem::path directory, const run::Registry& state);

  void bind_state(run::Registry& loop);
  /// Where that has been assigned, that of a run that goes on: files that are later are removed. `other_intervals`
  /// names what is due at another interval than before.
  void restore(const run::Clock& clock, const std::set<std::string>& other_intervals);

  /// After each step: true where something is due, which `write` writes.
  bool due(const run::Clock& clock);
  void write(const run::Clock& clock);
  /// What was written so far is on the disk when it returns.
  void sync();
  /// All of the state, as it is; returns which files there are: "dump_fields.vti and dump_parcels.vtp".
  std::string dump(const run::Clock& clock) const;

private:
  struct Particles {
    const run::ParticleSet& set;
    DueTimes due;
    Series series;
    bool is_due = false;
  };

  bool is_due(const run::Entry& entry) const;

  StateFilesPlan plan_;
  std::filesystem::path directory_;
  const run::Registry& state_; ///< wherever it lies
  DueTimes fields_due_;
  bool fields_are_due_ = false;
  Series fields_;
  std::deque<Particles> particles_;
  OpenpmdSeries openpmd_;
};

} // namespace corral::app

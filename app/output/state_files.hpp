#pragma once

#include "app/output/due_times.hpp"
#include "app/output/openpmd/series.hpp"
#include "app/output/vtk/series.hpp"
#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace corral::app {

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
  /// Where that has been assigned, that of a run that goes on: files that are later are removed.
  void restore(const run::Clock& clock);

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

  StateFilesPlan plan_;
  std::filesystem::path directory_;
  const run::Registry& state_;
  DueTimes fields_due_;
  bool fields_are_due_ = false;
  Series fields_;
  std::deque<Particles> particles_;
  OpenpmdSeries openpmd_;
};

} // namespace corral::app

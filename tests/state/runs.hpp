#pragma once

#include "app/case/case_file.hpp"
#include "app/run_loop.hpp"
#include "run/driver.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace corral::test {

/// What a run wrote, by file name; of log.csv and other tables the rows, and of the state at its end every value as bytes.
struct Written {
  std::map<std::string, std::string> files;
  std::map<std::string, std::vector<std::string>> tables;
  std::map<std::string, std::string> state;
  bool operator==(const Written&) const = default;
};

/// The first thing in which two runs differ, "" where there is none.
std::string difference(const Written& a, const Written& b);

struct Run;

/// A run that was stopped, from whose state others go on.
class Stopped {
public:
  explicit Stopped(std::unique_ptr<Run> run);
  Stopped(Stopped&&) noexcept;
  ~Stopped();

  /// Goes on to `steps` steps in a driver and a loop that are made afresh and get a copy of what is saved. Each number
  /// that is not holds `nonsense` by then, but for those that the making of a driver settles for good. What is said not
  /// to be saved, by its name in `Runs::saved`, is such a number, too; or stays as it was made, where `nonsense` is 0.
  Written goes_on(std::int64_t steps, double nonsense, const std::string& not_saved = "") const;

private:
  std::unique_ptr<Run> run_;
  Written before_; ///< what it wrote
};

/// A case, and how its runs write: log, tables, fields and particles at different multiples of its step.
class Runs {
public:
  Runs(app::Case c, double dt);

  /// `steps` steps in one go.
  Written whole(std::int64_t steps) const;
  /// Stopped after `steps` steps; must not outlive this.
  Stopped stopped(std::int64_t steps) const;

  /// Names of all entries that are saved, those of the loop after "loop.", columns after their set's.
  std::vector<std::string> saved() const;

private:
  app::Case case_;
  double dt_;
};

/// Directories of the shipped cases, in alphabetical order.
std::vector<std::filesystem::path> shipped_cases();

/// One of them with `overrides`, "section.key=value" each. Membranes get coarser grids and fewer points: what a run
/// hands on does not depend on how many there are.
Runs shipped(const std::filesystem::path& directory, const std::vector<std::string>& overrides = {});

/// Everything at once, small: gas that comes and goes, solids that do so in every step, through inlets above the bed and in
/// it, a schedule, an adaptive step, the audit.
Runs busy_bed();

/// Walls that slide, pulls, repulsion, tethers on a path, two surfaces of triangles and one of radial functions, random
/// places, an adaptive step, with `overrides`.
Runs busy_membranes(const std::vector<std::string>& overrides = {});
/// Bodies that are fixed, told and free, that touch, in a lattice fluid with an inlet and an outlet.
Runs busy_bodies(const std::vector<std::string>& overrides = {});
/// Beads that fall, fibres, pushers and pullers among them, at random places in a box that is free along z, repulsion, an adaptive
/// step.
Runs busy_beads(const std::vector<std::string>& overrides = {});
/// Rigid spheres, squirmers and heavy ones, a fibre that swims and a bead among them, repulsion.
Runs busy_shells(const std::vector<std::string>& overrides = {});

} // namespace corral::test

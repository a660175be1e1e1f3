#pragma once

#include "membrane/setup/setup.hpp"
#include "membrane/step/step.hpp"
#include "run/driver.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace corral::membrane {

/// The figures of log.csv and the rows of cells.csv.
class MembraneFigures {
public:
  MembraneFigures(const MembraneSetup& setup, std::int64_t membranes)
      : setup_(setup), volumes_(membranes, 0.0), areas_(membranes, 0.0) {}

  void bind_state(run::Registry& registry);
  void start(const MembraneStep& step); ///< the state at time 0: what volumes, areas and angles are told against
  void add(const MembraneStep& step, double time, double dt); ///< after a step, at its end

  /// That a membrane's volume has drifted far, or that the books of energy do not close, each once: what was seen since
  /// the last call.
  std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }

  static std::vector<run::LogColumn> columns();
  /// Ends the interval.
  std::vector<double> row(const MembraneStep& step);
  static std::vector<run::LogColumn> cell_columns();
  run::Rows cell_rows(const MembraneStep& step) const;

  /// What was seen since the last row.
  struct Interval {
    double steps = 0, maps = 0, sorts = 0;
    double speed = 0, courant = 0;
  };

private:
  static const structure::Population& population_of_first(const MembraneStep& step);
  double find_marked(const MembraneStep& step) const;
  double marker_angle(const MembraneStep& step) const;
  void look_at_volumes(const MembraneStep& step, double time);
  void look_at_energy(const MembraneStep& step);
  double missed_energy(const MembraneStep& step) const;

  const MembraneSetup& setup_;
  Interval interval_;
  Array<double> volumes_, areas_; ///< of each membrane at the start
  double marked_ = 0; ///< marker of the first membrane whose turning is told
  double angle_ = 0, turned_ = 0; ///< of that marker: now, and since the start [rad]
  bool told_of_volume_ = false, told_of_energy_ = false;
  std::vector<std::string> notices_;
};

} // namespace corral::membrane

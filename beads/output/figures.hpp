#pragma once

#include "beads/setup/setup.hpp"
#include "beads/step/step.hpp"
#include "run/driver.hpp"
#include "run/notices.hpp"

#include <array>
#include <string>
#include <vector>

namespace corral::beads {

/// The figures of log.csv. Velocities are means since the last row, all else is of the moment.
class BeadFigures {
public:
  explicit BeadFigures(const BeadsSetup& setup);

  void bind_state(run::Registry& registry);
  void start(const BeadsStep& step);                       ///< the state at time 0
  void add(const BeadsStep& step, double time, double dt); ///< after a step, at its end

  std::vector<run::Notice> take_notices() { return notices_.take(); }
  std::vector<std::string> doubts() const { return notices_.doubts(); }

  std::vector<run::LogColumn> columns() const;
  /// Ends the interval.
  std::vector<double> row(const BeadsStep& step);

  /// What was seen since the last row.
  struct Interval {
    double time = 0;              ///< [s]
    geometry::Vector begin{};     ///< mean displacement when it began [m]
    double along = 0, across = 0; ///< squares of what velocities have beside their mean, over time [m2/s]
    double swum = 0;              ///< by swimmers along their axes, mean of all [m]
    double nearest = 0;           ///< least distance of two centres [m]; 0: none was looked at
  };

private:
  /// Of velocities now: along the mean force, or z, and across it, over two axes.
  std::array<double, 2> fluctuations(const BeadsStep& step) const;
  double swimming(const BeadsStep& step) const; ///< speed along axes, mean of all swimmers [m/s]

  const BeadsSetup& setup_;
  geometry::Vector down_; ///< direction of the mean force, or z
  Interval interval_;
  geometry::Vector centre_{}; ///< of all at the start [m]
  run::Doubt overlap_;
  run::Notices notices_;
};

} // namespace corral::beads

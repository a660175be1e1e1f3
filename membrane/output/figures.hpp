#pragma once

#include "membrane/setup/setup.hpp"
#include "membrane/step/energy_books.hpp"
#include "run/driver.hpp"
#include "run/notices.hpp"
#include "structure/surfaces/membranes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace corral::membrane {

/// The ellipse in a plane that has the enclosed volume's second moments: its half axes in the plane of the shear.
struct ShearEllipse {
  double long_axis = 0, short_axis = 0; ///< of the ellipsoid with the same moments [m]
  double inclination = 0;               ///< of the long axis from the direction of the flow towards y, (-pi/2, pi/2] [rad]

  /// (L - B)/(L + B), Taylor's deformation [-].
  double deformation() const { return (long_axis - short_axis) / (long_axis + short_axis); }
};

/// Of the plane of axis `along` (0 or 2) and y.
inline ShearEllipse shear_ellipse(const structure::MembraneMeasures& m, int along) {
  // An ellipsoid's second moment along a half axis a is V a^2/5.
  const double scale = m.volume != 0 ? 5 / m.volume : 0;
  const double xx = scale * m.second_moments[along == 0 ? 0 : 2], yy = scale * m.second_moments[1];
  const double xy = scale * m.second_moments[along == 0 ? 3 : 5];
  const double mean = 0.5 * (xx + yy), apart = std::hypot(0.5 * (xx - yy), xy);
  return {std::sqrt(std::max(mean + apart, 0.0)), std::sqrt(std::max(mean - apart, 0.0)),
          apart > 0 ? 0.5 * std::atan2(2 * xy, xx - yy) : 0.0};
}

/// What a row of log.csv is told of a step.
struct StepFigures {
  const std::vector<structure::MembraneMeasures>& measures;
  const std::vector<structure::Stresslet>& stresslets;
  structure::Stresslet viscous_stresslet;      ///< [N m]
  std::array<double, 3> momentum, net_force;   ///< [kg m/s], [N]
  double kinetic_energy, energy, repulsion_energy; ///< [J]
  const EnergyBooks& work;

  template <class Step>
  explicit StepFigures(const Step& step)
      : measures(step.measures()), stresslets(step.stresslets()), viscous_stresslet(step.viscous_stresslet()),
        momentum(step.fluid().momentum()), net_force(step.net_force()), kinetic_energy(step.fluid().kinetic_energy()),
        energy(step.energy_with(kinetic_energy)), repulsion_energy(step.repulsion_energy()), work(step.work()) {}
};

/// The figures of log.csv and the rows of cells.csv. A Step is a MembraneStep of either processor.
class MembraneFigures {
public:
  MembraneFigures(const MembraneSetup& setup, std::int64_t membranes)
      : setup_(setup), volumes_(membranes, 0.0), areas_(membranes, 0.0) {}

  void bind_state(run::Registry& registry);
  template <class Step> void start(const Step& step); ///< the state at time 0: what volumes, areas and angles are told against
  template <class Step> void add(const Step& step, double time, double dt); ///< after a step, at its end

  /// That a membrane's volume has drifted far, or that the books of energy do not close, each once: what was seen since
  /// the last call.
  std::vector<run::Notice> take_notices() { return notices_.take(); }
  std::vector<std::string> doubts() const { return notices_.doubts(); }

  static std::vector<run::LogColumn> columns();
  /// Ends the interval.
  template <class Step> std::vector<double> row(const Step& step);
  static std::vector<run::LogColumn> cell_columns();
  template <class Step> run::Rows cell_rows(Step& step) const;

  /// What was seen since the last row.
  struct Interval {
    double steps = 0, maps = 0, sorts = 0;
    double speed = 0, courant = 0;
  };

private:
  std::vector<double> row(const StepFigures& step, double least_energy);
  template <class Step> double find_marked(const Step& step) const;
  template <class Step> double marker_angle(const Step& step) const;
  std::vector<double> cell_row(std::int64_t number, std::size_t surface, const structure::MembraneMeasures& m,
                               const std::array<double, 3>& velocity, const std::array<double, 3>& length) const;
  void look_at_volumes(const std::vector<structure::MembraneMeasures>& measures);
  void look_at_energy(const StepFigures& step, double least);

  const MembraneSetup& setup_;
  Interval interval_;
  Array<double> volumes_, areas_; ///< of each membrane at the start
  double marked_ = 0; ///< marker of the first membrane whose turning is told
  double angle_ = 0, turned_ = 0; ///< of that marker: now, and since the start [rad]
  double time_ = 0; ///< of the last step [s]
  run::Doubt volume_, energy_;
  run::Notices notices_;
};

} // namespace corral::membrane

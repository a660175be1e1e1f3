#pragma once

#include "body/setup/setup.hpp"
#include "body/step/step.hpp"
#include "run/driver.hpp"
#include "run/notices.hpp"
#include "structure/surfaces/stresslet.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::body {

/// The figures of log.csv and the rows of bodies.csv. Forces are means over the steps since the last row.
class BodyFigures {
public:
  BodyFigures(const BodySetup& setup, std::int64_t bodies);

  void bind_state(run::Registry& registry);
  // Of a step of either processor (figures.t.hpp).
  template <class Step> void start(const Step& step);                       ///< the state at time 0
  template <class Step> void add(const Step& step, double time, double dt); ///< after a step, at its end

  std::vector<run::Notice> take_notices() { return notices_.take(); }
  std::vector<std::string> doubts() const { return notices_.doubts(); }

  static std::vector<run::LogColumn> columns();
  /// Ends the interval.
  template <class Step> std::vector<double> row(const Step& step);
  static std::vector<run::LogColumn> body_columns();
  /// Ends the interval of these.
  template <class Step> run::Rows body_rows(const Step& step);

  /// What was seen since the last row.
  struct Interval {
    double time = 0, steps = 0, passes = 0; ///< [s]
    double speed = 0, mach = 0, slip = 0; ///< largest [m/s], [-], [m/s]
    std::array<double, 3> impulse{}, sides{}, inner{}; ///< of the fluid on bodies, of sides on it, what their inside took [N s]
    std::array<double, 3> torque{};        ///< about the bodies' centres, over time [N m s]
    structure::Stresslet stresslet{};      ///< of bodies and their contacts, over time [N m s]
    std::array<double, 3> momentum{};      ///< of the fluid when it began [kg m/s]
  };

  /// What a row asks a step for, beside that.
  struct Moment {
    std::int64_t bodies = 0;
    const RigidBody* first = nullptr; ///< null: there is none
    structure::BodyRepulsion::Found contact{};
    std::array<double, 3> momentum{}; ///< of the fluid [kg m/s]
    double kinetic_energy = 0;        ///< likewise [J]
    double fastest = 0, slip = 0;     ///< [m/s]
  };

private:
  void add(const RigidBody& body, std::int64_t number, double dt);
  std::vector<double> row(const Moment& moment);
  std::vector<double> body_row(const RigidBody& body, std::int64_t number) const;
  void end_rows();
  void look_at_slip(const Moment& moment);

  const BodySetup& setup_;
  Interval interval_;
  Array<double> wrenches_; ///< of each body, over the time since its last row, six parts [N s], [N m s]
  double rows_time_ = 0;   ///< [s]
  double time_ = 0; ///< of the last step [s]
  std::int64_t rows_ = 0; ///< of log.csv
  run::Doubt slip_;
  run::Notices notices_;
};

} // namespace corral::body

#include "body/output/figures.hpp"

#include "run/case/values.hpp"

#include <utility>

namespace corral::body {

using namespace structure;

namespace {

using Three = std::array<double, 3>;

/// What a row is made of.
struct LoggedMoment {
  const BodySetup& setup;
  const BodyFigures::Moment& now;
  const BodyFigures::Interval& interval;

  double mean(double sum) const { return interval.time > 0 ? sum / interval.time : 0; }
  double force(std::size_t d) const { return mean(interval.impulse[d]); }
  /// Of what the fluid lost: all forces on it are those of bodies, of sides, and its body force.
  double momentum_force(std::size_t d) const {
    const double volume = setup.size[0] * setup.size[1] * setup.size[2];
    return mean(interval.momentum[d] - now.momentum[d] + interval.sides[d] + interval.inner[d]) +
           (interval.time > 0 ? setup.drive.body_force[d] * volume : 0);
  }
  double stress(std::size_t k) const { return mean(interval.stresslet[k]) / (setup.size[0] * setup.size[1] * setup.size[2]); }
  double of_first(Three (*what)(const RigidBody&), std::size_t d) const { return now.first ? what(*now.first)[d] : 0; }
};

Three place(const RigidBody& b) { return b.state.position; }
Three velocity(const RigidBody& b) { return b.state.velocity; }
Three turning(const RigidBody& b) { return b.state.angular_velocity; }

constexpr std::array parts_of_stress{"xx", "yy", "zz", "xy", "xz", "yz"};

struct LoggedFigure {
  run::LogColumn column;
  double (*value)(const LoggedMoment&);
};

const std::vector<LoggedFigure> figures{
    {{"bodies", "", "how many there are"}, [](const LoggedMoment& m) { return double(m.now.bodies); }},
    {{"force_x", "N", "of the fluid on all bodies, by the forces at their points; mean since the last row"},
     [](const LoggedMoment& m) { return m.force(0); }},
    {{"force_y", "N", "likewise"}, [](const LoggedMoment& m) { return m.force(1); }},
    {{"force_z", "N", "likewise"}, [](const LoggedMoment& m) { return m.force(2); }},
    {{"momentum_force_x", "N", "the same by the momentum that the fluid lost to others than sides and body force"},
     [](const LoggedMoment& m) { return m.momentum_force(0); }},
    {{"momentum_force_y", "N", "likewise"}, [](const LoggedMoment& m) { return m.momentum_force(1); }},
    {{"momentum_force_z", "N", "likewise"}, [](const LoggedMoment& m) { return m.momentum_force(2); }},
    {{"sides_force_x", "N", "of all sides on the fluid, mean since the last row"},
     [](const LoggedMoment& m) { return m.mean(m.interval.sides[0]); }},
    {{"sides_force_y", "N", "likewise"}, [](const LoggedMoment& m) { return m.mean(m.interval.sides[1]); }},
    {{"sides_force_z", "N", "likewise"}, [](const LoggedMoment& m) { return m.mean(m.interval.sides[2]); }},
    {{"torque_x", "N m", "of the fluid on bodies about their centres, summed; mean since the last row"},
     [](const LoggedMoment& m) { return m.mean(m.interval.torque[0]); }},
    {{"torque_y", "N m", "likewise"}, [](const LoggedMoment& m) { return m.mean(m.interval.torque[1]); }},
    {{"torque_z", "N m", "likewise"}, [](const LoggedMoment& m) { return m.mean(m.interval.torque[2]); }},
    {{"stress_xx", "Pa", "that bodies add to the suspension's, over the box: the moments of their forces on the fluid about their "
                         "centres, and of pairs that push each other; mean since the last row"},
     [](const LoggedMoment& m) { return m.stress(0); }},
    {{"stress_yy", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(1); }},
    {{"stress_zz", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(2); }},
    {{"stress_xy", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(3); }},
    {{"stress_xz", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(4); }},
    {{"stress_yz", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(5); }},
    {{"centre_x", "m", "of the first body"}, [](const LoggedMoment& m) { return m.of_first(place, 0); }},
    {{"centre_y", "m", "likewise"}, [](const LoggedMoment& m) { return m.of_first(place, 1); }},
    {{"centre_z", "m", "likewise"}, [](const LoggedMoment& m) { return m.of_first(place, 2); }},
    {{"velocity_x", "m/s", "of the first body"}, [](const LoggedMoment& m) { return m.of_first(velocity, 0); }},
    {{"velocity_y", "m/s", "likewise"}, [](const LoggedMoment& m) { return m.of_first(velocity, 1); }},
    {{"velocity_z", "m/s", "likewise"}, [](const LoggedMoment& m) { return m.of_first(velocity, 2); }},
    {{"turning_x", "rad/s", "of the first body"}, [](const LoggedMoment& m) { return m.of_first(turning, 0); }},
    {{"turning_y", "rad/s", "likewise"}, [](const LoggedMoment& m) { return m.of_first(turning, 1); }},
    {{"turning_z", "rad/s", "likewise"}, [](const LoggedMoment& m) { return m.of_first(turning, 2); }},
    {{"slip", "m/s", "of the fluid at bodies' points, the largest since the last row; one_pass: after what it left"},
     [](const LoggedMoment& m) { return m.interval.slip; }},
    {{"passes", "", "of forcing in a step, mean since the last row"},
     [](const LoggedMoment& m) { return m.interval.steps > 0 ? m.interval.passes / m.interval.steps : 0; }},
    {{"fluid_speed_max", "m/s", "largest part of the fluid's velocity along an axis since the last row"},
     [](const LoggedMoment& m) { return m.interval.speed; }},
    {{"contact_energy", "J", "of bodies that push each other and walls"},
     [](const LoggedMoment& m) { return m.now.contact.energy; }},
    {{"contacts", "", "pairs that push each other"}, [](const LoggedMoment& m) { return double(m.now.contact.contacts); }},
    {{"momentum_x", "kg m/s", "of the fluid"}, [](const LoggedMoment& m) { return m.now.momentum[0]; }},
    {{"momentum_y", "kg m/s", "likewise"}, [](const LoggedMoment& m) { return m.now.momentum[1]; }},
    {{"momentum_z", "kg m/s", "likewise"}, [](const LoggedMoment& m) { return m.now.momentum[2]; }},
    {{"kinetic_energy", "J", "of the fluid, that inside bodies included"},
     [](const LoggedMoment& m) { return m.now.kinetic_energy; }},
};

} // namespace

BodyFigures::BodyFigures(const BodySetup& setup, std::int64_t bodies) : setup_(setup), wrenches_(6 * bodies, 0.0) {}

void BodyFigures::bind_state(run::Registry& registry) {
  registry.bind("interval_time", "s", "since the last row", interval_.time);
  registry.bind("interval_steps", "", "since the last row", interval_.steps);
  registry.bind("interval_passes", "", "since the last row", interval_.passes);
  registry.bind("interval_speed", "m/s", "largest since the last row", interval_.speed);
  registry.bind("interval_slip", "m/s", "largest since the last row", interval_.slip);
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string axis(1, "xyz"[d]);
    registry.bind("interval_impulse_" + axis, "N s", "of the fluid on bodies since the last row", interval_.impulse[d]);
    registry.bind("interval_sides_" + axis, "N s", "of sides on the fluid since the last row", interval_.sides[d]);
    registry.bind("interval_inner_" + axis, "N s", "that the fluid inside bodies took since the last row", interval_.inner[d]);
    registry.bind("interval_torque_" + axis, "N m s", "of the fluid on bodies since the last row", interval_.torque[d]);
    registry.bind("interval_momentum_" + axis, "kg m/s", "of the fluid at the last row", interval_.momentum[d]);
  }
  for (std::size_t k = 0; k < interval_.stresslet.size(); ++k)
    registry.bind("interval_stresslet_" + std::string(parts_of_stress[k]), "N m s", "of bodies and contacts since the last row",
                  interval_.stresslet[k]);
  registry.bind("bodies_wrenches", "N s", "of the fluid on each body since its last row, six parts", wrenches_);
  registry.bind("bodies_rows_time", "s", "since that row", rows_time_);
  registry.bind("log_rows", "of log.csv so far", rows_);
  notices_.bind(slip_, registry, "slip_of_bodies", "the fluid slipped at bodies", "of the largest speed");
}

void BodyFigures::add(const RigidBody& body, std::int64_t number, double dt) {
  for (std::size_t d = 0; d < 3; ++d) {
    const auto at = 6 * number + static_cast<std::int64_t>(d);
    wrenches_[at] += dt * body.load.force[d];
    wrenches_[at + 3] += dt * body.load.torque[d];
    interval_.impulse[d] += dt * body.load.force[d];
    interval_.torque[d] += dt * body.load.torque[d];
    interval_.inner[d] += dt * body.inner[d];
  }
}

/// Not at the start, where fluid that rests is hit by bodies that move.
void BodyFigures::look_at_slip(const Moment& moment) {
  constexpr double far = 0.1;
  const ForcingModel& model = setup_.forcing;
  const double share = moment.fastest > 0 && moment.bodies > 0 ? moment.slip / moment.fastest : 0;
  if (rows_ > 1 && share > (model.slip > 0 ? model.slip : far))
    notices_.warn(slip_, share, time_, [&] {
      return "the fluid slips at bodies by " + run::brief(share) + " of the largest speed at " + run::brief(time_) + " s: " +
             (model.slip > 0 ? "forcing.passes = " + std::to_string(model.passes) + " do not reach forcing.slip = " + run::brief(model.slip)
                             : std::string("forcing.scheme = multi_direct holds it better"));
    });
  ++rows_;
}

std::vector<run::LogColumn> BodyFigures::columns() {
  std::vector<run::LogColumn> all;
  for (const LoggedFigure& f : figures) all.push_back(f.column);
  return all;
}

std::vector<double> BodyFigures::row(const Moment& moment) {
  const LoggedMoment logged{setup_, moment, interval_};
  std::vector<double> values;
  for (const LoggedFigure& f : figures) values.push_back(f.value(logged));
  look_at_slip(moment);
  interval_ = {};
  interval_.momentum = moment.momentum;
  return values;
}

std::vector<run::LogColumn> BodyFigures::body_columns() {
  return {{"body", "", "its number"},
          {"shape", "", "place of its [shape.NAME] block in the case, from 0"},
          {"centre_x", "m", "of mass"},
          {"centre_y", "m", "likewise"},
          {"centre_z", "m", "likewise"},
          {"turn_w", "", "of the quaternion that turns the shape to where it is"},
          {"turn_x", "", "likewise"},
          {"turn_y", "", "likewise"},
          {"turn_z", "", "likewise"},
          {"velocity_x", "m/s", "of the centre"},
          {"velocity_y", "m/s", "likewise"},
          {"velocity_z", "m/s", "likewise"},
          {"turning_x", "rad/s", "angular velocity"},
          {"turning_y", "rad/s", "likewise"},
          {"turning_z", "rad/s", "likewise"},
          {"force_x", "N", "of the fluid, mean since the last row"},
          {"force_y", "N", "likewise"},
          {"force_z", "N", "likewise"},
          {"torque_x", "N m", "of the fluid about the centre, mean since the last row"},
          {"torque_y", "N m", "likewise"},
          {"torque_z", "N m", "likewise"}};
}

std::vector<double> BodyFigures::body_row(const RigidBody& body, std::int64_t number) const {
  std::vector<double> row{double(number), double(body.kind)};
  const auto append = [&row](const auto& values) { row.insert(row.end(), values.begin(), values.end()); };
  append(body.state.position);
  append(body.state.orientation);
  append(body.state.velocity);
  append(body.state.angular_velocity);
  for (std::int64_t k = 6 * number; k < 6 * number + 6; ++k) row.push_back(rows_time_ > 0 ? wrenches_[k] / rows_time_ : 0);
  return row;
}

void BodyFigures::end_rows() {
  wrenches_.fill(0.0);
  rows_time_ = 0;
}

} // namespace corral::body

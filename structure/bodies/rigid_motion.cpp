#include "structure/bodies/rigid_motion.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace corral::structure {

namespace {

using namespace geometry; // the vectors' operators

Vector without(const Vector& x, const std::array<bool, 3>& frozen) {
  return {frozen[0] ? 0 : x[0], frozen[1] ? 0 : x[1], frozen[2] ? 0 : x[2]};
}

/// The matrix of r x, in r x v.
std::array<Vector, 3> cross_matrix(const Vector& r) { return {{{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}}}; }

Matrix<3> full(const SymmetricMatrix& m) { return {{{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}}}; }

/// Unknowns and equations of a kick. Angular velocities are counted in speeds at a length, so that all have one size.
struct Equations {
  Matrix<6> matrix{};
  std::array<double, 6> right{};
  double length;

  void freeze(std::size_t i) {
    for (std::size_t j = 0; j < 6; ++j) matrix[i][j] = matrix[j][i] = 0;
    matrix[i][i] = 1, right[i] = 0;
  }
};

Equations equations_of(const RigidInertia& body, const Coupling& coupling, const BodyLoad& beside, double dt,
                       const RigidState& was) {
  Equations e;
  e.length = std::sqrt((body.moments[0] + body.moments[1] + body.moments[2]) / body.volume);
  const double excess = body.density - body.fluid_density, added = body.virtual_mass * body.fluid_density;
  const Vector force = coupling.load.force + beside.force, torque = coupling.load.torque + beside.torque;
  for (std::size_t i = 0; i < 3; ++i) {
    e.right[i] = body.volume * ((excess + added) * was.velocity[i] + dt * added * was.acceleration[i]) + dt * force[i];
    e.right[i + 3] = ((excess + added) * was.spin[i] + dt * (added * was.spin_rate[i] + torque[i])) / e.length;
    e.matrix[i][i] = body.volume * (excess + added);
  }
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      e.matrix[i][j] += dt * coupling.resistance[i][j] / ((i < 3 ? 1 : e.length) * (j < 3 ? 1 : e.length));
  return e;
}

SymmetricMatrix moments_after(const RigidInertia& body, const RigidState& was, const Vector& turn) {
  return turned(body.moments, Rotation::from_quaternion(product(turn_by(turn), was.orientation)));
}

constexpr double most_turned_in_step = std::numbers::pi / 2;

[[noreturn]] void refuse_turn(const Vector& w, double dt) {
  throw Error("a body turns by " + run::brief(length(w) * dt) + " rad in a step (the middle of a step is found up to " +
              run::brief(most_turned_in_step) + ") take a smaller step");
}

/// Whether it matters how far a body turns.
bool changed(const SymmetricMatrix& moments, const SymmetricMatrix& before) {
  for (std::size_t i = 0; i < 6; ++i)
    if (std::abs(moments[i] - before[i]) > 1e-9 * before[0]) return true;
  return false;
}

/// h = I w in the middle of the step, which w leads to: by repetition, each of which divides the error by 1/(dt w).
std::array<double, 6> solution(const RigidInertia& body, const Equations& e, double dt, const RigidState& was,
                               SymmetricMatrix& moments) {
  const double mass = body.density + (body.virtual_mass - 1) * body.fluid_density;
  Vector w = was.angular_velocity;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 200; ++round) {
    Equations now = e;
    moments = moments_after(body, was, (0.5 * dt) * w);
    const Matrix<3> turned_moments = full(moments);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        now.matrix[i + 3][j + 3] += mass * turned_moments[i][j] / (e.length * e.length);
    for (std::size_t i = 0; i < 3; ++i) {
      if (body.frozen_translation[i]) now.freeze(i);
      if (body.frozen_rotation[i]) now.freeze(i + 3);
    }
    if (!solve(now.matrix, now.right))
      throw Error("a body that nothing holds (it is as heavy as its fluid, and no point of it is coupled to that, or it is "
                  "lighter) give it another density, or a virtual mass");
    const Vector found{now.right[3] / e.length, now.right[4] / e.length, now.right[5] / e.length};
    const double change = length(found - w), size = length(found);
    w = found;
    if (dt * size > most_turned_in_step && changed(moments, moments_after(body, was, {}))) break;
    // To round-off, below which changes fall no more.
    if (change <= 1e-15 * size || (change <= 1e-12 * size && change >= 0.5 * least)) return now.right;
    least = std::min(least, change);
  }
  refuse_turn(w, dt);
}

} // namespace

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion turn_by(const Vector& by) {
  const double angle = length(by), s = angle > 1e-8 ? std::sin(0.5 * angle) / angle : 0.5;
  return {std::cos(0.5 * angle), s * by[0], s * by[1], s * by[2]};
}

// Of the four squares the largest is found first (Shepperd 1978).
Quaternion quaternion_of(const Rotation& rotation) {
  const auto& r = rotation.rows();
  const double trace = r[0][0] + r[1][1] + r[2][2];
  const std::array<double, 4> four{trace, 2 * r[0][0] - trace, 2 * r[1][1] - trace, 2 * r[2][2] - trace};
  const auto k = static_cast<std::size_t>(std::max_element(four.begin(), four.end()) - four.begin());
  const std::array<double, 3> odd{r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
  Quaternion q{};
  q[k] = 1 + four[k];
  for (std::size_t i = 0; i < 3; ++i)
    if (k == 0) q[i + 1] = odd[i];
    else if (i + 1 != k) q[i + 1] = r[k - 1][i] + r[i][k - 1];
  if (k > 0) q[0] = odd[k - 1];
  const double size = (q[0] < 0 ? -1 : 1) * std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  for (double& value : q) value /= size;
  return q;
}

RigidInertia rigid_inertia(const BodyShape& shape, const MotionModel& motion, double fluid_density) {
  RigidInertia body{shape.volume, shape.inertia, motion.density, fluid_density, motion.virtual_mass,
                    motion.frozen_translation, motion.frozen_rotation};
  if (shape.planar) body.frozen_translation[2] = body.frozen_rotation[0] = body.frozen_rotation[1] = true;
  return body;
}

RigidState placed(const RigidInertia& body, const Placement& at, const Vector& velocity, const Vector& angular_velocity) {
  RigidState state;
  state.position = at.position;
  state.orientation = quaternion_of(at.rotation);
  state.velocity = without(velocity, body.frozen_translation);
  state.angular_velocity = without(angular_velocity, body.frozen_rotation);
  state.spin = times(turned(body.moments, at.rotation), state.angular_velocity);
  return state;
}

BodyLoad& BodyLoad::operator+=(const BodyLoad& other) {
  force = force + other.force, torque = torque + other.torque;
  return *this;
}

void PointPulls::add(double strength, const Vector& lever, const Vector& u) {
  c += strength;
  cr = cr + strength * lever;
  for (std::size_t d = 0; d < 3; ++d) crr[d] += strength * lever[d] * lever[d];
  crr[3] += strength * lever[0] * lever[1], crr[4] += strength * lever[0] * lever[2], crr[5] += strength * lever[1] * lever[2];
  load.force = load.force + strength * u;
  load.torque = load.torque + strength * cross(lever, u);
}

PointPulls& PointPulls::operator+=(const PointPulls& other) {
  c += other.c, cr = cr + other.cr, load += other.load;
  for (std::size_t i = 0; i < 6; ++i) crr[i] += other.crr[i];
  return *this;
}

// c (U + w x r) is c U - [c r] w, and r x that is [c r] U + c (r r - r r^T) w.
Coupling coupling_of(const PointPulls& pulls) {
  Coupling coupling;
  coupling.load = pulls.load;
  const std::array<Vector, 3> lever = cross_matrix(pulls.cr);
  const Matrix<3> turning = full(inertia_of(pulls.crr));
  for (std::size_t i = 0; i < 3; ++i) {
    coupling.resistance[i][i] = pulls.c;
    for (std::size_t j = 0; j < 3; ++j) {
      coupling.resistance[i][j + 3] = -lever[i][j];
      coupling.resistance[i + 3][j] = lever[i][j];
      coupling.resistance[i + 3][j + 3] = turning[i][j];
    }
  }
  return coupling;
}

BodyLoad load_of(const Coupling& coupling, const RigidState& state) {
  BodyLoad load = coupling.load;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      const double v = coupling.resistance[i][j] * (j < 3 ? state.velocity[j] : state.angular_velocity[j - 3]);
      (i < 3 ? load.force[i] : load.torque[i - 3]) -= v;
    }
  return load;
}

void kick(const RigidInertia& body, const Coupling& coupling, const BodyLoad& beside, double dt, double first,
          RigidState& state) {
  const double acts = first * dt;
  const Equations equations = equations_of(body, coupling, beside, acts, state);
  SymmetricMatrix moments{};
  const std::array<double, 6> found = solution(body, equations, dt, state, moments);
  const RigidState was = state;
  for (std::size_t d = 0; d < 3; ++d) {
    state.velocity[d] = found[d];
    state.angular_velocity[d] = found[d + 3] / equations.length;
  }
  const bool loaded = length(beside.torque) > 0 || length(coupling.load.torque) > 0 || coupling.resistance != Matrix<6>{} ||
                      body.frozen_rotation != std::array<bool, 3>{} || length(was.spin_rate) > 0;
  if (loaded) state.spin = times(moments, state.angular_velocity); // otherwise it is what it was, to the bit
  state.acceleration = (1 / acts) * (state.velocity - was.velocity);
  state.spin_rate = (1 / acts) * (state.spin - was.spin);
}

void drift(double dt, RigidState& state) {
  state.position = state.position + dt * state.velocity;
  state.orientation = product(turn_by(dt * state.angular_velocity), state.orientation);
  const Quaternion& q = state.orientation;
  const double size = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  for (double& value : state.orientation) value /= size;
}

double least_virtual_mass(double density_ratio, double hold, double added_mass) {
  const double lacking = 1 - density_ratio, moved = 1 + added_mass;
  if (hold >= 2 * moved) return 0; // so many points hold more than moves: in one step the fluid turns round with the body
  return std::max({0.0, moved * (lacking / hold - 1), 0.5 * (lacking - hold / (2 - hold / moved))});
}

double kinetic_energy(const RigidInertia& body, const RigidState& state) {
  return 0.5 * body.density *
         (body.volume * dot(state.velocity, state.velocity) + dot(state.spin, state.angular_velocity));
}

} // namespace corral::structure

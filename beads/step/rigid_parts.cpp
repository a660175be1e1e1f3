#include "beads/step/rigid_parts.hpp"

#include "structure/bodies/rigid_motion.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::beads {

using namespace geometry;
using stokes::RigidShape, stokes::Six;
using structure::ConstPoints, structure::Points, structure::Quaternion;

namespace {

/// Of a force-free shell whose beads slip so, without 8 pi mu: its speed along z, and the dipole of its forces on the fluid,
/// z z less the mean of x x and y y.
struct Swim {
  double speed, dipole;
};
Swim swim_of(const RigidShape& shape, const std::vector<Vector>& slip) {
  std::vector<double> f;
  for (const Vector& u : slip) f.insert(f.end(), u.begin(), u.end());
  shape.solve(f);
  const Six motion = shape.motion(shape.load(f)); // of forces as large the other way
  shape.add_reaction(motion, -1, f);
  Swim swim{-motion[2], 0};
  for (std::size_t b = 0; b < slip.size(); ++b) {
    const Vector& x = shape.beads()[b];
    swim.dipole += f[3 * b + 2] * x[2] - 0.5 * (f[3 * b] * x[0] + f[3 * b + 1] * x[1]);
  }
  return swim;
}

std::vector<RigidShape> shapes_of(const BeadsSetup& setup) {
  std::vector<RigidShape> shapes;
  for (const BeadGroup& group : setup.groups)
    if (group.rigid())
      shapes.emplace_back(group.shell.beads, setup.radius,
                          group.shell.swims() ? squirming(group.shell, setup.radius) : std::vector<Vector>{});
    else
      shapes.emplace_back(std::vector<Vector>{Vector{}}, setup.radius);
  shapes.emplace_back(std::vector<Vector>{Vector{}}, setup.radius); // of a source alone
  return shapes;
}

} // namespace

std::vector<Vector> squirming(const ShellModel& model, double bead_radius) {
  const RigidShape shape(model.beads, bead_radius);
  std::vector<Vector> first, second;
  for (const Vector& x : model.beads) {
    const Vector n = direction(x), along{n[2] * n[0], n[2] * n[1], n[2] * n[2] - 1}; // sin(theta) along the polar angle
    first.push_back(along);
    second.push_back(n[2] * along);
  }
  // Alone a sphere has the speed 2/3 B1, and the dipole -4 pi mu R^2 B2.
  const double B1 = 1.5 * model.speed, B2 = model.dipole * B1;
  const double of_first = model.speed / swim_of(shape, first).speed;
  const double of_second = -0.5 * model.radius * model.radius * B2 / swim_of(shape, second).dipole;
  std::vector<Vector> slip;
  for (std::size_t b = 0; b < first.size(); ++b) slip.push_back(of_first * first[b] + of_second * second[b]);
  return slip;
}

RigidParts::RigidParts(const BeadsSetup& setup, std::span<const Assembly> assemblies, std::int64_t sources,
                       stokes::Mobility& mobility, run::Registry& registry)
    : setup_(setup), assemblies_(assemblies), mobility_(mobility, shapes_of(setup), setup.tolerance) {
  std::vector<bool> of_rigid(static_cast<std::size_t>(sources), false);
  for (std::int64_t a = 0; a < std::ssize(assemblies); ++a) {
    const Assembly& of = assemblies[static_cast<std::size_t>(a)];
    number_.push_back(setup.groups[of.group].rigid() ? std::ssize(rigid_) : -1);
    if (number_.back() < 0) continue;
    rigid_.push_back(a);
    std::fill_n(of_rigid.begin() + of.first, of.beads, true);
  }
  for (std::int64_t i = 0; i < sources; ++i)
    if (!of_rigid[static_cast<std::size_t>(i)]) alone_.push_back(i);
  const auto m = std::ssize(rigid_);
  places_.resize(place_numbers * m, 0.0);
  for (Array<double>* a : {&motions_, &before_, &found_}) a->resize(motion_numbers * m, 0.0);
  for (std::size_t g = 0, r = 0; g < setup.groups.size(); ++g)
    for (std::size_t k = 0; setup.groups[g].rigid() && k < setup.places[g].size(); ++k, ++r) {
      const Placement& at = setup.places[g][k];
      const Quaternion q = structure::quaternion_of(at.rotation);
      double* const to = places_.data() + place_numbers * static_cast<std::int64_t>(r);
      std::copy(at.position.begin(), at.position.end(), to);
      std::copy(q.begin(), q.end(), to + 3);
    }
  if (m == 0) return;
  registry.bind("rigid_places", "", "centre [m] and turn, as a quaternion, of each rigid assembly", places_);
  registry.bind("rigid_motions", "", "velocity [m/s] and angular velocity [rad/s] of each rigid assembly", motions_);
  if (setup.time.scheme == Scheme::ab2) registry.bind("rigid_motions_before", "", "likewise at the start of the last step", before_);
}

Vector RigidParts::centre(const Array<double>& places, std::int64_t r) const {
  const double* const at = places.data() + place_numbers * r;
  return {at[0], at[1], at[2]};
}
Rotation RigidParts::turned(const Array<double>& places, std::int64_t r) const {
  const double* const at = places.data() + place_numbers * r + 3;
  return Rotation::from_quaternion({at[0], at[1], at[2], at[3]});
}
Vector RigidParts::axis(std::int64_t r) const { return turned(places_, r)({0, 0, 1}); }

void RigidParts::move(double dt, double share, const Array<double>& U, double other, const Array<double>& V,
                      Array<double>& to) const {
  to.resize(places_.size());
  for_each(Cpu{}, std::ssize(rigid_), [&](std::int64_t r) {
    const double *const from = places_.data() + place_numbers * r, *const u = U.data() + motion_numbers * r,
                        *const v = V.data() + motion_numbers * r;
    double* const at = to.data() + place_numbers * r;
    for (int d = 0; d < 3; ++d) at[d] = from[d] + dt * (share * u[d] + other * v[d]);
    const auto turn = [&](int d) { return dt * (share * u[3 + d] + other * v[3 + d]); };
    Quaternion q = structure::product(structure::turn_by({turn(0), turn(1), turn(2)}), {from[3], from[4], from[5], from[6]});
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (std::size_t k = 0; k < 4; ++k) at[3 + k] = q[k] / size;
  });
}

void RigidParts::put(const Array<double>& places, const Points& x) const {
  for_each(Cpu{}, std::ssize(rigid_), [&](std::int64_t r) {
    const Assembly& of = assemblies_[static_cast<std::size_t>(rigid_[static_cast<std::size_t>(r)])];
    const Placement at{turned(places, r), centre(places, r)};
    const std::vector<Vector>& beads = setup_.groups[of.group].shell.beads;
    for (std::int64_t k = 0; k < of.beads; ++k) {
      const Vector place = at(beads[static_cast<std::size_t>(k)]);
      for (std::size_t d = 0; d < 3; ++d) x[d][of.first + k] = place[d];
    }
  });
}

void RigidParts::solve(const Array<double>& places, const Vector& shift, const ConstPoints& at, const ConstPoints& force,
                       const Points& velocity) {
  const auto m = std::ssize(rigid_);
  const std::size_t all = rigid_.size() + alone_.size();
  at_.resize(all);
  loads_.resize(all);
  six_.resize(all);
  for_each(Cpu{}, m, [&](std::int64_t r) {
    const auto i = static_cast<std::size_t>(r);
    const Assembly& of = assemblies_[static_cast<std::size_t>(rigid_[i])];
    at_[i] = {of.group, centre(places, r) + shift, turned(places, r)};
    Vector sum{}, torque{};
    for (std::int64_t k = of.first; k < of.first + of.beads; ++k) {
      const Vector f{force[0][k], force[1][k], force[2][k]}, x{at[0][k], at[1][k], at[2][k]};
      sum = sum + f;
      torque = torque + cross(x - at_[i].centre, f);
    }
    loads_[i] = {sum[0], sum[1], sum[2], torque[0], torque[1], torque[2]};
  });
  for_each(Cpu{}, std::ssize(alone_), [&](std::int64_t s) {
    const std::int64_t k = alone_[static_cast<std::size_t>(s)];
    const auto i = static_cast<std::size_t>(m + s);
    at_[i] = {setup_.groups.size(), {at[0][k], at[1][k], at[2][k]}, {}};
    loads_[i] = {force[0][k], force[1][k], force[2][k], 0, 0, 0};
  });
  mobility_.forget(); // the same bits whatever came before
  mobility_(Cpu{}, at_, loads_, six_);
  for_each(Cpu{}, m, [&](std::int64_t r) {
    const auto i = static_cast<std::size_t>(r);
    const Assembly& of = assemblies_[static_cast<std::size_t>(rigid_[i])];
    const Six& u = six_[i];
    std::copy(u.begin(), u.end(), found_.data() + motion_numbers * r);
    for (std::int64_t k = of.first; k < of.first + of.beads; ++k) {
      const Vector arm = Vector{at[0][k], at[1][k], at[2][k]} - at_[i].centre;
      const Vector v = Vector{u[0], u[1], u[2]} + cross(Vector{u[3], u[4], u[5]}, arm);
      for (std::size_t d = 0; d < 3; ++d) velocity[d][k] = v[d];
    }
  });
  for_each(Cpu{}, std::ssize(alone_), [&](std::int64_t s) {
    const Six& u = six_[static_cast<std::size_t>(m + s)];
    for (std::size_t d = 0; d < 3; ++d) velocity[d][alone_[static_cast<std::size_t>(s)]] = u[d];
  });
}

} // namespace corral::beads

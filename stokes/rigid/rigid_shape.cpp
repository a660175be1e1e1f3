#include "stokes/rigid/rigid_shape.hpp"

#include "geometry/shapes/shapes.hpp"
#include "stokes/sums/spheres.hpp"

#include <corral/error.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace corral::stokes {
namespace {

using namespace geometry;

bool finite(const std::vector<Vector>& all) {
  return std::ranges::all_of(
      all, [](const Vector& v) { return std::ranges::all_of(v, [](double x) { return std::isfinite(x); }); });
}

Eigen::MatrixXd mobility(const std::vector<Vector>& beads, double a) {
  const auto n = static_cast<Eigen::Index>(beads.size());
  Eigen::MatrixXd M(3 * n, 3 * n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const Vector r = beads[static_cast<std::size_t>(i)] - beads[static_cast<std::size_t>(j)];
      const double square = dot(r, r);
      const SpherePair<double> pair = spheres(a, std::sqrt(square));
      const double pull = square > 0 ? (pair.along - pair.across) / square : 0;
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) {
          const auto row = 3 * i + static_cast<Eigen::Index>(k), column = 3 * j + static_cast<Eigen::Index>(l);
          M(row, column) = (k == l ? pair.across : 0) + pull * r[k] * r[l];
          M(column, row) = M(row, column);
        }
    }
  return M;
}

} // namespace

struct RigidShape::Factors {
  Eigen::LLT<Eigen::MatrixXd> of_beads;
  Eigen::Matrix<double, Eigen::Dynamic, 6> reactions; ///< forces of motions
  Eigen::Matrix<double, 6, 6> alone;                  ///< motion of a load
};

RigidShape::RigidShape(std::vector<Vector> beads, double radius, std::vector<Vector> slip)
    : beads_(std::move(beads)), slip_(std::move(slip)), factors_(std::make_unique<Factors>()) {
  if (beads_.empty()) throw Error("a rigid body without beads");
  if (!(radius > 0) || !std::isfinite(radius))
    throw Error("beads of the radius " + std::to_string(radius) + " m (it must be positive)");
  if (!slip_.empty() && slip_.size() != beads_.size())
    throw Error(std::to_string(slip_.size()) + " slips of " + std::to_string(beads_.size()) +
                " beads (one each, or none)");
  if (!finite(beads_) || !finite(slip_))
    throw Error("a bead of a rigid body is not at a finite place, or has no finite slip");
  factors_->of_beads.compute(mobility(beads_, radius));
  const double least = factors_->of_beads.matrixLLT().diagonal().minCoeff();
  if (factors_->of_beads.info() != Eigen::Success || !(least * least > 1e-9 / radius))
    throw Error("beads of a rigid body are in one place, or nearly so (take some out)");
  Eigen::Matrix<double, 6, 6> resistance;
  factors_->reactions.resize(static_cast<Eigen::Index>(3 * beads_.size()), 6);
  for (std::size_t c = 0; c < 6; ++c) {
    std::vector<double> v(3 * beads_.size(), 0.0);
    Six unit{};
    unit[c] = 1;
    add_motion(unit, 1, v);
    solve(v);
    factors_->reactions.col(static_cast<Eigen::Index>(c)) =
        Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
    const Six reaction = load(v);
    for (std::size_t r = 0; r < 6; ++r)
      resistance(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = reaction[r];
  }
  // Lengths in units of the body's size: what turns no bead has an eigenvalue of 0.
  double size = radius;
  for (const Vector& x : beads_) size = std::max(size, length(x));
  Eigen::Matrix<double, 6, 1> scale;
  scale << 1, 1, 1, 1 / size, 1 / size, 1 / size;
  const Eigen::Matrix<double, 6, 6> scaled =
      scale.asDiagonal() * (0.5 * (resistance + resistance.transpose())) * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(scaled);
  const Eigen::Matrix<double, 6, 1> values = solver.eigenvalues();
  const Eigen::Matrix<double, 6, 1> inverse =
      values.unaryExpr([&](double v) { return v > 1e-9 * values[5] ? 1 / v : 0; });
  factors_->alone = scale.asDiagonal() * solver.eigenvectors() * inverse.asDiagonal() *
                    solver.eigenvectors().transpose() * scale.asDiagonal();
}

RigidShape::~RigidShape() = default;
RigidShape::RigidShape(RigidShape&&) noexcept = default;
RigidShape& RigidShape::operator=(RigidShape&&) noexcept = default;

void RigidShape::solve(std::span<double> x) const {
  Eigen::Map<Eigen::VectorXd> v(x.data(), static_cast<Eigen::Index>(x.size()));
  factors_->of_beads.solveInPlace(v);
}

Six RigidShape::motion(const Six& load) const {
  Six result;
  Eigen::Map<Eigen::Matrix<double, 6, 1>>(result.data()) =
      factors_->alone * Eigen::Map<const Eigen::Matrix<double, 6, 1>>(load.data());
  return result;
}

double RigidShape::hydrodynamic_radius() const { return 4 / factors_->alone.topLeftCorner<3, 3>().trace(); }

Six RigidShape::load(std::span<const double> forces) const {
  Vector force{}, torque{};
  for (std::size_t b = 0; b < beads_.size(); ++b) {
    const Vector f{forces[3 * b], forces[3 * b + 1], forces[3 * b + 2]};
    force = force + f;
    torque = torque + cross(beads_[b], f);
  }
  return {force[0], force[1], force[2], torque[0], torque[1], torque[2]};
}

void RigidShape::add_motion(const Six& m, double factor, std::span<double> velocities) const {
  for (std::size_t b = 0; b < beads_.size(); ++b) {
    const Vector u = Vector{m[0], m[1], m[2]} + cross(Vector{m[3], m[4], m[5]}, beads_[b]);
    for (std::size_t d = 0; d < 3; ++d) velocities[3 * b + d] += factor * u[d];
  }
}

void RigidShape::add_reaction(const Six& m, double factor, std::span<double> forces) const {
  Eigen::Map<Eigen::VectorXd>(forces.data(), static_cast<Eigen::Index>(forces.size())) +=
      factor * (factors_->reactions * Eigen::Map<const Eigen::Matrix<double, 6, 1>>(m.data()));
}

namespace {

std::vector<Vector> unit_shell(int frequency) {
  const Surface surface = icosphere(frequency);
  return {surface.points.begin(), surface.points.end()};
}
double least_distance(const std::vector<Vector>& beads) {
  double nearest = 2;
  for (std::size_t i = 1; i < beads.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) nearest = std::min(nearest, length(beads[i] - beads[j]));
  return nearest;
}

} // namespace

Shell sphere_shell(double radius, int frequency) {
  if (!(radius > 0) || !std::isfinite(radius))
    throw Error("a shell of the radius " + std::to_string(radius) + " m (it must be positive)");
  if (frequency < 1 || frequency > 12)
    throw Error("a shell of the frequency " + std::to_string(frequency) + " (1 to 12)");
  Shell shell{unit_shell(frequency), 0};
  const double bead = least_distance(shell.beads) / 2;
  const double by = radius / RigidShape(shell.beads, bead).hydrodynamic_radius();
  geometry::scale(shell.beads, by);
  shell.radius = by * bead;
  return shell;
}

Shell sphere_shell_of(double radius, double bead) {
  if (!(radius > 0 && bead > 0) || !std::isfinite(radius) || !std::isfinite(bead))
    throw Error("a shell of the radius " + std::to_string(radius) + " m of beads of " + std::to_string(bead) +
                " m (both must be positive)");
  constexpr double least_spacing = 1.8;
  constexpr int most = 8;
  // Beads stand inside the sphere, by about so much of their radius: 0.4 where they touch.
  const auto room = [&](int frequency) {
    return (radius - 0.4 * bead) * least_distance(unit_shell(frequency)) / bead >= least_spacing;
  };
  if (!room(1))
    throw Error("a sphere of " + std::to_string(radius / bead) + " radii of its beads (12 beads, the fewest, need 2.2)");
  int frequency = 1;
  while (room(frequency + 1)) ++frequency;
  if (frequency > most)
    throw Error("a sphere of " + std::to_string(radius / bead) + " radii of its beads (642 beads, the most, cover 15)");
  // So far from the centre that the radius is right: by secants, of what is nearly a straight line.
  const std::vector<Vector> unit = unit_shell(frequency);
  const auto placed = [&](double distance) {
    std::vector<Vector> beads = unit;
    geometry::scale(beads, distance);
    return beads;
  };
  const auto lacking = [&](double distance) { return radius - RigidShape(placed(distance), bead).hydrodynamic_radius(); };
  double before = radius - 0.6 * bead, now = radius - 0.4 * bead, lack_before = lacking(before);
  for (int i = 0; i < 8; ++i) {
    const double lack = lacking(now);
    if (std::abs(lack) < 1e-9 * radius) break;
    const double next = now + lack * (now - before) / (lack_before - lack);
    before = now, lack_before = lack, now = next;
  }
  return {placed(now), bead};
}

} // namespace corral::stokes

#include "structure/bodies/direct_forcing.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::structure {

namespace {

// What the points' volumes may miss, of bodies at rest and of others; these change little from step to step, and go on.
constexpr double at_rest = 1e-10, on_the_move = 1e-4;
constexpr int from_nothing = 2000, in_a_step = 6;

/// What the parts of a body's velocity, linear and angular, are at a point along d.
std::array<double, 6> parts(std::size_t d, const geometry::Vector& arm) {
  geometry::Vector unit{};
  unit[d] = 1;
  const geometry::Vector turning = geometry::cross(arm, unit);
  return {unit[0], unit[1], unit[2], turning[0], turning[1], turning[2]};
}

// Of a heavy ball whose operator has eigenvalues of .005 to 2: those of one body lie below 1, of two that touch below 2. A pass
// leaves .9 of each part of slip, where one by itself leaves .995 of the slowest.
constexpr double longer = 1.8, share_of_the_last = 0.8;

} // namespace

DirectForcing::DirectForcing(const Grid& grid, BodyPoints& points, MarkerMaps& maps, const std::string& kernel, Fluid<Cpu>& fluid,
                             double density, double acts)
    : grid_(grid), points_(points), maps_(maps), fluid_(fluid), density_(density), acts_(acts), support_(widest_support(kernel)), volumes_(grid, kernel, fluid.staggering()) {
  for (std::int64_t b = 0; b < points.bodies(); ++b) volumes_.add(points.first(b + 1) - points.first(b));
  for (std::size_t d = 0; d < 3; ++d) {
    seen_[d].resize(points.size(), 0.0);
    added_[d].resize(points.size(), 0.0);
  }
}

void DirectForcing::find_volumes(Cpu cpu, bool moved) {
  if (moved || !found_) volumes_.find(cpu, points_.at(), moved ? on_the_move : at_rest, moved && found_ ? in_a_step : from_nothing);
  found_ = true;
}

void DirectForcing::begin(Cpu cpu) { field_ = fluid_.begin_forces(cpu, points_.reached(support_)); }

void DirectForcing::first_forces(Cpu cpu, bool go_on) {
  if (go_on) return spread(cpu, std::as_const(points_).force());
  for (double* const f : points_.force()) for_each(cpu, points_.size(), [f](std::int64_t p) { f[p] = 0; });
}

void DirectForcing::spread(Cpu cpu, const ConstPoints& forces) {
  maps_.spread(cpu, points_.order(), points_.size(), forces, field_);
}

void DirectForcing::look(Cpu cpu, double dt) {
  fluid_.foresee(cpu, dt);
  maps_.interpolate(cpu, points_.order(), fluid_.velocity_midway(), points_.size(), points_.at(),
                    {seen_[0].data(), seen_[1].data(), seen_[2].data()});
}

Coupling DirectForcing::coupling(std::int64_t body, double dt) const {
  Coupling c;
  c.load = load(body);
  const double strength = this->strength(dt);
  for (std::size_t d = 0; d < 3; ++d) {
    const double* const eps = volumes_.of_component(static_cast<int>(d));
    for (std::int64_t p = points_.first(body); p < points_.first(body + 1); ++p) {
      const std::array<double, 6> of = parts(d, points_.arm(p));
      const double pull = strength * eps[p], given = pull * seen_[d][p];
      for (std::size_t i = 0; i < 3; ++i) {
        c.load.force[i] += given * of[i];
        c.load.torque[i] += given * of[3 + i];
      }
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) c.resistance[i][j] += pull * of[i] * of[j];
    }
  }
  return c;
}

double DirectForcing::slip(Cpu cpu) const {
  const ConstPoints wanted = std::as_const(points_).velocity();
  return maximum(cpu, points_.size(), 0, [&](std::int64_t p) {
    return std::hypot(wanted[0][p] - seen_[0][p], wanted[1][p] - seen_[1][p], wanted[2][p] - seen_[2][p]);
  });
}

void DirectForcing::push(Cpu cpu, double dt, bool further) {
  const ConstPoints wanted = std::as_const(points_).velocity();
  const double strength = this->strength(dt) * (further ? longer : 1), kept = further ? share_of_the_last : 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double* const eps = volumes_.of_component(static_cast<int>(d));
    double* const total = points_.force()[d];
    for_each(cpu, points_.size(), [&](std::int64_t p) {
      added_[d][p] = strength * eps[p] * (wanted[d][p] - seen_[d][p]) + kept * added_[d][p];
      total[p] += added_[d][p];
    });
  }
  spread(cpu, {added_[0].data(), added_[1].data(), added_[2].data()});
}

BodyLoad DirectForcing::load(std::int64_t body) const {
  const ConstPoints F = std::as_const(points_).force();
  BodyLoad load;
  for (std::int64_t p = points_.first(body); p < points_.first(body + 1); ++p) {
    const geometry::Vector on_body{-F[0][p], -F[1][p], -F[2][p]};
    load += {on_body, geometry::cross(points_.arm(p), on_body)};
  }
  return load;
}

} // namespace corral::structure

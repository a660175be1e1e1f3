#pragma once

/// The calls of direct_forcing.hpp, for either processor.

#include "structure/bodies/direct_forcing.hpp"

#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <utility>

namespace corral::structure {

namespace direct_forcing {

// What the points' volumes may miss, of bodies at rest and of others at first; these change little from step to step, and follow.
inline constexpr double at_rest = 1e-10, on_the_move = 1e-4;

// Of a heavy ball whose operator has eigenvalues of .005 to 2: those of one body lie below 1, of two that touch below 2. A pass
// leaves .9 of each part of slip, where one by itself leaves .995 of the slowest.
inline constexpr double longer = 1.8, share_of_the_last = 0.8;

/// What the parts of a body's velocity, linear and angular, are at a point along d.
inline std::array<double, 6> parts(std::size_t d, const geometry::Vector& arm) {
  geometry::Vector unit{};
  unit[d] = 1;
  const geometry::Vector turning = geometry::cross(arm, unit);
  return {unit[0], unit[1], unit[2], turning[0], turning[1], turning[2]};
}

template <class F> struct OfComponents {
  F f;
  std::int64_t n;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const { f(static_cast<std::size_t>(i / n), i % n); }
};

/// f(d, p) for all components of n points: a device does the three of a point in one go, the CPU goes through column by column.
template <Execution E, class F> void for_each_component(E execution, std::int64_t n, const F& f) {
  if constexpr (std::same_as<E, Cpu>)
    for (std::size_t d = 0; d < 3; ++d) for_each(execution, n, [f, d](std::int64_t p) { f(d, p); });
  else for_each(execution, 3 * n, OfComponents<F>{f, n});
}

template <Execution E> void clear(E execution, std::int64_t n, const Points& values) {
  for_each_component(execution, n, [=] CORRAL_BODY(std::size_t d, std::int64_t p) { values[d][p] = 0; });
}

/// added = what a pass makes of the velocities that points have and should have; total += that.
template <Execution E>
void add_forces(E execution, std::int64_t n, double strength, double kept, const ConstPoints& eps, const ConstPoints& wanted,
                const ConstPoints& seen, const Points& added, const Points& total) {
  for_each_component(execution, n, [=] CORRAL_BODY(std::size_t d, std::int64_t p) {
    added[d][p] = strength * eps[d][p] * (wanted[d][p] - seen[d][p]) + kept * added[d][p];
    total[d][p] += added[d][p];
  });
}

template <Execution E> double slip(E execution, std::int64_t n, const ConstPoints& wanted, const ConstPoints& seen) {
  return maximum(execution, n, 0, [=] CORRAL_BODY(std::int64_t p) {
    const double x = wanted[0][p] - seen[0][p], y = wanted[1][p] - seen[1][p], z = wanted[2][p] - seen[2][p];
    if constexpr (std::same_as<E, Cpu>) return std::hypot(x, y, z);
    else return std::hypot(std::hypot(x, y), z); // a device has no other
  });
}

struct AddDoubles {
  template <class T> CORRAL_HOST_DEVICE void operator()(T& sum, const T& more) const {
    static_assert(sizeof(T) % sizeof(double) == 0);
    double* const to = reinterpret_cast<double*>(&sum);
    const double* const from = reinterpret_cast<const double*>(&more);
    for (std::size_t i = 0; i < sizeof(T) / sizeof(double); ++i) to[i] += from[i];
  }
};

/// A device's sums for couplings, of each body.
template <Execution E>
void sum_couplings(E execution, PointSums& sums, double strength, const ConstPoints& arms, const ConstPoints& eps, const ConstPoints& seen,
                   const ConstPoints& force, CouplingSums* to) {
  const auto add = [=] CORRAL_BODY(std::int64_t p, CouplingSums& sum) {
    const double r[3] = {arms[0][p], arms[1][p], arms[2][p]};
    double pull[3], on_body[3];
    for (int d = 0; d < 3; ++d) {
      pull[d] = strength * eps[d][p];
      on_body[d] = pull[d] * seen[d][p] - force[d][p];
      sum.strength[d] += pull[d];
      sum.force[d] += on_body[d];
    }
    // r x e of the three axes is (0, z, -y), (-z, 0, x), (y, -x, 0).
    sum.turning[0][1] += pull[0] * r[2], sum.turning[0][2] -= pull[0] * r[1];
    sum.turning[1][0] -= pull[1] * r[2], sum.turning[1][2] += pull[1] * r[0];
    sum.turning[2][0] += pull[2] * r[1], sum.turning[2][1] -= pull[2] * r[0];
    sum.second[0] += pull[1] * r[2] * r[2] + pull[2] * r[1] * r[1];
    sum.second[1] += pull[0] * r[2] * r[2] + pull[2] * r[0] * r[0];
    sum.second[2] += pull[0] * r[1] * r[1] + pull[1] * r[0] * r[0];
    sum.second[3] -= pull[2] * r[0] * r[1];
    sum.second[4] -= pull[1] * r[0] * r[2];
    sum.second[5] -= pull[0] * r[1] * r[2];
    sum.torque[0] += r[1] * on_body[2] - r[2] * on_body[1];
    sum.torque[1] += r[2] * on_body[0] - r[0] * on_body[2];
    sum.torque[2] += r[0] * on_body[1] - r[1] * on_body[0];
  };
  sum_points(execution, sums, CouplingSums{}, add, AddDoubles{}, to);
}

inline Coupling coupling_of(const CouplingSums& sums) {
  Coupling c;
  const auto& m = sums.second;
  const double turned[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
  for (std::size_t i = 0; i < 3; ++i) {
    c.load.force[i] = sums.force[i], c.load.torque[i] = sums.torque[i];
    c.resistance[i][i] = sums.strength[i];
    for (std::size_t j = 0; j < 3; ++j) {
      c.resistance[i][3 + j] = c.resistance[3 + j][i] = sums.turning[i][j];
      c.resistance[3 + i][3 + j] = turned[i][j];
    }
  }
  return c;
}

/// Likewise of loads.
template <Execution E>
void sum_loads(E execution, PointSums& sums, const ConstPoints& arms, const ConstPoints& force, LoadSums* to) {
  const auto add = [=] CORRAL_BODY(std::int64_t p, LoadSums& sum) {
    const geometry::Vector r{arms[0][p], arms[1][p], arms[2][p]}, on_fluid{force[0][p], force[1][p], force[2][p]};
    const geometry::Vector turning = geometry::cross(r, on_fluid);
    for (std::size_t d = 0; d < 3; ++d) sum.force[d] -= on_fluid[d], sum.torque[d] -= turning[d];
    add_moment(sum.stresslet, on_fluid, r);
  };
  sum_points(execution, sums, LoadSums{}, add, AddDoubles{}, to);
}

} // namespace direct_forcing

template <Execution E>
DirectForcing<E>::DirectForcing(const fluid::Domain& domain, BodyPoints<E>& points, std::span<const std::span<const geometry::Vector>> own,
                                MarkerMaps& maps, const std::string& kernel, Fluid<E>& fluid, double density, double acts)
    : grid_(domain.whole()), points_(points), maps_(maps), fluid_(fluid), density_(density), acts_(acts), support_(widest_support(kernel)),
      volumes_(grid_, kernel, fluid.staggering()), loads_(static_cast<std::size_t>(points.bodies())) {
  for (auto* columns : {&seen_, &added_})
    for (auto& column : *columns) column = Array<double>(points.size(), 0.0, memory);
  if constexpr (std::same_as<E, Cpu>) {
    for (const auto& body : own) volumes_.add(std::ssize(body));
    if (domain.shared()) volumes_.share(domain.shared()->team());
  } else {
    volumes_.set_bodies(own);
    sums_.set_bodies(points.first());
    coupling_sums_.resize(points.bodies());
    load_sums_.resize(points.bodies());
  }
}

template <Execution E> void DirectForcing<E>::find_volumes(E execution, bool moved) {
  using namespace direct_forcing;
  if (!found_) volumes_.find(execution, points_.at(), moved ? on_the_move : at_rest);
  else if (moved) follow(execution);
  found_ = true;
}

template <Execution E> void DirectForcing<E>::follow(E execution) {
  if constexpr (std::same_as<E, Cpu>)
    if (const PointBand* const band = points_.band()) return volumes_.follow(execution, band->stencils());
  volumes_.follow(execution, points_.at());
}

template <Execution E> void DirectForcing<E>::begin(E execution) {
  if constexpr (std::same_as<E, Cpu>) {
    if (PointBand* const band = points_.band()) {
      pushed_ = false;
      band->clear_forces(execution);
      fluid_.begin_forces_in_band(execution, as_const(band->forces()));
    } else field_ = fluid_.begin_forces_in(execution, points_.reached(support_));
  } else field_ = fluid_.begin_forces(execution);
}

template <Execution E> void DirectForcing<E>::first_forces(E execution, bool go_on) {
  if (go_on) return spread(execution, std::as_const(points_).force());
  direct_forcing::clear(execution, points_.size(), points_.force());
}

template <Execution E> void DirectForcing<E>::spread(E execution, const ConstPoints& forces) {
  if constexpr (std::same_as<E, Cpu>)
    if (PointBand* const band = points_.band()) {
      pushed_ = true;
      return maps_.spread(execution, *band, forces);
    }
  if (points_.size() > 0) maps_.spread(execution, points_.order(), points_.size(), forces, field_);
}

template <Execution E> void DirectForcing<E>::look(E execution, double dt) {
  if (points_.size() == 0) return; // ranks would ask each other all the same
  const Points seen{seen_[0].data(), seen_[1].data(), seen_[2].data()};
  if constexpr (std::same_as<E, Cpu>)
    if (PointBand* const band = points_.band()) {
      fluid_.foresee_in_band(execution, dt, pushed_, band->velocity());
      return maps_.interpolate(execution, *band, points_.at(), seen);
    }
  fluid_.foresee(execution, dt);
  maps_.interpolate(execution, points_.order(), fluid_.velocity_midway(), points_.size(), points_.at(), seen);
}

template <Execution E> Coupling DirectForcing<E>::coupling(std::int64_t body, double dt) const {
  Coupling c;
  c.load = load(body);
  const double strength = this->strength(dt);
  for (std::size_t d = 0; d < 3; ++d) {
    const double* const eps = volumes_.of_component(static_cast<int>(d));
    for (std::int64_t p = points_.first(body); p < points_.first(body + 1); ++p) {
      const std::array<double, 6> of = direct_forcing::parts(d, points_.arm(p));
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

template <Execution E>
std::span<const Coupling> DirectForcing<E>::couplings(E execution, std::span<const std::int64_t> bodies, double dt) {
  couplings_.resize(bodies.size());
  if constexpr (std::same_as<E, Cpu>) {
    for_each_chunk(execution, std::ssize(bodies), 1, [&](std::int64_t i, std::int64_t) {
      couplings_[static_cast<std::size_t>(i)] = coupling(bodies[static_cast<std::size_t>(i)], dt);
    });
  } else {
    direct_forcing::sum_couplings(execution, sums_, strength(dt), points_.arms(),
                                  {volumes_.of_component(0), volumes_.of_component(1), volumes_.of_component(2)},
                                  {seen_[0].data(), seen_[1].data(), seen_[2].data()}, std::as_const(points_).force(),
                                  coupling_sums_.there.data());
    fetch(execution, coupling_sums_);
    for (std::size_t i = 0; i < bodies.size(); ++i) couplings_[i] = direct_forcing::coupling_of(coupling_sums_.here[bodies[i]]);
  }
  return couplings_;
}

template <Execution E> double DirectForcing<E>::slip(E execution) const {
  return direct_forcing::slip(execution, points_.size(), std::as_const(points_).velocity(),
                              {seen_[0].data(), seen_[1].data(), seen_[2].data()});
}

template <Execution E> void DirectForcing<E>::push(E execution, double dt, bool further) {
  const double strength = this->strength(dt) * (further ? direct_forcing::longer : 1);
  direct_forcing::add_forces(execution, points_.size(), strength, further ? direct_forcing::share_of_the_last : 0,
                             {volumes_.of_component(0), volumes_.of_component(1), volumes_.of_component(2)},
                             std::as_const(points_).velocity(), {seen_[0].data(), seen_[1].data(), seen_[2].data()},
                             {added_[0].data(), added_[1].data(), added_[2].data()}, points_.force());
  spread(execution, {added_[0].data(), added_[1].data(), added_[2].data()});
}

template <Execution E> BodyLoad DirectForcing<E>::load(std::int64_t body) const {
  const ConstPoints F = std::as_const(points_).force();
  BodyLoad load;
  for (std::int64_t p = points_.first(body); p < points_.first(body + 1); ++p) {
    const geometry::Vector on_body{-F[0][p], -F[1][p], -F[2][p]};
    load += {on_body, geometry::cross(points_.arm(p), on_body)};
  }
  return load;
}

template <Execution E> void DirectForcing<E>::find_loads(E execution) {
  if constexpr (std::same_as<E, Cpu>) {
    for_each_chunk(execution, points_.bodies(), 1,
                   [&](std::int64_t b, std::int64_t) { loads_[static_cast<std::size_t>(b)] = load(b); });
  } else {
    direct_forcing::sum_loads(execution, sums_, points_.arms(), std::as_const(points_).force(), load_sums_.there.data());
    fetch_later(execution, load_sums_, loads_arrive_);
  }
}

template <Execution E> std::span<const BodyLoad> DirectForcing<E>::loads([[maybe_unused]] E execution) {
  if constexpr (!std::same_as<E, Cpu>) {
    wait_for(execution, loads_arrive_);
    for (std::size_t b = 0; b < loads_.size(); ++b) {
      const LoadSums& sums = load_sums_.here[static_cast<std::int64_t>(b)];
      for (std::size_t d = 0; d < 3; ++d) loads_[b].force[d] = sums.force[d], loads_[b].torque[d] = sums.torque[d];
    }
  }
  return loads_;
}

template <Execution E> void DirectForcing<E>::add_stresslet(Stresslet& sum) const {
  if constexpr (std::same_as<E, Cpu>) {
    const ConstPoints F = std::as_const(points_).force();
    for (std::int64_t n = 0; n < points_.size(); ++n) add_moment(sum, geometry::Vector{F[0][n], F[1][n], F[2][n]}, points_.arm(n));
  } else {
    for (const LoadSums& of_body : load_sums_.here)
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += of_body.stresslet[k];
  }
}

} // namespace corral::structure

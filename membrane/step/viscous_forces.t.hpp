#pragma once

/// The solution of viscous_forces.hpp, for either processor.

#include "membrane/step/mobility.t.hpp"
#include "membrane/step/viscous_forces.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace corral::membrane {

using namespace structure;

namespace viscous {

inline constexpr int too_many_iterations = 1000; // a surface viscosity of a hundred times mu a takes some 60

/// to = a x + b y
template <Execution E>
void combine(E execution, double a, const MarkerVectors& of_a, double b, const MarkerVectors& of_b, MarkerVectors& sum) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double *x = of_a[d].data(), *y = of_b[d].data();
    double* const to = sum[d].data();
    for_each(execution, sum[d].size(), [=] CORRAL_BODY(std::int64_t i) { to[i] = a * x[i] + b * y[i]; });
  }
}

} // namespace viscous

template <Execution E>
ViscousForces<E>::ViscousForces(std::deque<Population<E>>& populations, MarkerMaps& maps, Fluid<E>& fluid, double largest)
    : populations_(populations), maps_(maps), mobility_(populations, maps, fluid), largest_(largest) {
  for (auto* vectors : {&given_, &force_, &velocity_, &residual_, &resisted_, &direction_, &pull_, &answer_})
    for (Array<double>& component : *vectors) component.resize(mobility_.size(), 0.0);
}

template <Execution E> void ViscousForces<E>::add(E execution, double dt) {
  begin(execution, dt);
  resist(execution, residual_, resisted_);
  const double round_off = 1e-24 * largest_ * mobility_.product(execution, velocity_, velocity_); // membranes may move as rigid bodies
  double before = 0, now = -mobility_.product(execution, residual_, resisted_);
  for (int iteration = 0;; ++iteration, ++iterations_) {
    power_ = -mobility_.product(execution, force_, velocity_);
    if (!(now > std::max(tolerance * power_, round_off))) break; // a NaN ends it as well: who looks for them finds it
    if (iteration == viscous::too_many_iterations)
      throw Error("membranes are too viscous for the fluid (after " + std::to_string(viscous::too_many_iterations) +
                  " iterations its velocity has not been found) take a smaller surface.*.membrane_viscosity, or a shorter step");
    const double back = iteration == 0 ? 0 : now / before;
    viscous::combine(execution, 1, residual_, back, direction_, direction_);
    viscous::combine(execution, 1, resisted_, back, pull_, pull_);
    respond(execution, dt);
    const double along = now / (mobility_.product(execution, pull_, answer_) - mobility_.product(execution, pull_, direction_));
    viscous::combine(execution, 1, force_, along, pull_, force_);
    viscous::combine(execution, 1, velocity_, along, answer_, velocity_);
    viscous::combine(execution, 1, residual_, -along, direction_, residual_);
    viscous::combine(execution, 1, residual_, along, answer_, residual_);
    resist(execution, residual_, resisted_);
    before = now, now = -mobility_.product(execution, residual_, resisted_);
  }
  ++steps_;
  viscous::combine(execution, 1, given_, 1, force_, given_);
  mobility_.put_forces(execution, given_);
}

/// F of the last velocity, the velocity that it makes, and how far one is from the other.
template <Execution E> void ViscousForces<E>::begin(E execution, double dt) {
  const auto get_velocities = [&](MarkerVectors& to) {
    mobility_.each([&](const Population<E>& p, std::int64_t first) {
      for (std::size_t d = 0; d < 3; ++d) values::copy(execution, p.markers(), p.velocities()[d], to[d].data() + first);
    });
  };
  mobility_.get_forces(execution, given_);
  get_velocities(residual_);
  resist(execution, residual_, force_);
  viscous::combine(execution, 1, given_, 1, force_, answer_);
  mobility_.put_forces(execution, answer_);
  Fluid<E>& fluid = mobility_.fluid();
  const VectorField field = fluid.begin_forces(execution);
  for (Population<E>& p : populations_) p.spread(execution, maps_, field);
  fluid.foresee(execution, dt);
  mobility_.each([&](Population<E>& p, std::int64_t) { p.find_velocity_midway(execution, maps_, fluid.velocity_midway()); });
  get_velocities(velocity_);
  viscous::combine(execution, 1, velocity_, -1, residual_, residual_);
  maps_count_ = maps_.maps() * static_cast<int>(populations_.size() + 1);
}

template <Execution E> void ViscousForces<E>::resist(E execution, const MarkerVectors& velocity, MarkerVectors& force) {
  mobility_.each([&](Population<E>& p, std::int64_t first) {
    p.find_viscous_forces(execution, points_from(velocity, first), points_from(force, first));
  });
}

template <Execution E> void ViscousForces<E>::respond(E execution, double dt) {
  mobility_.apply(execution, pull_, answer_, [&](const VectorField& field) { mobility_.fluid().respond_midway(execution, field, dt); });
  maps_count_ += 2 * maps_.maps();
}

} // namespace corral::membrane

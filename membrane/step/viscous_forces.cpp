#include "membrane/step/viscous_forces.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <string>

namespace corral::membrane {

using namespace structure;

namespace {

constexpr int too_many_iterations = 1000; // a surface viscosity of a hundred times mu a takes some 60

/// to = a x + b y
void combine(Cpu cpu, double a, const MarkerVectors& x, double b, const MarkerVectors& y, MarkerVectors& to) {
  for (std::size_t d = 0; d < 3; ++d)
    for_each(cpu, to[d].size(), [a, b, x = x[d].data(), y = y[d].data(), to = to[d].data()](std::int64_t i) {
      to[i] = a * x[i] + b * y[i];
    });
}

} // namespace

ViscousForces::ViscousForces(std::deque<Population>& populations, MarkerMaps& maps, Fluid& fluid, double largest)
    : populations_(populations), maps_(maps), mobility_(populations, maps, fluid), largest_(largest) {
  for (auto* vectors : {&given_, &force_, &velocity_, &residual_, &resisted_, &direction_, &pull_, &answer_})
    for (Array<double>& component : *vectors) component.resize(mobility_.size(), 0.0);
}

void ViscousForces::add(Cpu cpu, double dt) {
  begin(cpu, dt);
  resist(cpu, residual_, resisted_);
  const double round_off = 1e-24 * largest_ * mobility_.product(velocity_, velocity_); // membranes may move as rigid bodies
  double before = 0, now = -mobility_.product(residual_, resisted_);
  for (int iteration = 0;; ++iteration, ++iterations_) {
    power_ = -mobility_.product(force_, velocity_);
    if (!(now > std::max(tolerance * power_, round_off))) break; // a NaN ends it as well: who looks for them finds it
    if (iteration == too_many_iterations)
      throw Error("membranes are too viscous for the fluid (after " + std::to_string(too_many_iterations) +
                  " iterations its velocity has not been found) take a smaller surface.*.membrane_viscosity, or a shorter step");
    const double back = iteration == 0 ? 0 : now / before;
    combine(cpu, 1, residual_, back, direction_, direction_);
    combine(cpu, 1, resisted_, back, pull_, pull_);
    respond(cpu, dt);
    const double along = now / (mobility_.product(pull_, answer_) - mobility_.product(pull_, direction_));
    combine(cpu, 1, force_, along, pull_, force_);
    combine(cpu, 1, velocity_, along, answer_, velocity_);
    combine(cpu, 1, residual_, -along, direction_, residual_);
    combine(cpu, 1, residual_, along, answer_, residual_);
    resist(cpu, residual_, resisted_);
    before = now, now = -mobility_.product(residual_, resisted_);
  }
  ++steps_;
  combine(cpu, 1, given_, 1, force_, given_);
  mobility_.put_forces(given_);
}

/// F of the last velocity, the velocity that it makes, and how far one is from the other.
void ViscousForces::begin(Cpu cpu, double dt) {
  const auto get_velocities = [&](MarkerVectors& to) {
    mobility_.each([&](const Population& p, std::int64_t first) {
      for (std::size_t d = 0; d < 3; ++d) std::copy_n(p.velocities()[d], p.markers(), to[d].data() + first);
    });
  };
  mobility_.get_forces(given_);
  get_velocities(residual_);
  resist(cpu, residual_, force_);
  combine(cpu, 1, given_, 1, force_, answer_);
  mobility_.put_forces(answer_);
  Fluid& fluid = mobility_.fluid();
  const VectorField field = fluid.begin_forces(cpu);
  for (Population& p : populations_) p.spread(cpu, maps_, field);
  fluid.foresee(cpu, dt);
  mobility_.each([&](Population& p, std::int64_t) { p.find_velocity_midway(cpu, maps_, fluid.velocity_midway()); });
  get_velocities(velocity_);
  combine(cpu, 1, velocity_, -1, residual_, residual_);
  maps_count_ = maps_.maps() * static_cast<int>(populations_.size() + 1);
}

void ViscousForces::resist(Cpu cpu, const MarkerVectors& velocity, MarkerVectors& force) {
  mobility_.each([&](Population& p, std::int64_t first) {
    p.find_viscous_forces(cpu, points_from(velocity, first), points_from(force, first));
  });
}

void ViscousForces::respond(Cpu cpu, double dt) {
  mobility_.apply(cpu, pull_, answer_, [&](const VectorField& field) { mobility_.fluid().respond_midway(cpu, field, dt); });
  maps_count_ += 2 * maps_.maps();
}

} // namespace corral::membrane

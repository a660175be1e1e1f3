#include "membrane/motion/fluid_motion.hpp"

#include "fluid/incompressible/measures.hpp"
#include "fluid/incompressible/sheared_box.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::membrane {

namespace {

using run::Use;

fluid::Projection projection_of(const std::string& name) {
  for (const auto p : {fluid::Projection::exact, fluid::Projection::pm2, fluid::Projection::pm3})
    if (fluid::name(p) == name) return p;
  throw Error("no projection is called " + name);
}

/// Walls take what force there is; in Stokes flow nothing else could.
bool mean_is_kept(const MembraneSetup& setup) {
  return !setup.walls() && (setup.drive.keeps_mean || !setup.fluid.inertia);
}

fluid::FlowProperties properties_of(const MembraneSetup& setup) {
  return {.density = setup.fluid.rho,
          .viscosity = setup.fluid.mu,
          .projection = projection_of(setup.fluid.projection),
          .inertia = setup.fluid.inertia ? fluid::Inertia::full : fluid::Inertia::none,
          .mean_force = mean_is_kept(setup) ? fluid::MeanForce::balanced : fluid::MeanForce::acts,
          .body_force = setup.drive.body_force};
}

bool is_sheared_box(const MembraneSetup& setup) { return !setup.walls() && setup.drive.shear_rate != 0; }

fluid::BoxShear shear_of(const MembraneSetup& setup) {
  return {.flow = setup.drive.along, .gradient = 1, .rate = setup.drive.shear_rate};
}

Use use_of_pressure(const MembraneSetup& setup) {
  return setup.fluid.projection == "PmII" ? Use::saved | Use::shown : Use::shown;
}

} // namespace

FluidMotion::FluidMotion(const MembraneSetup& setup, const fluid::Domain& domain, run::Registry& registry)
    : setup_(setup), domain_(domain),
      velocity_(registry.declare_vector_field("velocity", "m/s", "of the fluid", run::on_faces, Use::saved | Use::shown)),
      pressure_(registry.declare_field("pressure", "Pa", "of the fluid, its mean 0, in the last step",
                                       Staggering::centre, use_of_pressure(setup))),
      potential_(setup.fluid.projection == "PmIII"
                     ? &registry.declare_field("potential", "Pa", "of the last projection", Staggering::centre, Use::saved)
                     : nullptr),
      flow_(domain, properties_of(setup)), force_(fluid::make_face_arrays(domain.grid())) {
  if (!is_sheared_box(setup)) return;
  drive_ = fluid::make_face_arrays(domain.grid());
  fluid::add_shear_force(Cpu{}, domain.grid(), shear_of(setup), setup.fluid.mu, fluid::writable_pointers(drive_));
}

fluid::ConstFacePointers FluidMotion::velocity() const {
  return {velocity_[0]->data(), velocity_[1]->data(), velocity_[2]->data()};
}

void FluidMotion::start() {
  for (std::size_t d = 0; d < 3; ++d) velocity_[d]->fill(setup_.drive.velocity[d]);
  if (setup_.drive.developed) add_developed();
  flow_.project(Cpu{}, run::pointers(velocity_));
  find_fastest();
}

/// What shear, walls and body force alone come to: between walls a Stokes flow, which parallel flow is at any speed.
void FluidMotion::add_developed() {
  if (is_sheared_box(setup_)) fluid::add_shear(Cpu{}, domain_.grid(), shear_of(setup_), run::pointers(velocity_));
  if (!setup_.walls()) return;
  fluid::FlowProperties slow = properties_of(setup_);
  slow.inertia = fluid::Inertia::none;
  slow.projection = fluid::Projection::exact;
  fluid::FaceArrays developed = fluid::make_face_arrays(domain_.grid());
  const fluid::FaceArrays nothing = fluid::make_face_arrays(domain_.grid());
  fluid::IncompressibleFlow(domain_, slow)
      .step(Cpu{}, {.velocity = fluid::writable_pointers(developed)}, fluid::pointers(nothing), 1);
  for (std::size_t d = 0; d < 3; ++d) {
    double* to = velocity_[d]->data();
    const double* from = developed[d].data();
    for_each(Cpu{}, developed[d].size(), [=](std::int64_t f) { to[f] += from[f]; });
  }
}

/// Stokes flow is what forces make of it, and a mean that none could change.
void FluidMotion::add_mean(Cpu cpu) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double mean = setup_.drive.velocity[d];
    if (mean == 0) continue;
    double* u = velocity_[d]->data();
    for_each(cpu, velocity_[d]->size(), [=](std::int64_t f) { u[f] += mean; });
  }
}

fluid::FacePointers FluidMotion::begin_forces(Cpu cpu) {
  for (std::size_t d = 0; d < 3; ++d) {
    double* to = force_[d].data();
    const double* from = drive_[d].empty() ? nullptr : drive_[d].data();
    for_each(cpu, force_[d].size(), [=](std::int64_t f) { to[f] = from ? from[f] : 0; });
  }
  return fluid::writable_pointers(force_);
}

void FluidMotion::step(Cpu cpu, double dt) {
  flow_.step(cpu, {run::pointers(velocity_), pressure_.data(), potential_ ? potential_->data() : nullptr},
             fluid::pointers(force_), dt);
  if (!setup_.fluid.inertia && !setup_.walls()) add_mean(cpu);
  find_fastest();
}

void FluidMotion::find_fastest() {
  const std::array<double, 3> most = fluid::fastest(Cpu{}, domain_, velocity());
  fastest_ = {};
  for (int d = 0; d < 3; ++d) {
    const double speed = most[static_cast<std::size_t>(d)];
    fastest_.speed = std::max(fastest_.speed, speed);
    if (!domain_.grid().axis(d).thin()) fastest_.rate += speed / domain_.grid().axis(d).spacing;
  }
}

double FluidMotion::kinetic_energy() const {
  return setup_.fluid.inertia ? fluid::kinetic_energy(Cpu{}, domain_, setup_.fluid.rho, velocity()) : 0;
}

std::array<double, 3> FluidMotion::momentum() const {
  return fluid::momentum(Cpu{}, domain_, setup_.fluid.rho, velocity());
}

FluidMotion::Powers FluidMotion::powers() const {
  const fluid::ConstFacePointers u = velocity_midway();
  const fluid::ViscousWork viscous = fluid::viscous_work(Cpu{}, domain_, setup_.fluid.mu, u);
  Powers p{.dissipation = viscous.dissipated, .drive = viscous.by_walls};
  if (is_sheared_box(setup_)) p.drive += fluid::power(Cpu{}, domain_, fluid::pointers(drive_), u);
  std::array<double, 3> force = setup_.drive.body_force;
  if (mean_is_kept(setup_)) { // what keeps it takes out this force and the membranes' mean
    force = fluid::momentum(Cpu{}, domain_, 1, fluid::pointers(force_));
    for (double& f : force) f /= -domain_.grid().cell_volume() * static_cast<double>(domain_.grid().cells());
  } else if (force == std::array<double, 3>{}) {
    return p;
  }
  const std::array<double, 3> flow = fluid::momentum(Cpu{}, domain_, 1, u); // volume times velocity
  for (std::size_t d = 0; d < 3; ++d) p.drive += force[d] * flow[d];
  return p;
}

std::int64_t FluidMotion::bytes() const {
  std::int64_t total = flow_.bytes();
  for (std::size_t d = 0; d < 3; ++d) total += force_[d].bytes() + drive_[d].bytes();
  return total;
}

} // namespace corral::membrane

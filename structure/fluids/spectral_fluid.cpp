#include "structure/fluids/spectral_fluid.hpp"

#include "fluid/incompressible/measures.hpp"
#include "structure/fluids/vortices.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::structure {

namespace {

using run::Use;

fluid::Projection projection_of(const std::string& name) {
  for (const auto p : {fluid::Projection::exact, fluid::Projection::pm2, fluid::Projection::pm3})
    if (fluid::name(p) == name) return p;
  throw Error("no projection is called " + name);
}

Use use_of_pressure(const FluidModel& model) {
  return model.projection == "PmII" ? Use::saved | Use::shown : Use::shown;
}

} // namespace

SpectralFluid::SpectralFluid(const FlowSetup& flow, const fluid::Domain& domain, run::Registry& registry)
    : fluid_(flow.fluid), drive_(flow.drive), domain_(domain),
      velocity_(registry.declare_vector_field("velocity", "m/s", "of the fluid", run::on_faces, Use::saved | Use::shown)),
      pressure_(registry.declare_field("pressure", "Pa", "of the fluid, its mean 0, in the last step",
                                       Staggering::centre, use_of_pressure(fluid_))),
      potential_(fluid_.projection == "PmIII"
                     ? &registry.declare_field("potential", "Pa", "of the last projection", Staggering::centre, Use::saved)
                     : nullptr),
      flow_(domain, properties()), force_(fluid::make_face_arrays(domain.grid())) {
  if (!is_sheared_box()) return;
  shear_force_ = fluid::make_face_arrays(domain.grid());
  fluid::add_shear_force(Cpu{}, domain.grid(), shear(), fluid_.mu, fluid::writable_pointers(shear_force_));
}

/// Walls take what force there is; in Stokes flow nothing else could.
bool SpectralFluid::mean_is_kept() const { return !walls() && (drive_.keeps_mean || !fluid_.inertia); }

fluid::FlowProperties SpectralFluid::properties() const {
  return {.density = fluid_.rho,
          .viscosity = fluid_.mu,
          .projection = projection_of(fluid_.projection),
          .inertia = fluid_.inertia ? fluid::Inertia::full : fluid::Inertia::none,
          .mean_force = mean_is_kept() ? fluid::MeanForce::balanced : fluid::MeanForce::acts,
          .body_force = drive_.body_force};
}

ConstVectorField SpectralFluid::velocity() const {
  return {velocity_[0]->data(), velocity_[1]->data(), velocity_[2]->data()};
}

void SpectralFluid::start() {
  for (std::size_t d = 0; d < 3; ++d) velocity_[d]->fill(drive_.velocity[d]);
  if (drive_.vortices != 0) add_vortices(Cpu{}, domain_, drive_.vortices, run::on_faces, run::pointers(velocity_));
  if (drive_.developed) add_developed();
  flow_.project(Cpu{}, run::pointers(velocity_));
  find_fastest();
}

/// What shear, walls and body force alone come to: between walls a Stokes flow, which parallel flow is at any speed.
void SpectralFluid::add_developed() {
  if (is_sheared_box()) fluid::add_shear(Cpu{}, domain_.grid(), shear(), run::pointers(velocity_));
  if (!walls()) return;
  fluid::FlowProperties slow = properties();
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
void SpectralFluid::add_mean(Cpu cpu) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double mean = drive_.velocity[d];
    if (mean == 0) continue;
    double* u = velocity_[d]->data();
    for_each(cpu, velocity_[d]->size(), [=](std::int64_t f) { u[f] += mean; });
  }
}

VectorField SpectralFluid::begin_forces(Cpu cpu) {
  for (std::size_t d = 0; d < 3; ++d) {
    double* to = force_[d].data();
    const double* from = shear_force_[d].empty() ? nullptr : shear_force_[d].data();
    for_each(cpu, force_[d].size(), [=](std::int64_t f) { to[f] = from ? from[f] : 0; });
  }
  return fluid::writable_pointers(force_);
}

fluid::FlowState SpectralFluid::state() {
  return {run::pointers(velocity_), pressure_.data(), potential_ ? potential_->data() : nullptr};
}

void SpectralFluid::step(Cpu cpu, double dt) {
  flow_.step(cpu, state(), fluid::pointers(force_), dt);
  if (!fluid_.inertia && !walls()) add_mean(cpu);
  find_fastest();
}

void SpectralFluid::foresee(Cpu cpu, double dt) {
  flow_.foresee(cpu, state(), fluid::pointers(force_), dt);
  if (!fluid_.inertia && !walls()) add_mean(cpu);
}

void SpectralFluid::find_fastest() {
  const std::array<double, 3> most = fluid::fastest(Cpu{}, domain_, velocity());
  fastest_ = {};
  for (int d = 0; d < 3; ++d) {
    const double speed = most[d];
    fastest_.speed = std::max(fastest_.speed, speed);
    if (!domain_.grid().axis(d).thin()) fastest_.rate += speed / domain_.grid().axis(d).spacing;
  }
}

double SpectralFluid::kinetic_energy() const {
  return fluid_.inertia ? fluid::kinetic_energy(Cpu{}, domain_, fluid_.rho, velocity()) : 0;
}

std::array<double, 3> SpectralFluid::momentum() const {
  return fluid::momentum(Cpu{}, domain_, fluid_.rho, velocity());
}

/// Walls rub by the velocity in the middle of the step; along y, where no momentum can be, they take all force. Where the mean
/// flow is kept, or kept by itself, so does what keeps it.
std::array<double, 3> SpectralFluid::force_of_sides() const {
  const Grid& grid = domain_.grid();
  std::array<double, 3> force = fluid::momentum(Cpu{}, domain_, 1, fluid::pointers(force_)); // of the field, over the box
  const double volume = grid.cell_volume() * static_cast<double>(grid.cells());
  for (std::size_t d = 0; d < 3; ++d) force[d] = -(force[d] + drive_.body_force[d] * volume);
  if (!walls()) return mean_is_kept() ? force : std::array<double, 3>{};
  const ConstVectorField u = velocity_midway();
  const double area = grid.axis(0).spacing * grid.axis(2).spacing, slope = fluid_.mu * 2 / grid.axis(1).spacing;
  for (const std::size_t d : {0u, 2u}) {
    force[d] = 0;
    const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells, nz = grid.axis(2).cells;
    for (const bool high : {false, true}) {
      const double wall = domain_.wall_velocity(fluid::side(1, high))[d];
      force[d] += area * slope * sum(Cpu{}, nx * nz, [=, u = u[d]](std::int64_t i) {
                    return wall - u[i % nx + nx * ((high ? ny - 1 : 0) + ny * (i / nx))];
                  });
    }
  }
  return force;
}

double SpectralFluid::mean_iterations() const {
  const auto effort = flow_.effort();
  return effort.solves > 0 ? static_cast<double>(effort.iterations) / static_cast<double>(effort.solves) : 0;
}

Fluid<Cpu>::Powers SpectralFluid::powers() const {
  const ConstVectorField u = velocity_midway();
  const fluid::ViscousWork viscous = flow_.viscous_work(Cpu{}, u);
  Powers p{.dissipation = viscous.dissipated, .drive = viscous.by_walls};
  if (is_sheared_box()) p.drive += fluid::power(Cpu{}, domain_, fluid::pointers(shear_force_), u);
  std::array<double, 3> force = drive_.body_force;
  if (mean_is_kept()) { // what keeps it takes out this force and the mean of those that were added
    force = fluid::momentum(Cpu{}, domain_, 1, fluid::pointers(force_));
    for (double& f : force) f /= -domain_.grid().cell_volume() * static_cast<double>(domain_.grid().cells());
  } else if (force == std::array<double, 3>{}) {
    return p;
  }
  const std::array<double, 3> flow = fluid::momentum(Cpu{}, domain_, 1, u); // volume times velocity
  for (std::size_t d = 0; d < 3; ++d) p.drive += force[d] * flow[d];
  return p;
}

} // namespace corral::structure

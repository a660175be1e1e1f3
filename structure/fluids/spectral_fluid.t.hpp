#pragma once

/// The fluid of spectral_fluid.hpp, for either processor.

#include "fluid/incompressible/measures.hpp"
#include "structure/fluids/spectral_fluid.hpp"
#include "structure/fluids/vortices.hpp"
#include "structure/values.t.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace corral::structure {

namespace spectral_fluid {

using run::Use;

inline fluid::Projection projection_of(const std::string& name) {
  for (const auto p : {fluid::Projection::exact, fluid::Projection::pm2, fluid::Projection::pm3})
    if (fluid::name(p) == name) return p;
  throw Error("no projection is called " + name);
}

inline Use use_of_pressure(const FluidModel& model) {
  return model.projection == "PmII" ? Use::saved | Use::shown : Use::shown;
}

/// to = from, or 0 where that is null
template <Execution E> void set(E execution, std::int64_t n, const double* from, double* to) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t f) { to[f] = from ? from[f] : 0; });
}

/// Of what is missing to a wall's velocity in the layer beside it, of the ranks that have the wall.
template <Execution E> double sum_at_wall(E execution, const fluid::Domain& domain, bool high, double wall, const double* u) {
  const Grid& grid = domain.grid();
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells, nz = grid.axis(2).cells, layer = high ? ny - 1 : 0;
  const std::int64_t places = domain.has_side(fluid::side(1, high)) ? nx * nz : 0;
  return domain.over_ranks(
      sum(execution, places, [=] CORRAL_BODY(std::int64_t i) { return wall - u[i % nx + nx * (layer + ny * (i / nx))]; }));
}

} // namespace spectral_fluid

template <Execution E>
SpectralFluid<E>::SpectralFluid(const FlowSetup& flow, const fluid::Domain& domain, run::Registry& registry)
    : fluid_(flow.fluid), drive_(flow.drive), domain_(domain),
      velocity_(registry.declare_vector_field("velocity", "m/s", "of the fluid", run::on_faces, run::Use::saved | run::Use::shown)),
      pressure_(registry.declare_field("pressure", "Pa", "of the fluid, its mean 0, in the last step",
                                       Staggering::centre, spectral_fluid::use_of_pressure(fluid_))),
      potential_(fluid_.projection == "PmIII"
                     ? &registry.declare_field("potential", "Pa", "of the last projection", Staggering::centre, run::Use::saved)
                     : nullptr),
      flow_(domain, properties()), force_(fluid::make_face_arrays(domain.grid(), 0, memory_for<E>)) {
  if (!is_sheared_box()) return;
  shear_force_ = fluid::make_face_arrays(domain.grid());
  fluid::add_shear_force(Cpu{}, domain.grid(), shear(), fluid_.mu, fluid::writable_pointers(shear_force_));
  if constexpr (!std::same_as<E, Cpu>)
    for (Array<double>& component : shear_force_) component = Array<double>(component.span(), memory_for<E>);
}

/// Walls take what force there is; in Stokes flow nothing else could.
template <Execution E> bool SpectralFluid<E>::mean_is_kept() const { return !walls() && (drive_.keeps_mean || !fluid_.inertia); }

template <Execution E> fluid::FlowProperties SpectralFluid<E>::properties() const {
  return {.density = fluid_.rho,
          .viscosity = fluid_.mu,
          .projection = spectral_fluid::projection_of(fluid_.projection),
          .inertia = fluid_.inertia ? fluid::Inertia::full : fluid::Inertia::none,
          .mean_force = mean_is_kept() ? fluid::MeanForce::balanced : fluid::MeanForce::acts,
          .body_force = drive_.body_force};
}

template <Execution E> ConstVectorField SpectralFluid<E>::velocity() const {
  return {velocity_[0]->data(), velocity_[1]->data(), velocity_[2]->data()};
}

template <Execution E> void SpectralFluid<E>::start() {
  if constexpr (std::same_as<E, Cpu>) {
    set_start(flow_, run::pointers(velocity_));
  } else { // made on the host
    fluid::IncompressibleFlow flow(domain_, properties());
    fluid::FaceArrays velocity = fluid::make_face_arrays(domain_.grid());
    set_start(flow, fluid::writable_pointers(velocity));
    for (std::size_t d = 0; d < 3; ++d) velocity_[d]->assign(velocity[d].span());
  }
  find_fastest();
}

template <Execution E> void SpectralFluid<E>::set_start(fluid::IncompressibleFlow& flow, const VectorField& velocity) const {
  for (std::size_t d = 0; d < 3; ++d) std::fill_n(velocity[d], velocity_[d]->size(), drive_.velocity[d]);
  if (drive_.vortices != 0) add_vortices(Cpu{}, domain_, drive_.vortices, run::on_faces, velocity);
  if (drive_.developed) add_developed(velocity);
  flow.project(Cpu{}, velocity);
}

/// What shear, walls and body force alone come to: between walls a Stokes flow, which parallel flow is at any speed.
template <Execution E> void SpectralFluid<E>::add_developed(const VectorField& velocity) const {
  if (is_sheared_box()) fluid::add_shear(Cpu{}, domain_.grid(), shear(), velocity);
  if (!walls()) return;
  fluid::FlowProperties slow = properties();
  slow.inertia = fluid::Inertia::none;
  slow.projection = fluid::Projection::exact;
  fluid::FaceArrays developed = fluid::make_face_arrays(domain_.grid());
  const fluid::FaceArrays nothing = fluid::make_face_arrays(domain_.grid());
  fluid::IncompressibleFlow(domain_, slow)
      .step(Cpu{}, {.velocity = fluid::writable_pointers(developed)}, fluid::pointers(nothing), 1);
  for (std::size_t d = 0; d < 3; ++d) {
    double* to = velocity[d];
    const double* from = developed[d].data();
    for_each(Cpu{}, developed[d].size(), [=](std::int64_t f) { to[f] += from[f]; });
  }
}

/// Stokes flow is what forces make of it, and a mean that none could change.
template <Execution E> void SpectralFluid<E>::add_mean(E execution) {
  for (std::size_t d = 0; d < 3; ++d)
    if (drive_.velocity[d] != 0) values::shift(execution, velocity_[d]->size(), velocity_[d]->data(), drive_.velocity[d]);
}

template <Execution E> VectorField SpectralFluid<E>::begin_forces(E execution) {
  for (std::size_t d = 0; d < 3; ++d)
    spectral_fluid::set(execution, force_[d].size(), shear_force_[d].empty() ? nullptr : shear_force_[d].data(), force_[d].data());
  return fluid::writable_pointers(force_);
}

template <Execution E> fluid::FlowState SpectralFluid<E>::state() {
  return {run::pointers(velocity_), pressure_.data(), potential_ ? potential_->data() : nullptr};
}

template <Execution E> void SpectralFluid<E>::step(E execution, double dt) {
  flow_.step(execution, state(), fluid::pointers(force_), dt);
  if (!fluid_.inertia && !walls()) add_mean(execution);
  find_fastest();
}

template <Execution E> void SpectralFluid<E>::foresee(E execution, double dt) {
  flow_.foresee(execution, state(), fluid::pointers(force_), dt);
  if (!fluid_.inertia && !walls()) add_mean(execution);
}

template <Execution E> void SpectralFluid<E>::find_fastest() {
  const std::array<double, 3> most = fluid::fastest(E{}, domain_, velocity());
  fastest_ = {};
  for (int d = 0; d < 3; ++d) {
    const double speed = most[d];
    fastest_.speed = std::max(fastest_.speed, speed);
    if (!domain_.whole().axis(d).thin()) fastest_.rate += speed / domain_.whole().axis(d).spacing;
  }
}

template <Execution E> double SpectralFluid<E>::kinetic_energy() const {
  return fluid_.inertia ? fluid::kinetic_energy(E{}, domain_, fluid_.rho, velocity()) : 0;
}

template <Execution E> std::array<double, 3> SpectralFluid<E>::momentum() const {
  return fluid::momentum(E{}, domain_, fluid_.rho, velocity());
}

/// Walls rub by the velocity in the middle of the step; along y, where no momentum can be, they take all force. Where the mean
/// flow is kept, or kept by itself, so does what keeps it.
template <Execution E> std::array<double, 3> SpectralFluid<E>::force_of_sides() const {
  const Grid& grid = domain_.whole();
  std::array<double, 3> force = fluid::momentum(E{}, domain_, 1, fluid::pointers(force_)); // of the field, over the box
  const double volume = grid.cell_volume() * static_cast<double>(grid.cells());
  for (std::size_t d = 0; d < 3; ++d) force[d] = -(force[d] + drive_.body_force[d] * volume);
  if (!walls()) return mean_is_kept() ? force : std::array<double, 3>{};
  const ConstVectorField u = velocity_midway();
  const double area = grid.axis(0).spacing * grid.axis(2).spacing, slope = fluid_.mu * 2 / grid.axis(1).spacing;
  for (const std::size_t d : {0u, 2u}) {
    force[d] = 0;
    for (const bool high : {false, true})
      force[d] += area * slope *
                  spectral_fluid::sum_at_wall(E{}, domain_, high, domain_.wall_velocity_of_whole(fluid::side(1, high))[d], u[d]);
  }
  return force;
}

template <Execution E> double SpectralFluid<E>::mean_iterations() const {
  const auto effort = flow_.effort();
  return effort.solves > 0 ? static_cast<double>(effort.iterations) / static_cast<double>(effort.solves) : 0;
}

template <Execution E> typename Fluid<E>::Powers SpectralFluid<E>::powers() const {
  const ConstVectorField u = velocity_midway();
  const fluid::ViscousWork viscous = flow_.viscous_work(E{}, u);
  typename Fluid<E>::Powers p{.dissipation = viscous.dissipated, .drive = viscous.by_walls};
  if (is_sheared_box()) p.drive += fluid::power(E{}, domain_, fluid::pointers(shear_force_), u);
  std::array<double, 3> force = drive_.body_force;
  if (mean_is_kept()) { // what keeps it takes out this force and the mean of those that were added
    force = fluid::momentum(E{}, domain_, 1, fluid::pointers(force_));
    for (double& f : force) f /= -domain_.whole().cell_volume() * static_cast<double>(domain_.whole().cells());
  } else if (force == std::array<double, 3>{}) {
    return p;
  }
  const std::array<double, 3> flow = fluid::momentum(E{}, domain_, 1, u); // volume times velocity
  for (std::size_t d = 0; d < 3; ++d) p.drive += force[d] * flow[d];
  return p;
}

} // namespace corral::structure

#pragma once

#include "membrane/output/figures.hpp"
#include "membrane/setup/setup.hpp"
#include "membrane/step/step.hpp"
#include "run/phases.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/make_fluid.hpp"
#include "structure/placing/placing.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace corral::test {

constexpr double um = 1e-6, us = 1e-6;

/// A box of cubes of `h` [m] of a fluid like water, periodic, or along y between walls.
inline membrane::MembraneSetup box_of_water(std::array<std::int64_t, 3> cells, double h, bool walls = false) {
  membrane::MembraneSetup setup;
  setup.cells = cells;
  for (std::size_t d = 0; d < 3; ++d) setup.size[d] = h * static_cast<double>(cells[d]);
  setup.sides.fill(fluid::SideKind::periodic);
  if (walls) setup.sides[2] = setup.sides[3] = fluid::SideKind::no_slip;
  return setup;
}

/// The shear of a case file: between walls these slide.
inline void shear(membrane::MembraneSetup& setup, double rate) {
  setup.drive.shear_rate = rate;
  if (!setup.walls()) return;
  const auto along = static_cast<std::size_t>(setup.drive.along);
  setup.drive.wall_velocity[2][along] = -0.5 * rate * setup.size[1];
  setup.drive.wall_velocity[3][along] = 0.5 * rate * setup.size[1];
}

/// Puts a lattice in the place of the spectral fluid, which has inertia: in fixed steps of dt [s], and as viscous as tau says.
inline void on_lattice(membrane::MembraneSetup& setup, double dt, double tau = 0.8) {
  const double h = setup.size[0] / static_cast<double>(setup.cells[0]);
  setup.fluid.method = structure::FluidMethod::lattice;
  setup.fluid.inertia = true;
  setup.time.dt = dt;
  setup.fluid.mu = setup.fluid.rho * (tau - 0.5) / 3 * h * h / dt;
}

/// A kind of spheres of the radius of a red cell [m], with an elastic law that changes of area meet with a hundred times
/// the modulus of shear.
inline structure::SurfaceModel stiff_sphere(std::int64_t vertices, double radius = 3.91 * um) {
  structure::SurfaceModel kind;
  kind.name = "sphere";
  kind.radius = radius;
  kind.vertices = vertices;
  kind.material.shear_modulus = 2.5e-6;
  kind.material.area_ratio = 100;
  return kind;
}

/// The same by radial basis functions.
inline structure::SurfaceModel by_radial_functions(structure::SurfaceModel kind, std::int64_t data_sites, std::int64_t sample_sites) {
  kind.representation = structure::Representation::radial;
  kind.nodes = structure::Nodes::spiral;
  kind.vertices = data_sites;
  kind.sites = sample_sites;
  return kind;
}

/// One membrane of a kind, which is added, at a place [m].
inline structure::ImmersedGroup& put(membrane::MembraneSetup& setup, structure::SurfaceModel kind,
                                    const std::array<double, 3>& place) {
  kind.name += std::to_string(setup.surfaces.size());
  setup.surfaces.push_back(std::move(kind));
  structure::ImmersedGroup group;
  group.name = setup.surfaces.back().name;
  group.surface = setup.surfaces.size() - 1;
  group.position = place;
  setup.groups.push_back(group);
  return setup.groups.back();
}
inline structure::ImmersedGroup& put_in_the_middle(membrane::MembraneSetup& setup, structure::SurfaceModel kind) {
  return put(setup, std::move(kind), {0.5 * setup.size[0], 0.5 * setup.size[1], 0.5 * setup.size[2]});
}

/// A capsule of four cells to a radius, in Stokes flow between walls at four radii that shear at 625/s; `kind` made
/// neo-Hookean, of this capillary number mu rate a/(3 G_s).
inline membrane::MembraneSetup sheared_capsule(structure::SurfaceModel kind, double capillary_number) {
  constexpr double rate = 625, a = 4 * um;
  membrane::MembraneSetup setup = box_of_water({24, 32, 24}, um, true);
  setup.fluid.inertia = false;
  shear(setup, rate);
  kind.radius = a;
  kind.material.law = structure::ElasticLaw::neo_hookean;
  kind.material.shear_modulus = setup.fluid.mu * rate * a / (3 * capillary_number);
  put_in_the_middle(setup, std::move(kind));
  return setup;
}

/// A case with its state on the processor of E, step by step.
template <Execution E> struct MembraneRunOn {
  membrane::MembraneSetup setup;
  fluid::Domain domain;
  run::Registry registry;
  run::Phases phases;
  membrane::MembraneStep<E> step;
  double time = 0; ///< [s]

  explicit MembraneRunOn(membrane::MembraneSetup given)
      : setup(placed(std::move(given))), domain(setup.make_domain()), registry(domain.grid(), memory_for<E>),
        step(E{}, setup, sent(), structure::make_fluid(E{}, setup, setup.time.dt, domain, registry), registry, phases) {
    step.start();
  }

  void advance(double dt, std::int64_t steps = 1) {
    for (std::int64_t i = 0; i < steps; ++i, time += dt) step.advance(time, dt);
  }
  /// What the books of energy miss [J].
  double residual() const { return step.work().residual(step.energy()); }

private:
  static membrane::MembraneSetup placed(membrane::MembraneSetup setup) {
    setup.places = structure::place(setup);
    return setup;
  }
  const fluid::Domain& sent() {
    if (memory_for<E> == Memory::device) domain.send();
    return domain;
  }
};
using MembraneRun = MembraneRunOn<Cpu>;

} // namespace corral::test

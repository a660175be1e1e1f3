#include "body/case/body_case.hpp"

#include "body/case/setup_checks.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/fluids/lattice_case.hpp"

#include <algorithm>

namespace corral::body {

using namespace structure;

namespace {

constexpr double program = 21e6; // [bytes], fitted to runs
// Velocity, pressure, forces, what is foreseen, what writes files; instead, spectra included.
constexpr double per_cell = 76, of_spectral_fluid = 92;
// Of each point: columns, order or band, arms, stencils, what maps write. Of each cell, where points have an order, and a band.
constexpr double per_point = 1600, order_of_a_cell = 16, band_of_a_cell = 0.25;

double of_fluid(const FlowSetup& flow) {
  if (!flow.lattice()) return of_spectral_fluid;
  return per_cell + population_bytes(flow);
}

/// As the step chooses it.
double of_maps(const BodySetup& setup) {
  return setup.lattice() && setup.forcing.method == Method::automatic ? band_of_a_cell : order_of_a_cell;
}

} // namespace

double points_needed(const BodySetup& setup) {
  double points = 0;
  for (const BodyGroup& group : setup.groups)
    points += std::max(1.0, bodies_wanted(setup, group.placed)) * static_cast<double>(point_count(Cpu{}, setup.kinds[group.placed.surface]));
  return points;
}

double memory_needed(const BodySetup& setup) {
  double cells = 1;
  for (const std::int64_t n : setup.cells) cells *= static_cast<double>(n);
  return program + cells * (of_fluid(setup) + of_maps(setup)) + per_point * points_needed(setup);
}

} // namespace corral::body

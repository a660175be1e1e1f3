#pragma once

#include "membrane/output/figures.t.hpp"
#include "membrane/output/profile.hpp"
#include "membrane/output/surface_columns.hpp"
#include "tests/catch.hpp"
#include "tests/membrane_gpu/case_run.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/run_gpu/compared.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A case's run on the CPU and the same on a device, compared.
namespace corral::test {

inline double apart(double a, double b, double scale) { return std::abs(a - b) / std::max(std::abs(scale), 1e-300); }

inline void check_same(CaseRun<Cpu>& here, CaseRun<Gpu>& there, double tolerance) {
  here.step.before_output(), there.step.before_output();
  for (const char* name : {"position_x", "position_y", "position_z", "velocity_x", "velocity_y", "velocity_z", "pressure"}) {
    INFO(name);
    CHECK(apart(here.values(name), there.values(name)) <= tolerance);
  }
  for (std::size_t i = 0; i < here.step.measures().size(); ++i) {
    const structure::MembraneMeasures &a = here.step.measures()[i], &b = there.step.measures()[i];
    CHECK(apart(a.volume, b.volume, a.volume) <= tolerance);
    CHECK(apart(a.elastic_energy, b.elastic_energy, a.elastic_energy + a.bending_energy) <= 100 * tolerance);
    for (std::size_t d = 0; d < 3; ++d) CHECK(apart(a.centroid[d], b.centroid[d], here.setup.size[d]) <= tolerance);
    const structure::Stresslet &s = here.step.stresslets()[i], &t = there.step.stresslets()[i];
    const double scale = *std::max_element(s.begin(), s.end()) - *std::min_element(s.begin(), s.end());
    for (std::size_t k = 0; k < 6; ++k) CHECK(apart(s[k], t[k], scale) <= 1000 * tolerance);
  }
  const double through = here.step.work().dissipated;
  CHECK(apart(here.step.work().dissipated, there.step.work().dissipated, through) <= 100 * tolerance);
  CHECK(apart(here.step.work().done, there.step.work().done, through) <= 100 * tolerance);
}

/// Two spheres that nearly touch, and repel each other.
inline membrane::MembraneSetup two_spheres(bool walls) {
  membrane::MembraneSetup setup = sheared(walls);
  structure::SurfaceModel kind = stiff_sphere(162, 3 * um);
  put(setup, kind, {4.8 * um, 8 * um, 8 * um});
  kind.name = "other";
  kind.material.law = structure::ElasticLaw::neo_hookean;
  put(setup, kind, {11.1 * um, 8.2 * um, 8 * um});
  setup.coupling.repulsion_range = 0.8 * um;
  setup.coupling.repulsion_stiffness = 1e-4;
  return setup;
}

/// Steps from the start on, on both; `at_first` is for the start and the first one.
inline void check_steps(const membrane::MembraneSetup& setup, double at_first, double after_many, std::int64_t steps) {
  [[maybe_unused]] const PaddingHoldsAnything padding;
  CaseRun<Cpu> here(setup);
  CaseRun<Gpu> there(setup);
  check_same(here, there, at_first);
  here.advance(1), there.advance(1);
  check_same(here, there, at_first);
  here.advance(steps), there.advance(steps);
  check_same(here, there, after_many);
  CHECK(here.step.maps() == there.step.maps());
  CHECK(here.step.sorts() == there.step.sorts());
  CHECK(apart(here.step.stiffest(), there.step.stiffest(), here.step.stiffest()) <= 1e-6);
  check_same(here, there, after_many); // a look changes nothing
}

/// What figures, tables and files say after some steps.
inline void check_figures(membrane::MembraneSetup setup) {
  for (structure::SurfaceModel& surface : setup.surfaces) {
    surface.material.bending_law = structure::BendingLaw::helfrich;
    surface.material.bending_modulus = 2e-19;
  }
  [[maybe_unused]] const PaddingHoldsAnything padding;
  const auto told = [&]<Execution E>(E) {
    CaseRun<E> run(setup);
    membrane::MembraneFigures figures(run.setup, run.step.membranes());
    membrane::SurfaceColumns<E> columns(run.step);
    membrane::Profile<E> profile(run.setup, run.domain, run.registry);
    figures.start(run.step);
    for (int s = 0; s < 5; ++s) {
      run.advance(1);
      figures.add(run.step, run.time, setup.time.dt);
    }
    run.step.before_output();
    columns.update(E{});
    profile.update(run.step);
    Rows all{figures.row(run.step)};
    for (auto& row : figures.cell_rows(run.step)) all.push_back(row);
    for (auto& row : profile.rows(run.step)) all.push_back(row);
    for (const run::Entry& entry : run.registry.entries())
      if (has(entry.use, run::Use::shown) && entry.reals()) all.push_back(entry.reals()->values());
    return all;
  };
  // Figures stand in the first row, each of its own size; others are as large as their row.
  check_rows(told(Cpu{}), told(Gpu{}), [](std::size_t k, const auto& row, std::size_t i) {
    return 1e-7 * (k == 0 ? std::abs(row[i]) : largest_of(row)) + 1e-24;
  });
}

#ifdef CORRAL_CUDA_ON_HOST
/// The state after some steps.
inline void check_orders(const membrane::MembraneSetup& setup) {
  check_orders([&] {
    CaseRun<Gpu> run(setup);
    run.advance(3);
    return numbers_of(run.registry);
  });
}
#endif

} // namespace corral::test

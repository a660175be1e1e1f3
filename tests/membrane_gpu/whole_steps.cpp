#include "membrane/output/figures.t.hpp"
#include "membrane/output/profile.hpp"
#include "membrane/output/surface_columns.hpp"
#include "tests/membrane_gpu/lattice_run.hpp"
#include "tests/mppic_gpu/padding.cuh"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

/// Whole steps of membranes in a lattice fluid, on the CPU and on a device.
namespace corral::test {
namespace {

using membrane::MembraneSetup;
using structure::SurfaceModel;

/// The largest difference, over the largest value.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i]));
    difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  return most > 0 ? difference / most : difference;
}

double largest_of(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

double apart(double a, double b, double scale) { return std::abs(a - b) / std::max(std::abs(scale), 1e-300); }

void check_same(LatticeRun<Cpu>& here, LatticeRun<Gpu>& there, double tolerance) {
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
MembraneSetup two_spheres(bool walls) {
  MembraneSetup setup = sheared(walls);
  SurfaceModel kind = stiff_sphere(162, 3 * um);
  put(setup, kind, {4.8 * um, 8 * um, 8 * um});
  kind.name = "other";
  kind.material.law = structure::ElasticLaw::neo_hookean;
  put(setup, kind, {11.1 * um, 8.2 * um, 8 * um});
  setup.coupling.repulsion_range = 0.8 * um;
  setup.coupling.repulsion_stiffness = 1e-4;
  return setup;
}

/// Steps from the start on, on both.
void check_run(MembraneSetup setup, double after_many = 1e-11, std::int64_t steps = 6) {
  [[maybe_unused]] const PaddingHoldsAnything padding;
  on_lattice(setup, 2e-8);
  LatticeRun<Cpu> here(setup);
  LatticeRun<Gpu> there(setup);
  check_same(here, there, 1e-13);
  here.advance(1), there.advance(1);
  check_same(here, there, 1e-13);
  here.advance(steps), there.advance(steps);
  check_same(here, there, after_many);
  CHECK(here.step.maps() == there.step.maps());
  CHECK(here.step.sorts() == there.step.sorts());
  CHECK(apart(here.step.stiffest(), there.step.stiffest(), here.step.stiffest()) <= 1e-6);
  check_same(here, there, after_many); // a look changes nothing
}

} // namespace

TEST_CASE("Steps of a sphere in a sheared box are the same on both processors") {
  for (const bool walls : {true, false}) {
    MembraneSetup setup = sheared(walls);
    put_in_the_middle(setup, stiff_sphere(162, 4 * um));
    check_run(setup);
  }
}

TEST_CASE("and of surfaces that repel each other and walls") {
  MembraneSetup setup = two_spheres(true);
  setup.groups[1].position[1] = 3.5 * um;
  check_run(setup);
  check_run(two_spheres(false));
}

TEST_CASE("and of each bending law, with constraints") {
  for (const auto law : {structure::BendingLaw::dihedral, structure::BendingLaw::helfrich}) {
    MembraneSetup setup = sheared(true);
    SurfaceModel kind = stiff_sphere(162, 4 * um);
    kind.material.bending_law = law;
    kind.material.bending_modulus = 2e-19;
    kind.material.volume_stiffness = 1e2;
    kind.material.area_stiffness = 1e-4;
    put_in_the_middle(setup, kind);
    check_run(setup);
  }
}

TEST_CASE("and of vortices, where a force acts on a box that keeps its mean flow") {
  MembraneSetup setup = sheared(false, 0);
  setup.drive.vortices = 0.02;
  setup.drive.body_force = {1e6, 2e6, 0};
  setup.drive.keeps_mean = true;
  put_in_the_middle(setup, stiff_sphere(162, 4 * um));
  check_run(setup);
}

TEST_CASE("and of what is pulled at, tied, or viscous itself") {
  MembraneSetup pulled = sheared(false, 0);
  put_in_the_middle(pulled, stiff_sphere(162, 4 * um));
  pulled.pulls.push_back({.name = "tweezers", .group = 0, .axis = 0, .force = 1e-10, .share = 0.05, .ramp = 1e-7});
  pulled.pulls.push_back({.name = "others", .group = 0, .axis = 0, .force = 3e-10, .share = 0.1, .ramp = 0});
  pulled.pulls.push_back({.name = "across", .group = 0, .axis = 1, .force = 2e-10, .share = 0.5, .ramp = 0});
  check_run(pulled);
  MembraneSetup tied = sheared(true);
  SurfaceModel kind = stiff_sphere(162, 4 * um);
  kind.material.tether_stiffness = 1e8;
  put_in_the_middle(tied, kind).path = {{1e-6, {0.5 * um, 0, 0}}};
  check_run(tied);
  MembraneSetup viscous = sheared(true);
  kind = stiff_sphere(162, 4 * um);
  kind.material.shear_viscosity = kind.material.dilatation_viscosity = 3e-7;
  put_in_the_middle(viscous, kind);
  check_run(viscous, 1e-7);
}

TEST_CASE("A membrane that crosses a periodic side comes in at the other one on both processors") {
  MembraneSetup setup = sheared(true, 0);
  put(setup, stiff_sphere(162, 4 * um), {15.99 * um, 8 * um, 8 * um});
  setup.drive.body_force[0] = 1e7;
  on_lattice(setup, 2e-8);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  LatticeRun<Cpu> here(setup);
  LatticeRun<Gpu> there(setup);
  here.advance(40), there.advance(40);
  CHECK(here.step.measures()[0].centroid[0] < 8 * um);
  check_same(here, there, 1e-10);
}

TEST_CASE("In the step after that its stresslet is about its new centre, though a wall pushes it") {
  MembraneSetup setup = sheared(true, 0);
  put(setup, stiff_sphere(162, 3 * um), {15.99 * um, 3.5 * um, 8 * um});
  setup.drive.body_force[0] = 1e7;
  setup.coupling.repulsion_range = 0.8 * um;
  setup.coupling.repulsion_stiffness = 1e-4;
  on_lattice(setup, 2e-8);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  LatticeRun<Cpu> here(setup);
  LatticeRun<Gpu> there(setup);
  const auto at_the_end = [&] { return here.step.measures()[0].centroid[0] > 8 * um; };
  for (int s = 0; s < 60 && at_the_end(); ++s) here.advance(1), there.advance(1);
  REQUIRE(!at_the_end());
  here.advance(1), there.advance(1);
  CHECK(here.step.net_force()[1] > 0);
  check_same(here, there, 1e-10);
}

TEST_CASE("A membrane that has left the box is told of alike by both processors") {
  MembraneSetup setup = sheared(true, 0);
  put(setup, stiff_sphere(162, 4 * um), {8 * um, 4.5 * um, 8 * um});
  on_lattice(setup, 2e-8);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  const auto complaint = [&]<Execution E>(E) {
    LatticeRun<E> run(setup);
    run.step.populations().front().shift(E{}, run.step.populations().front().kinds().front(), 0, {0, -um, 0});
    try {
      run.advance(1);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string here = complaint(Cpu{});
  CHECK(here.starts_with("membrane 0 has left the box"));
  CHECK(complaint(Gpu{}) == here);
}

TEST_CASE("Figures, tables and columns of membranes are found on a device as on the CPU") {
  MembraneSetup setup = two_spheres(true);
  for (SurfaceModel& surface : setup.surfaces) {
    surface.material.bending_law = structure::BendingLaw::helfrich;
    surface.material.bending_modulus = 2e-19;
  }
  on_lattice(setup, 2e-8);
  [[maybe_unused]] const PaddingHoldsAnything padding;
  const auto told = [&]<Execution E>(E) {
    LatticeRun<E> run(setup);
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
    std::vector<std::vector<double>> all{figures.row(run.step)};
    for (auto& row : figures.cell_rows(run.step)) all.push_back(row);
    for (auto& row : profile.rows(run.step)) all.push_back(row);
    for (const run::Entry& entry : run.registry.entries())
      if (has(entry.use, run::Use::shown) && entry.reals()) all.push_back(entry.reals()->values());
    return all;
  };
  const auto here = told(Cpu{}), there = told(Gpu{});
  REQUIRE(here.size() == there.size());
  for (std::size_t k = 0; k < here.size(); ++k) {
    REQUIRE(here[k].size() == there[k].size());
    INFO("row or column " << k);
    for (std::size_t i = 0; i < here[k].size(); ++i) {
      const double largest = k == 0 ? std::abs(here[k][i]) : largest_of(here[k]);
      INFO("value " << i);
      CHECK(std::abs(here[k][i] - there[k][i]) <= 1e-7 * largest + 1e-24);
    }
  }
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("Steps of membranes have the same bits in any order of threads and blocks") {
  MembraneSetup setup = two_spheres(true);
  on_lattice(setup, 2e-8);
  const auto state_after = [&](cuda_on_host::Order order) {
    cuda_on_host::Configuration configuration = cuda_on_host::configuration();
    configuration.order = order;
    configuration.search_structs = false;
    const cuda_on_host::ScopedConfiguration scope(configuration);
    LatticeRun<Gpu> run(setup);
    run.advance(3);
    std::vector<std::vector<double>> state;
    for (const run::Entry& e : run.registry.entries())
      if (e.reals()) state.push_back(e.reals()->values());
      else if (e.real()) state.push_back({*e.real()});
    return state;
  };
  const auto forward = state_after(cuda_on_host::Order::forward);
  CHECK(state_after(cuda_on_host::Order::reverse) == forward);
  CHECK(state_after(cuda_on_host::Order::random) == forward);
}
#endif

} // namespace corral::test

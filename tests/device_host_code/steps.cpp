/// Steps on a device of gas-solid scenes, part by part, of membranes and of bodies: where one ends because the stand-in calculates
/// nothing, the next follows.

#include "body/output/figures.t.hpp"
#include "mppic/output/figures.hpp"
#include "mppic/output/watch.hpp"
#include "membrane/output/profile.hpp"
#include "membrane/output/surface_columns.hpp"
#include "tests/body/body_run.hpp"
#include "tests/membrane_gpu/case_run.hpp"
#include "tests/mppic_gpu/scenes.hpp"

#include <cstdio>
#include <exception>
#include <string>

/// Does what no device lets pass (faults.cu).
extern "C" void corral_stand_in_fault(const char* name);

namespace corral::test {
namespace {

/// A line of what came of it.
template <class F> void attempt(const std::string& what, const F& work) {
  std::string ended = "done";
  try {
    work();
  } catch (const std::exception& error) {
    ended = error.what();
  }
  std::printf("%s: %s\n", what.c_str(), ended.c_str());
}

void step(const std::string& scene, const mppic::Setup& setup) {
  Run<Gpu> run(setup);
  mppic::Figures figures(run.setup, run.domain, Memory::device);
  mppic::Watch watch(run.setup, run.domain);
  figures.bind_state(run.registry);
  watch.bind_state(run.registry);
  const double dt = setup.time.dt;
  attempt(scene + " start", [&] { run.step.start(); });
  attempt(scene + " time step", [&] { run.stepper.start(run.step); });
  for (std::int64_t number = 0; number < 2; ++number) {
    run.set_time(dt * static_cast<double>(number + 1));
    for (const mppic::StepPart& part : run.step.parts())
      attempt(scene + " " + std::string(part.number) + " " + std::string(part.phase), [&] { part.act({dt, number}); });
    attempt(scene + " time step", [&] { run.stepper.adapt(run.step, dt); });
    attempt(scene + " books", [&] { run.step.solid_books().check(Gpu{}, run.step.parcels()); });
    attempt(scene + " watch", [&] { watch.look(run.step, {2 / dt, 1}, 0, dt); });
    attempt(scene + " figures", [&] { figures.add(run.step, run.stepper.gas(), run.stepper.parcel(), dt); });
    attempt(scene + " row", [&] { figures.row(run.step); });
    attempt(scene + " finite", [&] { run.registry.find_not_finite(); });
    attempt(scene + " state", [&] { run.registry.on_host([](const run::Entry&) { return true; }); });
  }
}

/// The start of a scene with each law of drag, and of heat.
void start_with_laws(const std::string& scene, mppic::Setup setup) {
  for (int law = 0; law <= static_cast<int>(mppic::DragLaw::plessis_masliyah); ++law) {
    setup.solids.drag.law = static_cast<mppic::DragLaw>(law);
    for (auto& solid : setup.solids.several) solid.drag.law = setup.solids.drag.law;
    if (setup.heat.on()) setup.heat.nusselt.law = static_cast<mppic::NusseltLaw>(1 + law % static_cast<int>(mppic::NusseltLaw::gunn));
    Run<Gpu> run(setup);
    attempt(scene + " start with law " + std::to_string(law), [&] { run.step.start(); });
  }
}

enum class In : std::uint8_t { lattice, stokes, inertia };

/// A surface with all that a step of membranes may have.
void step_membranes(const std::string& scene, structure::BendingLaw law, In fluid) {
  membrane::MembraneSetup setup = sheared(law == structure::BendingLaw::dihedral);
  structure::SurfaceModel surface = stiff_sphere(162, 4 * um);
  surface.material.bending_law = law;
  surface.material.bending_modulus = 2e-19;
  surface.material.volume_stiffness = 100;
  surface.material.tether_stiffness = 1e8;
  surface.material.shear_viscosity = 1e-9;
  if (fluid != In::lattice) surface.viscosity_ratio = 5;
  put_in_the_middle(setup, surface).path = {{1e-6, {um, 0, 0}}};
  setup.pulls.push_back({.name = "tweezers", .group = 0, .axis = 0, .force = 1e-10, .share = 0.05, .ramp = 1e-7});
  setup.coupling.repulsion_range = 0.5 * um;
  setup.coupling.repulsion_stiffness = 1e-5;
  if (fluid == In::lattice) on_lattice(setup, 2e-8);
  else setup.fluid.inertia = fluid == In::inertia, setup.time.dt = 2e-8;
  attempt(scene, [&] {
    CaseRun<Gpu> run(setup);
    membrane::SurfaceColumns<Gpu> columns(run.step);
    membrane::Profile<Gpu> profile(run.setup, run.domain, run.registry);
    for (int number = 0; number < 2; ++number) attempt(scene + " step", [&] { run.advance(1); });
    attempt(scene + " stiffest", [&] { run.step.stiffest(); });
    attempt(scene + " output", [&] { run.step.before_output(); });
    attempt(scene + " columns", [&] { columns.update(Gpu{}); });
    attempt(scene + " rows", [&] { profile.rows(run.step); });
    attempt(scene + " state", [&] { run.registry.on_host([](const run::Entry&) { return true; }); });
  });
}

/// The same of surfaces by radial functions.
void step_radial(const std::string& scene, structure::RadialForces rule) {
  membrane::MembraneSetup setup = sheared(true);
  structure::SurfaceModel surface = by_radial_functions(stiff_sphere(162, 4 * um), 101, 403);
  surface.forces = rule;
  surface.material.bending_law = structure::BendingLaw::helfrich;
  surface.material.bending_modulus = 2e-19;
  surface.material.volume_stiffness = 100;
  surface.material.tether_stiffness = 1e8;
  put_in_the_middle(setup, surface);
  setup.time.dt = 2e-8;
  attempt(scene, [&] {
    CaseRun<Gpu> run(setup);
    membrane::SurfaceColumns<Gpu> columns(run.step);
    for (int number = 0; number < 2; ++number) attempt(scene + " step", [&] { run.advance(1); });
    attempt(scene + " columns", [&] { columns.update(Gpu{}); });
  });
}

/// Bodies at rest, told where to go and free, one of which has more points than a block sums up.
void step_bodies(const std::string& scene, const std::string& kernel) {
  using namespace structure;
  body::BodySetup setup = body_box(24, tau_one);
  setup.sides[2] = setup.sides[3] = fluid::SideKind::no_slip;
  setup.forcing = {.kernel = kernel, .slip = 1e-3, .passes = 2};
  setup.contact = {.range = 1, .strength = 1};
  MotionModel told{.mode = BodyMode::given};
  told.given.velocity = {1e-3, 0, 0};
  add_ball(setup, 3, {6, 6, 6}, {});
  add_ball(setup, 3, {14, 6, 6}, told);
  add_ball(setup, 3, {6, 14, 6}, {.mode = BodyMode::free, .density = 2});
  add_body(setup, {.name = "", .kind = BodyKind::sphere, .radius = 4, .spacing = 0.4, .points = 1100}, {14, 14, 14}, {});
  attempt(scene, [&] {
    BodyRun<Gpu> run(setup);
    body::BodyFigures figures(run.setup, run.step.bodies());
    figures.bind_state(run.registry);
    for (int number = 0; number < 2; ++number) attempt(scene + " step", [&] { run.go(1); });
    attempt(scene + " figures", [&] { figures.add(run.step, run.time, setup.time.dt); });
    attempt(scene + " row", [&] { figures.row(run.step); });
    attempt(scene + " output", [&] { run.step.before_output(); });
    attempt(scene + " state", [&] { run.registry.on_host([](const run::Entry&) { return true; }); });
  });
}

} // namespace
} // namespace corral::test

int main(int count, char** arguments) {
  using namespace corral::test;
  if (count > 1) {
    corral_stand_in_fault(arguments[1]);
    return 0;
  }
  corral::mppic::Setup frozen = blown_bed(), conservative = blown_bed(), adaptive = blown_bed();
  frozen.solids.frozen = true;
  conservative.gas.momentum = corral::mppic::MomentumForm::conservative;
  adaptive.time.adaptive = true;
  step("blown", blown_bed());
  step("fed", fed_bed());
  step("warm", warm_bed(false));
  step("ideal", warm_bed(true));
  step("two solids", two_solids());
  step("frozen", frozen);
  step("conservative", conservative);
  step("adaptive", adaptive);
  for (const In fluid : {In::lattice, In::stokes, In::inertia}) {
    const std::string in = fluid == In::lattice ? "" : fluid == In::stokes ? " in Stokes flow" : " in incompressible flow";
    step_membranes("folds" + in, corral::structure::BendingLaw::dihedral, fluid);
    step_membranes("curvature" + in, corral::structure::BendingLaw::helfrich, fluid);
  }
  step_radial("radial", corral::structure::RadialForces::collocated);
  step_radial("radial, variational", corral::structure::RadialForces::variational);
  step_bodies("balls", "roma3");
  step_bodies("wide balls", "ib6");
  start_with_laws("blown", blown_bed());
  start_with_laws("ideal", warm_bed(true));
  start_with_laws("two solids", two_solids());
}

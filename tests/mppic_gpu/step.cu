#include "mppic/boxes/boxes.hpp"
#include "mppic/contact/displacement.hpp"
#include "mppic/felt.t.hpp"
#include "mppic/step.t.hpp"
#include "mppic/time_step.t.hpp"
#include "tests/catch.hpp"
#include "tests/engine_gpu/device_memory.cuh"
#include "tests/mppic/small_beds.hpp"
#include "tests/mppic_gpu/same.hpp"

#include <corral/for_each.cuh>

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

#include <cmath>
#include <map>
#include <optional>
#include <string>

/// The gas-solid step on both processors, part by part: what its solvers find on the CPU is handed to the device.
namespace corral::test {
namespace {

using mppic::Setup;

/// A bed that is packed and blown through, with an inlet below, an outlet above, walls and a periodic axis.
Setup blown_bed() {
  Setup s = empty_box({6, 5, 8}, {0.06, 0.05, 0.08});
  s.sides = {fluid::SideKind::periodic,  fluid::SideKind::periodic, fluid::SideKind::no_slip,
             fluid::SideKind::free_slip, fluid::SideKind::no_slip,  fluid::SideKind::outlet};
  fluid::Inlet inlet;
  inlet.name = "jet";
  inlet.side = 4;
  inlet.region = {{0.02, 0.01, 0}, {0.04, 0.04, 0}};
  inlet.velocity = [](const std::array<double, 3>&) { return 1.5; };
  s.inlets.push_back(inlet);
  s.gas.advection = fluid::Advection::van_leer;
  s.solids.restitution = 0.9;
  s.collisions = {.far = true, .isotropy = true, .blended = true};
  s.seeds.push_back(bed(s, 0.05, 0.55, 6 * 5 * 5 * 8, 1e-3));
  return s;
}

/// All that a step advances, where calls with E want it.
template <Execution E> struct Parts {
  static constexpr Memory memory = memory_for<E>;
  using Columns = std::array<Array<double>, 3>;

  explicit Parts(const Setup& s, fluid::Domain& d)
      : setup(s), domain(d), registry(d.grid(), memory), parcels(registry, s.solids),
        flow(registry),
        order(d.grid(), {Offset::half, Offset::half, Offset::half}), sums(d, s, memory), gas(d, s, memory),
        contact(d, s, memory), displacement(d, s, memory), damping(d, s, memory), collisions(d, s, memory),
        carried(fluid::make_face_arrays(d.grid(), 0, memory)), felt(d, s, memory) {
    displacement.lend_state(registry);
    gas.lend_state(registry);
  }

  static Columns columns_of(std::int64_t n = 0) {
    const Array<double> one(n, 0, memory);
    return {one, one, one};
  }

  /// Order and sums, and what the gas is solved with.
  void begin(double dt) {
    order.sort(E{}, parcels.positions());
    parcels.set.reorder(E{}, order);
    sums.spread(E{}, order, parcels, dt, flow);
    drift = mppic::measure_drift(E{}, domain.grid().cells(), flow.view());
  }
  void damp(double dt) {
    damping.advance(E{}, sums, dt, flow, collisions.frequency(E{}, order, parcels, sums, flow));
  }
  void gather(double dt) {
    felt.gather(E{}, order, parcels, sums, gas, contact, damping, flow, nullptr, dt);
    for (std::size_t i = 0; i < 3; ++i) {
      step[i].resize(parcels.size());
      shift[i].resize(parcels.size());
    }
    slip.resize(parcels.size());
    gone.resize(parcels.size());
  }
  void carry(double dt) {
    mppic::MoveModel model = mppic::move_model(setup, domain, dt);
    mppic::MoveColumns c = columns();
    model.drag_later = true;
    moved = mppic::advance_velocities(E{}, model, c, parcels.size());
    turned = collisions.turn(E{}, order, parcels, sums, flow, c, dt, steps++);
    mppic::drag_of_slip(E{}, model, c, parcels.size());
    sums.boxes().spread_fluxes(E{}, order, parcels.places(), parcels.volume.data(),
                               {step[0].data(), step[1].data(), step[2].data()}, carried);
    for (Array<double>& flux : carried) mppic::scale(E{}, flux, 1 / domain.grid().cell_volume());
    if (!setup.solids.densities_differ()) return;
    energy = mppic::energy_on_the_way(E{}, parcels.size(), {setup.gravity, setup.gas.rho, parcels.density(),
                                                            parcels.volume.data(), run::pointers(parcels.velocity),
                                                            {step[0].data(), step[1].data(), step[2].data()}});
    lost = sums.kinetic_energy(E{}, flow) - energy;
  }
  void end(double dt) {
    sums.boxes().interpolate(E{}, order, parcels.places(), displacement.shift(), displacement.spacing(),
                             {shift[0].data(), shift[1].data(), shift[2].data()});
    moved += mppic::move_parcels(E{}, mppic::move_model(setup, domain, dt), columns(), parcels.size());
    given = gas.momentum_from_parcels(E{}, sums, dt, flow);
    left_volume = mppic::leaving_volume(E{}, parcels.size(), gone.data(), 6, parcels.volume.data());
    parcels.set.remove(E{}, gone);
    contact.remember(E{}, gas, flow);
    rates = mppic::count_rates(E{}, parcels.size(), run::pointers(parcels.velocity), {100, 100, 100});
    fastest = mppic::largest_speed_squared(E{}, parcels.size(), run::pointers(parcels.velocity));
    drag_rate = sums.drag_rate(E{}, setup.solids.stress.touching(), dt);
  }

  mppic::MoveColumns columns() {
    mppic::MoveColumns c{};
    c.density = parcels.density();
    c.solid = parcels.solid ? parcels.solid->data() : nullptr;
    for (std::size_t d = 0; d < 3; ++d) {
      c.position[d] = parcels.position[d]->data();
      c.velocity[d] = parcels.velocity[d]->data();
      c.step[d] = step[d].data();
      c.shift[d] = shift[d].data();
    }
    c.drag = parcels.drag.data();
    c.volume = parcels.volume.data();
    c.diameter = parcels.diameter.data();
    c.slip = slip.data();
    c.gone = gone.data();
    felt.show(c);
    return c;
  }

  const Setup& setup;
  fluid::Domain& domain;
  run::Registry registry;
  mppic::Parcels parcels;
  mppic::Flow flow;
  CellOrder<double> order;
  mppic::FaceSums sums;
  mppic::Gas gas;
  mppic::Contact contact;
  mppic::Displacement displacement;
  mppic::Damping damping;
  mppic::Collisions collisions;
  mppic::Isotropy::Report turned;
  std::int64_t steps = 0;
  fluid::FaceArrays carried;
  mppic::Felt felt;
  Columns step = columns_of(), shift = columns_of();
  Array<double> slip{memory};
  Array<std::uint8_t> gone{memory};
  mppic::MoveSums moved;
  mppic::Drift drift{};
  std::array<double, 3> given{};
  std::vector<std::int64_t> rates;
  std::optional<double> lost;
  double energy = 0, left_volume = 0, fastest = 0, drag_rate = 0;
};

/// Fields, columns and ids.
void check_same_state(const run::Registry& here, const run::Registry& there) {
  auto b = there.entries().begin();
  for (const run::Entry& a : here.entries()) {
    INFO(a.full_name());
    REQUIRE(b->full_name() == a.full_name());
    if (a.reals()) CHECK(apart(*a.reals(), *b->reals()) <= tolerance);
    if (a.ids()) CHECK(a.ids()->values() == b->ids()->values());
    ++b;
  }
}

void check_same_sums(const Parts<Cpu>& here, const Parts<Gpu>& there) {
  check_same(here.sums.theta, there.sums.theta, "theta");
  check_same(here.sums.Q, there.sums.Q, "Q");
  check_same(here.sums.box_U, there.sums.box_U, "box U");
  check_same(here.sums.mean_velocity, there.sums.mean_velocity, "mean velocity");
  CHECK(apart(here.sums.restitution, there.sums.restitution) <= tolerance);
  CHECK(apart(here.sums.mean_square, there.sums.mean_square) <= tolerance);
  CHECK(near(here.drift.most, there.drift.most, 1));
  CHECK(near(here.drift.sum_of_squares, there.drift.sum_of_squares, 1));
}

/// A step on both; solutions of the linear and the complementarity problems go from here to there.
void advance(Parts<Cpu>& here, Parts<Gpu>& there, double dt) {
  here.begin(dt);
  there.begin(dt);
  check_same_sums(here, there);

  there.gas.predict(Gpu{}, there.sums, dt, there.flow);
  here.gas.advance(Cpu{}, here.sums, dt, here.flow);
  there.flow.pressure = here.flow.pressure;
  there.gas.correct(Gpu{}, there.sums, dt, there.flow);
  check_same(here.gas.pressure_gradient(), there.gas.pressure_gradient(), "pressure gradient");
  check_same(here.gas.solids_flux(), there.gas.solids_flux(), "solids flux");
  CHECK(here.gas.report().clipped == there.gas.report().clipped);
  CHECK(near(here.gas.report().mixture_residual, there.gas.report().mixture_residual, 1));
  check_same_books(here.gas.report().books, there.gas.report().books);

  there.contact.set_velocity(Gpu{}, there.sums, there.gas, dt);
  there.contact.set_mobility(Gpu{}, there.sums, dt);
  there.contact.set_law(Gpu{}, there.sums, there.gas, dt, there.flow);
  here.contact.advance(Cpu{}, here.sums, here.gas, dt, here.flow);
  there.flow.contact_pressure = here.flow.contact_pressure;
  there.contact.apply_pressure(Gpu{}, there.sums, there.gas, dt, there.flow);
  check_same(here.contact.velocity(), there.contact.velocity(), "velocity of the solids");
  check_same(here.contact.box_flux(), there.contact.box_flux(), "flux of the boxes");
  check_same(here.contact.push(), there.contact.push(), "push");
  CHECK(apart(here.contact.coverage(), there.contact.coverage()) <= tolerance);

  here.damp(dt);
  there.damp(dt);
  CHECK(apart(here.damping.a(), there.damping.a()) <= tolerance);
  here.gather(dt);
  there.gather(dt);
  here.carry(dt);
  there.carry(dt);
  check_same(here.carried, there.carried, "carried");
  CHECK(near(here.energy, there.energy, here.energy));
  if (here.lost) CHECK(near(*here.lost, *there.lost, here.energy));
  for (const auto& turned : {here.turned, there.turned}) {
    CHECK(turned.momentum <= 1e-14);
    CHECK(turned.energy <= 1e-14);
  }

  there.displacement.foresee(Gpu{}, there.sums, there.gas, there.contact, there.carried, dt, there.flow, there.lost);
  here.displacement.advance(Cpu{}, here.sums, here.gas, here.contact, here.carried, dt, here.flow, here.lost);
  there.flow.displacement_potential = here.flow.displacement_potential;
  there.displacement.give_way(Gpu{}, there.sums, there.contact, there.carried, dt, there.flow);
  check_same(here.displacement.shift(), there.displacement.shift(), "displacement");
  check_same(here.displacement.spacing(), there.displacement.spacing(), "spacing");
  CHECK(near(here.displacement.paid(), there.displacement.paid(), 1));
  here.end(dt);
  there.end(dt);
}

/// Some steps from one that has seen everything happen; some parcels rise fast [m/s], and leave.
void check_steps(const Setup& setup, double fast = 12) {
#ifdef CORRAL_CUDA_ON_HOST
  // Padding of the views that loops capture holds anything, what looks like a pointer to the host, too.
  cuda_on_host::Configuration configuration = cuda_on_host::configuration();
  configuration.search_structs = false;
  const cuda_on_host::ScopedConfiguration scoped(configuration);
#endif
  Bed start(setup);
  for (int d = 0; d < 3; ++d)
    for (double& u : start.field("velocity", d)) u += 0.3 * std::sin(1e3 * (u + d));
  for (std::int64_t i = 0; i < start.field("velocity", 2).size(); i += 40) start.field("velocity", 2)[i] = fast;
  start.run(8);
  start.domain.send();
  Parts<Cpu> here(start.setup, start.domain);
  Parts<Gpu> there(start.setup, start.domain);
  here.registry.assign(start.registry);
  there.registry.assign(start.registry);
  std::int64_t left = 0, packed = 0;
  for (int step = 0; step < 4; ++step) {
    INFO("step " << step);
    advance(here, there, start.setup.time.dt);
    check_same_state(here.registry, there.registry);
    for (int s = 0; s < 6; ++s) CHECK(here.moved.left[s] == there.moved.left[s]);
    for (std::size_t d = 0; d < 3; ++d) CHECK(near(here.given[d], there.given[d], here.moved.exchanged[d]));
    CHECK(near(here.left_volume, there.left_volume, here.left_volume));
    CHECK(here.rates == there.rates);
    CHECK(near(here.fastest, there.fastest, here.fastest));
    CHECK(near(here.drag_rate, there.drag_rate, here.drag_rate));
    left += here.moved.left[5];
    for (const double pi : here.flow.contact_pressure) packed += pi > 0;
  }
  CHECK(left > 0); // the scene is one in which all of that happens
  CHECK(packed > 100);
}

} // namespace

TEST_CASE("the gas-solid step on the device, its solvers aside, ends where the CPU's does") { check_steps(blown_bed()); }

TEST_CASE("so it does where the gas's momentum is in conservation form") {
  Setup s = blown_bed();
  s.gas.momentum = mppic::MomentumForm::conservative;
  check_steps(s);
  s.gas.advection = fluid::Advection::central;
  s.gas.viscous_force = fluid::Viscosity::stress;
  s.gas.smagorinsky = 0.168;
  check_steps(s);
}

TEST_CASE("and with solids of several densities, laws of drag, restitutions and sizes") {
  Setup s = blown_bed();
  s.solids.several = {{"steel", 7800, s.solids.drag, 0.9}, {"nylon", 1050, s.solids.drag, 0.6}};
  s.solids.several[1].drag.law = mppic::DragLaw::beetstra;
  s.solids.rho = 1050;
  s.seeds = {bed(s, 0.05, 0.3, 6 * 5 * 5 * 4, 1e-3), bed(s, 0.05, 0.25, 6 * 5 * 5 * 4, 7e-4)};
  s.seeds[1].solid = 1;
  check_steps(s, 20);
}

} // namespace corral::test

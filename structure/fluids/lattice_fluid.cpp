#include "structure/fluids/lattice_fluid.hpp"

#include "engine/cpu/machine/huge_pages.hpp"
#include "fluid/lattice/measures.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/fluids/starting_flow.hpp"
#include "structure/fluids/vortices.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

namespace corral::structure {

namespace {

using run::Use;

constexpr std::array<Staggering, 3> in_cells{Staggering::centre, Staggering::centre, Staggering::centre};

/// Fields of 0 as each step reads and writes them, or sends and fetches them.
std::array<Array<double>, 3> make_fields(const FlowSetup& flow, const Grid& grid) {
  if (flow.fluid.lattice.on_device()) return fluid::make_cell_arrays(grid, 0, Memory::pinned);
  const auto zeros = [&] { return cpu::zeros_on_huge_pages<double>(grid.cells()); };
  return {zeros(), zeros(), zeros()};
}

} // namespace

LatticeFluid::LatticeFluid(const FlowSetup& flow, double dt, const fluid::Domain& domain, run::Registry& registry)
    : setup_(flow), domain_(domain),
      velocity_(registry.declare_vector_field("velocity", "m/s", "of the fluid, half of the last step's forces in it", in_cells,
                                              Use::shown)),
      pressure_(registry.declare_field("pressure", "Pa", "of the fluid, 0 at its density at rest", Staggering::centre, Use::shown)),
      flow_(fluid::make_placed_flow(domain, lattice_properties(flow, dt), flow.fluid.lattice.processor)),
      force_(make_fields(flow, domain.grid())), midway_(make_fields(flow, domain.grid())) {
  register_state(registry);
}

void LatticeFluid::register_state(run::Registry& registry) {
  const fluid::LatticeFlow::State state = flow_->state();
  std::visit([&](auto* populations) {
    populations_ = populations->size();
    registry.bind("populations", "", "of the lattice, less their weights", *populations, Use::saved | Use::watched);
  }, state.populations);
  registry.bind("lattice_steps", "of the fluid, since its start", *state.steps);
  most_.resize(3);
  registry.bind("lattice_fastest", "m/s", "of the fluid along each axis in the last step, which decides how far forcing goes", most_);
  for (const auto& outlet : state.outlets)
    for (std::size_t d = 0; d < 3; ++d)
      registry.bind("outlet_" + std::string(fluid::side_names[outlet.side]) + "_" + "xyz"[d], "",
                    "velocity before that side, cells a step", *outlet.velocity[d]);
}

void LatticeFluid::start() {
  const Grid& grid = domain_.grid();
  const StartingFlow flow(setup_);
  const double half = 0.5 * flow_->properties().dt / setup_.fluid.rho;
  for (std::size_t d = 0; d < 3; ++d) {
    double* to = velocity_[d]->data();
    const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
    for_each(Cpu{}, grid.cells(), [=, &flow, this](std::int64_t c) {
      const double y = (static_cast<double>(c / nx % ny) + 0.5) * setup_.size[1] / static_cast<double>(ny);
      to[c] = flow(d, y) - half * setup_.drive.body_force[d]; // which populations lack
    });
  }
  if (setup_.drive.developed) { // what the force of the jump makes at its points, less half of it
    const Axis& across = domain_.grid().axis(1);
    const double at_points = fluid::lattice::response_at_points(flow_->properties(), across.spacing).along_axes;
    add_beside_jump(Cpu{}, run::pointers(velocity_), -at_points * setup_.drive.shear_rate * across.length() - half * jump_force());
  }
  const double vortices = setup_.drive.vortices;
  if (vortices != 0) {
    add_vortices(Cpu{}, grid, vortices, in_cells, run::pointers(velocity_));
    set_pressure_of_vortices(Cpu{}, grid, vortices, setup_.fluid.rho, pressure_.data());
  }
  flow_->start(Cpu{}, fluid::as_const(run::pointers(velocity_)), vortices != 0 ? pressure_.data() : nullptr);
  holds_ = Holds::nothing;
  const ConstVectorField u = velocity();
  std::array<double, 3> most{};
  for (std::size_t d = 0; d < 3; ++d)
    most[d] = maximum(Cpu{}, grid.cells(), 0, [of = u[d]](std::int64_t c) { return std::abs(of[c]); });
  set_fastest(most);
}

void LatticeFluid::restored() {
  std::visit([&](const auto* populations) {
    if (populations->size() != populations_)
      throw Error("the state has " + std::to_string(populations->size()) + " populations (the lattice has " +
                  std::to_string(populations_) + ": it is of another case)");
  }, flow_->state().populations);
  flow_->send_state();
  holds_ = Holds::nothing;
  set_fastest({most_[0], most_[1], most_[2]});
}

/// f(first row, last row) of a field's component along the shear, for all z.
template <class F> void LatticeFluid::beside_jump(Cpu cpu, const VectorField& field, F f) const {
  if (!is_sheared_box()) return;
  const std::int64_t nx = domain_.grid().axis(0).cells, ny = domain_.grid().axis(1).cells;
  double* const values = field[setup_.drive.along];
  for_each(cpu, domain_.grid().axis(2).cells, [=](std::int64_t k) { f(values + nx * ny * k, values + nx * (ny * (k + 1) - 1)); });
}

/// Around the end the velocity falls by rate times the width: -mu Lap u of that holds it.
double LatticeFluid::jump_force() const {
  const Axis& y = domain_.grid().axis(1);
  return setup_.fluid.mu * setup_.drive.shear_rate * static_cast<double>(y.cells) / y.spacing;
}

void LatticeFluid::add_beside_jump(Cpu cpu, const VectorField& field, double by) const {
  beside_jump(cpu, field, [nx = domain_.grid().axis(0).cells, by](double* first, double* last) {
    for (std::int64_t i = 0; i < nx; ++i) first[i] -= by, last[i] += by;
  });
}

/// Its force makes a velocity of its own in these two rows (response_at_points). What stands beside goes on instead.
void LatticeFluid::mend_jump(Cpu cpu, const VectorField& velocity) const {
  if (domain_.grid().axis(1).cells < 4) return;
  beside_jump(cpu, velocity, [nx = domain_.grid().axis(0).cells](double* first, double* last) {
    for (std::int64_t i = 0; i < nx; ++i) {
      first[i] = 2 * first[i + nx] - first[i + 2 * nx];
      last[i] = 2 * last[i - nx] - last[i - 2 * nx];
    }
  });
}

void LatticeFluid::clear_forces(Cpu cpu) {
  const std::int64_t nx = domain_.grid().axis(0).cells;
  for (auto& component : force_) {
    double* const to = component.data();
    if (forced_anywhere_) for_each(cpu, component.size(), [=](std::int64_t c) { to[c] = 0; });
    else
      for (const fluid::RowPart& part : forced_)
        for (std::int64_t c = nx * part.row + part.begin; c < nx * part.row + part.end; ++c) to[c] = 0;
  }
}

VectorField LatticeFluid::begin_forces(Cpu cpu) {
  clear_forces(cpu);
  forced_anywhere_ = true;
  return fluid::writable_pointers(force_);
}

VectorField LatticeFluid::begin_forces(Cpu cpu, fluid::RowParts parts) {
  clear_forces(cpu);
  forced_.assign(parts.begin(), parts.end());
  forced_anywhere_ = false;
  flow_->begin_step(forced_);
  return fluid::writable_pointers(force_);
}

void LatticeFluid::require_step(double dt) const {
  const double own = flow_->properties().dt;
  if (std::abs(dt - own) > 1e-9 * own)
    throw Error("a lattice fluid takes steps of " + run::brief(own) + " s (" + run::brief(dt) + " s were asked for) choose time.step = "
                "fixed");
}

VectorField LatticeFluid::seen() { return keeps_midway_ ? fluid::writable_pointers(midway_) : VectorField{}; }

void LatticeFluid::step_elsewhere(Cpu cpu, double dt) {
  require_step(dt);
  if (forced_anywhere_ || !can_step_elsewhere()) return;
  flow_->step_elsewhere(cpu, seen());
}

void LatticeFluid::step(Cpu cpu, double dt) {
  require_step(dt);
  if (setup_.drive.keeps_mean) take_out_mean(cpu);
  add_beside_jump(cpu, fluid::writable_pointers(force_), jump_force());
  if (forced_anywhere_ || is_sheared_box()) flow_->step(cpu, fluid::pointers(force_), seen());
  else flow_->step_forced_in(cpu, forced_, fluid::pointers(force_), seen());
  add_beside_jump(cpu, fluid::writable_pointers(force_), -jump_force());
  if (keeps_midway_) mend_jump(cpu, fluid::writable_pointers(midway_));
  holds_ = Holds::nothing;
  set_fastest(flow_->fastest());
  watch();
}

/// The mean of all forces, so that none is left on a box that wraps.
void LatticeFluid::take_out_mean(Cpu cpu) {
  forced_anywhere_ = true;
  for (std::size_t d = 0; d < 3; ++d) {
    double* f = force_[d].data();
    const double mean = setup_.drive.body_force[d] + sum(cpu, force_[d].size(), [=](std::int64_t c) { return f[c]; }) /
                                                   static_cast<double>(force_[d].size());
    for_each(cpu, force_[d].size(), [=](std::int64_t c) { f[c] -= mean; });
    taken_out_[d] = mean;
  }
}

void LatticeFluid::set_fastest(const std::array<double, 3>& most) {
  fastest_ = {};
  std::copy(most.begin(), most.end(), most_.begin());
  for (int d = 0; d < 3; ++d) {
    const double speed = most[d];
    if (!(speed <= fastest_.speed || std::isnan(fastest_.speed))) fastest_.speed = speed;
    if (!domain_.grid().axis(d).thin()) fastest_.rate += speed / domain_.grid().axis(d).spacing;
  }
}

void LatticeFluid::watch() const {
  const double dt = flow_->properties().dt, mach = std::sqrt(3.) * fastest_.speed * dt / domain_.grid().axis(0).spacing;
  if (mach <= LatticeNumbers::largest_mach) return;
  if (std::isnan(fastest_.rate) || std::isinf(fastest_.rate))
    throw Error("the flow has blown up (its velocity is no number) look at its Mach number in log.csv, and set time.dt to a shorter step, or "
                "take finer cells, or lattice.collision = regularised");
  throw Error("the fluid moves at " + run::brief(fastest_.speed) + " m/s, a Mach number of " + run::brief(mach) +
              " on the lattice (up to " + run::brief(LatticeNumbers::largest_mach) + " it follows) set time.dt to " +
              run::brief_below(0.5 * dt * LatticeNumbers::largest_mach / mach) + " s, or look at what drives it");
}

void LatticeFluid::scale(Cpu cpu, const VectorField& field, double by) const {
  for (double* f : field) for_each(cpu, domain_.grid().cells(), [=](std::int64_t c) { f[c] *= by; });
}

void LatticeFluid::respond(Cpu cpu, const VectorField& field) { scale(cpu, field, 1 / setup_.fluid.rho); }

void LatticeFluid::respond_midway(Cpu cpu, const VectorField& field, double dt) {
  scale(cpu, field, 0.5 * dt / setup_.fluid.rho);
}

void LatticeFluid::foresee(Cpu cpu, double dt) {
  require_step(dt);
  const VectorField midway = fluid::writable_pointers(midway_);
  if (!forced_anywhere_) return flow_->find_in(cpu, forced_, fluid::pointers(force_), midway);
  flow_->find(cpu, fluid::pointers(force_), midway, nullptr);
  mend_jump(cpu, midway);
}

ConstVectorField LatticeFluid::velocity() const {
  if (holds_ != Holds::velocity) find_velocity({}, nullptr);
  holds_ = Holds::velocity;
  return fluid::as_const(run::pointers(velocity_));
}

void LatticeFluid::before_output() {
  if (holds_ != Holds::shown) find_velocity(fluid::pointers(force_), pressure_.data());
  holds_ = Holds::shown;
}

void LatticeFluid::find_velocity(const ConstVectorField& force, double* pressure) const {
  const VectorField u = run::pointers(velocity_);
  flow_->find(Cpu{}, force, u, pressure);
  mend_jump(Cpu{}, u);
}

std::array<double, 3> LatticeFluid::force_of_sides() const {
  std::array<double, 3> force = flow_->force_of_sides(Cpu{});
  const double volume = domain_.grid().cell_volume() * static_cast<double>(domain_.grid().cells());
  for (std::size_t d = 0; d < 3; ++d) force[d] -= taken_out_[d] * volume;
  return force;
}

double LatticeFluid::kinetic_energy() const {
  return fluid::lattice::kinetic_energy(Cpu{}, domain_, setup_.fluid.rho, velocity());
}

double LatticeFluid::power_of_jump(const ConstVectorField& velocity) const {
  if (!is_sheared_box()) return 0;
  const std::int64_t nx = domain_.grid().axis(0).cells, ny = domain_.grid().axis(1).cells;
  const double* const u = velocity[setup_.drive.along];
  const double differences = sum(Cpu{}, domain_.grid().axis(2).cells, [=](std::int64_t k) {
    double total = 0;
    for (std::int64_t i = 0; i < nx; ++i) total += u[nx * (ny * (k + 1) - 1) + i] - u[nx * ny * k + i];
    return total;
  });
  return jump_force() * domain_.grid().cell_volume() * differences;
}

Fluid::Powers LatticeFluid::powers() const {
  const ConstVectorField u = keeps_midway_ ? velocity_midway() : velocity();
  const fluid::lattice::ViscousWork viscous =
      fluid::lattice::viscous_work(Cpu{}, domain_, flow_->properties(), u, fluid::pointers(force_));
  Powers p{.dissipation = viscous.dissipated,
           .drive = viscous.by_walls + power_of_jump(u),
           .forces = fluid::lattice::power(Cpu{}, domain_, fluid::pointers(force_), u)};
  for (std::size_t d = 0; d < 3; ++d) {
    const double flow = domain_.grid().cell_volume() *
                        sum(Cpu{}, domain_.grid().cells(), [of = u[d]](std::int64_t c) { return of[c]; });
    p.drive += (setup_.drive.body_force[d] - taken_out_[d]) * flow;
  }
  return p;
}

} // namespace corral::structure

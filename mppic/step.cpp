#include "mppic/step.hpp"
#include "mppic/step.t.hpp"

#include "mppic/parcels/start.hpp"

#include <cmath>
#include <string>

namespace corral::mppic {

namespace {

constexpr std::array<Offset, 3> between_centres{Offset::half, Offset::half, Offset::half};

} // namespace

Step::Step(const Setup& setup, const fluid::Domain& domain, run::Registry& registry, run::Phases& phases)
    : setup_(setup), domain_(domain), phases_(phases), parcels_(registry, setup.solids, setup.heat.on()),
      books_(registry, parcels_.set), solid_books_(setup, registry),
      flow_(registry), inflow_(domain, setup, registry, books_), order_(domain.grid(), between_centres), sums_(domain, setup),
      gas_(domain, setup), contact_(domain, setup), displacement_(domain, setup), damping_(domain, setup),
      collisions_(domain, setup), felt_(domain, setup), carried_(fluid::make_face_arrays(domain.grid())),
      audit_(setup.gravity, setup.solids.rho) {
  for (int s = 0; s < 6; ++s)
    if (domain.side_kind(s) == fluid::SideKind::outlet)
      left_[static_cast<std::size_t>(s)] =
          &books_.add_boundary(std::string(fluid::side_names[static_cast<std::size_t>(s)]));
  displacement_.lend_state(registry);
  if (setup.heat.on()) heat_.emplace(domain, setup, registry, parcels_);
  gas_.lend_state(registry);
  inflow_.set_fluxes(gas_);
}

void Step::advance(double dt, std::int64_t step) {
  const bool moving = !setup_.solids.frozen, audited = setup_.audit && moving;
  if (audited) audit_.begin(Cpu{}, parcels_);
  inflow_.add_parcels(dt, step, flow_, parcels_, books_, solid_books_);
  if (audited) audit_.entered(Cpu{}, parcels_);
  if (heat_) heat_->begin(inflow_.heat());
  const auto phase = [&](const char* name, auto part) {
    const auto t = phases_.time(name);
    part();
  };
  phase("sort", [&] { sort(); });
  std::vector<Boxes::Term> others;
  if (heat_) phase("heat", [&] { others = heat_->terms(Cpu{}, parcels_, dt); });
  phase("spread", [&] { sums_.spread(Cpu{}, order_, parcels_, dt, flow_, others); });
  measure_theta();
  if (heat_)
    phase("heat", [&] {
      foresee_gas(dt);
      gas_.set_volume_source(&heat_->gas().set_volume_source(Cpu{}, flow_, dt));
    });
  phase("gas", [&] { gas_.advance(Cpu{}, sums_, dt, flow_); });
  if (heat_) phase("heat", [&] { heat_->advance(Cpu{}, gas_, flow_, dt); });
  if (moving) {
    phase("contact", [&] { contact_.advance(Cpu{}, sums_, gas_, dt, flow_); });
    phase("damping", [&] {
      damping_.advance(Cpu{}, sums_, dt, flow_, collisions_.frequency(Cpu{}, order_, parcels_, sums_, flow_));
    });
  }
  phase("gather", [&] { gather(dt); });
  if (audited) phase("audit", [&] { audit_.gather(Cpu{}, order_, domain_.grid(), gas_, damping_, sums_); });
  phase("move", [&] { advance_velocities(dt, step); });
  if (heat_) phase("heat", [&] { exchange_heat(dt, step); });
  if (moving) {
    phase("displace", [&] { displace(dt); });
    phase("move", [&] { move(dt); });
    contact_.remember(Cpu{}, gas_, flow_);
  }
  if (heat_) heat_->close(left_heat_);
  report_.gas = gas_.report();
  report_.contact = contact_.report();
  report_.displacement = displacement_.report();
  report_.paid = displacement_.paid();
  report_.packed_drag = moving && setup_.solids.packing && setup_.time.adaptive
                            ? sums_.drag_rate(Cpu{}, setup_.solids.stress.touching(), dt)
                            : 0;
}

/// What the gas is like in this step, where its density or viscosity varies.
void Step::foresee_gas(double dt) {
  const VaryingGas* varying = heat_->gas().varying();
  if (!varying) return;
  gas_.set_fraction(Cpu{}, sums_, flow_);
  heat_->foresee(Cpu{}, gas_, dt);
  gas_.set_properties(Cpu{}, varying->density(), varying->viscosity(), varying->mass_flux());
}

void Step::sort() {
  slip_.resize(parcels_.size());
  gone_.resize(parcels_.size());
  const SortCounts counts = order_.sort(Cpu{}, parcels_.positions());
  if (counts.inside != parcels_.size())
    throw Error(std::to_string(counts.outside) + " parcels outside the box and " + std::to_string(counts.not_finite) +
                " without a finite position (the flow has blown up) set time.step = adaptive, or time.dt to "
                "a shorter step");
  parcels_.set.reorder(Cpu{}, order_);
  report_.sorts = 1;
}

void Step::measure_theta() {
  const std::int64_t cells = flow_.solids_fraction.size();
  report_.theta_max = largest(Cpu{}, cells, flow_.solids_fraction.data());
  report_.drift_max = report_.drift_rms = 0;
  if (setup_.solids.frozen) return;
  const Drift drift = measure_drift(Cpu{}, cells, flow_.view());
  report_.drift_max = drift.most;
  report_.drift_rms = std::sqrt(drift.sum_of_squares / static_cast<double>(cells));
}

void Step::gather(double dt) {
  felt_.gather(Cpu{}, order_, parcels_, sums_, gas_, contact_, damping_, flow_, heat_ ? &*heat_ : nullptr, dt);
  if (!setup_.solids.frozen)
    for (Array<double>& column : step_) column.resize(parcels_.size());
  report_.maps = sums_.maps() + felt_.fields();
}

void Step::advance_velocities(double dt, std::int64_t step) {
  const bool moving = !setup_.solids.frozen;
  MoveModel model = move_model(dt);
  MoveColumns columns = move_columns();
  const std::int64_t n = parcels_.size();
  if (setup_.audit && moving) audit_.forces(Cpu{}, model, columns, n);
  model.drag_later = moving && setup_.collisions.isotropy;
  report_.moved = mppic::advance_velocities(Cpu{}, model, columns, n);
  report_.maps += collisions_.maps();
  if (!model.drag_later) return;
  if (setup_.audit) audit_.before_isotropy(Cpu{}, parcels_);
  report_.isotropy = collisions_.turn(Cpu{}, order_, parcels_, sums_, flow_, columns, dt, step);
  if (setup_.audit) audit_.after_isotropy(Cpu{}, parcels_);
  drag_of_slip(Cpu{}, model, columns, n);
}

void Step::exchange_heat(double dt, std::int64_t step) {
  const MoveModel model = move_model(dt);
  heat_->exchange(Cpu{}, model, move_columns(), parcels_);
  constexpr std::int64_t now_and_then = 16; // steps: what makes results doubtful lasts
  if (step % now_and_then == 0) heat_->look(model, move_columns(), parcels_, flow_);
  report_.maps += 2;
}

/// Where velocities take the parcels is known by now: theta is foreseen from that, and what is wrong with it displaced.
void Step::displace(double dt) {
  const Boxes& boxes = sums_.boxes();
  const std::array<const double*, 3> step{step_[0].data(), step_[1].data(), step_[2].data()};
  boxes.spread_fluxes(Cpu{}, order_, parcels_.places(), parcels_.volume.data(), step, carried_);
  const double per_cell = 1 / domain_.grid().cell_volume();
  for (Array<double>& flux : carried_) scale(Cpu{}, flux, per_cell);
  std::optional<double> lost; // solids that pass each other lose more than their mean motion
  if (setup_.solids.densities_differ())
    lost = sums_.kinetic_energy(Cpu{}, flow_) -
           energy_on_the_way(Cpu{}, parcels_.size(), {setup_.gravity, setup_.gas.rho, parcels_.density(),
                                                      parcels_.volume.data(), run::pointers(parcels_.velocity), step});
  displacement_.advance(Cpu{}, sums_, gas_, contact_, carried_, dt, flow_, lost);
  for (Array<double>& column : shift_) column.resize(parcels_.size());
  boxes.interpolate(Cpu{}, order_, parcels_.places(), displacement_.shift(), displacement_.spacing(),
                    {shift_[0].data(), shift_[1].data(), shift_[2].data()});
  report_.maps += 6;
  if (setup_.audit) audit_.displacement(Cpu{}, move_model(dt), move_columns(), parcels_.size());
}

void Step::move(double dt) {
  report_.moved += move_parcels(Cpu{}, move_model(dt), move_columns(), parcels_.size());
  check_momentum(dt);
  if (setup_.audit) audit_.end(Cpu{}, report_.moved, parcels_, gone_, dt);
  remove_leavers();
}

/// What the gas gave the parcels, and they the gas.
void Step::check_momentum(double dt) {
  report_.momentum_residual = 0;
  if (!setup_.solids.two_way) return;
  const std::array<double, 3> to_gas = gas_.momentum_from_parcels(Cpu{}, sums_, dt, flow_);
  // A bed that rests exchanges next to nothing: what gravity gave it in the step is the scale of round-off then.
  double exchanged = 0, pull = 0;
  for (double e : report_.moved.exchanged) exchanged += e;
  for (const double g : setup_.gravity) pull += std::abs(g);
  exchanged += mass(Cpu{}, parcels_, dt * pull);
  for (std::size_t d = 0; d < 3 && exchanged > 0; ++d)
    report_.momentum_residual =
        std::max(report_.momentum_residual, std::abs(to_gas[d] + report_.moved.from_gas[d]) / exchanged);
}

void Step::remove_leavers() {
  std::int64_t left = 0;
  report_.left_volume = report_.left_mass = left_heat_ = {};
  for (std::size_t s = 0; s < 6; ++s) {
    left += report_.moved.left[s];
    if (left_[s]) *left_[s] += report_.moved.left[s];
    if (report_.moved.left[s] == 0) continue;
    const int mark = static_cast<int>(1 + s);
    report_.left_volume[s] = leaving_volume(Cpu{}, parcels_.size(), gone_.data(), mark, parcels_.volume.data());
    report_.left_mass[s] = leaving_mass(Cpu{}, parcels_, gone_.data(), mark);
    if (heat_) left_heat_[s] = heat_->leaving(Cpu{}, parcels_, gone_, mark);
  }
  if (left == 0) return;
  solid_books_.leave(parcels_, gone_);
  parcels_.set.remove(Cpu{}, gone_);
}

MoveModel Step::move_model(double dt) const {
  MoveModel model = mppic::move_model(setup_, domain_, dt);
  if (heat_ && heat_->gas().varying()) model.gas_pressure = heat_->gas().varying()->pressure();
  return model;
}

MoveColumns Step::move_columns() {
  MoveColumns c{};
  c.density = parcels_.density();
  for (std::size_t d = 0; d < 3; ++d) {
    c.position[d] = parcels_.position[d]->data();
    c.velocity[d] = parcels_.velocity[d]->data();
    c.step[d] = step_[d].data();
    c.shift[d] = shift_[d].data();
  }
  c.drag = parcels_.drag.data();
  c.volume = parcels_.volume.data();
  c.diameter = parcels_.diameter.data();
  c.slip = slip_.data();
  c.gone = gone_.data();
  felt_.show(c);
  // At the start it has not been interpolated, but is what the drag models know.
  if (heat_ && heat_->gas().varying() && heat_->gas_at().size() == parcels_.size())
    c.gas_temperature = heat_->gas_at().data();
  c.solid = parcels_.solid ? parcels_.solid->data() : nullptr;
  return c;
}

void Step::start() {
  seed_parcels(setup_, domain_.grid(), books_, solid_books_, parcels_);
  sort();
  sums_.spread(Cpu{}, order_, parcels_, 0, flow_);
  predict_as_is(Cpu{}, domain_.grid().cells(), flow_.view());
  start_gas(setup_, domain_, sums_, flow_);
  gas_.begin(Cpu{}, flow_);
  gather(0);
  set_drag(Cpu{}, move_model(0), move_columns(), parcels_.size());
  if (!heat_) return;
  heat_->gas().start(Cpu{}, flow_);
  heat_->set_rates(Cpu{}, move_model(0), move_columns(), parcels_);
  heat_->open_books(Cpu{}, parcels_);
}

std::vector<std::string> Step::take_notices() { return heat_ ? heat_->take_notices() : std::vector<std::string>{}; }

std::int64_t Step::bytes() const {
  std::int64_t total = order_.bytes() + sums_.bytes() + gas_.bytes() + contact_.bytes() + displacement_.bytes() +
                       damping_.bytes() + collisions_.bytes() + felt_.bytes() + slip_.bytes() + gone_.bytes() +
                       (heat_ ? heat_->bytes() : 0);
  for (const auto* arrays : {&step_, &shift_, &carried_})
    for (const Array<double>& array : *arrays) total += array.bytes();
  return total;
}

} // namespace corral::mppic

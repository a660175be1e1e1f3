#include "mppic/step.hpp"
#include "mppic/step.t.hpp"

#include "mppic/gas/gathering.hpp"
#include "mppic/parcels/start.hpp"

#include <cmath>
#include <string>

namespace corral::mppic {

using fluid::make_face_arrays;

namespace {

constexpr std::array<Offset, 3> between_centres{Offset::half, Offset::half, Offset::half};

} // namespace

Step::Step(const Setup& setup, const fluid::Domain& domain, run::Registry& registry, run::Phases& phases)
    : setup_(setup), domain_(domain), phases_(phases), parcels_(registry), books_(registry, parcels_.set),
      flow_(registry), inflow_(domain, setup, registry, books_), order_(domain.grid(), between_centres), sums_(domain, setup),
      gas_(domain, setup), contact_(domain, setup), displacement_(domain, setup), damping_(domain, setup),
      carried_(make_face_arrays(domain.grid())), c_(make_face_arrays(domain.grid())), eps_c_(domain.grid().cells(), 1.0),
      audit_(setup.gravity, setup.solids.rho) {
  for (int s = 0; s < 6; ++s)
    if (domain.side_kind(s) == fluid::SideKind::outlet)
      left_[static_cast<std::size_t>(s)] =
          &books_.add_boundary(std::string(fluid::side_names[static_cast<std::size_t>(s)]));
  displacement_.lend_state(registry);
  gas_.lend_state(registry);
  inflow_.set_fluxes(gas_);
}

void Step::advance(double dt, std::int64_t step) {
  const bool moving = !setup_.solids.frozen, audited = setup_.audit && moving;
  if (audited) audit_.begin(Cpu{}, parcels_);
  inflow_.add_parcels(dt, step, flow_, parcels_, books_);
  if (audited) audit_.entered(Cpu{}, parcels_);
  const auto phase = [&](const char* name, auto part) {
    const auto t = phases_.time(name);
    part();
  };
  phase("sort", [&] { sort(); });
  phase("spread", [&] { sums_.spread(Cpu{}, order_, parcels_, dt, flow_); });
  measure_theta();
  phase("gas", [&] { gas_.advance(Cpu{}, sums_, dt, flow_); });
  if (moving) {
    phase("contact", [&] { contact_.advance(Cpu{}, sums_, gas_, dt, flow_); });
    phase("damping", [&] { damping_.advance(Cpu{}, sums_, dt, flow_); });
  }
  phase("gather", [&] { gather(dt); });
  if (audited) phase("audit", [&] { audit_.gather(Cpu{}, order_, domain_.grid(), gas_, damping_, sums_); });
  phase("move", [&] { advance_velocities(dt); });
  if (moving) {
    phase("displace", [&] { displace(dt); });
    phase("move", [&] { move(dt); });
    contact_.remember(Cpu{}, gas_, flow_);
  }
  report_.gas = gas_.report();
  report_.contact = contact_.report();
  report_.displacement = displacement_.report();
  report_.paid = displacement_.paid();
  report_.packed_drag = moving && setup_.solids.packing && setup_.time.adaptive
                            ? sums_.drag_rate(Cpu{}, setup_.solids.stress.touching(), dt)
                            : 0;
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

/// What the gas, contact and damping do to the parcels: u', Ge = G - rho_p w, c = du - (1 - P/theta) dt w on faces; eps,
/// a and a ubar in cells.
void Step::gather(double dt) {
  Gathering gathering(domain_.grid(), parcels_.size());
  set_voidage(Cpu{}, flow_.view(), eps_c_);
  gathering.add(eps_c_, Staggering::centre, eps_at_);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    gathering.add(gas_.felt_velocity()[i], face(d), gas_at_[i]);
    if (setup_.solids.frozen || dt == 0) continue;
    set_push(Cpu{}, dt, sums_.theta[i].data(), sums_.P[i].data(), gas_.felt_contact()[i].data(),
             contact_.push()[i].data(), c_[i]);
    gathering.add(gas_.felt_force()[i], face(d), gradient_at_[i]);
    gathering.add(c_[i], face(d), push_at_[i]);
    gathering.add(damping_.a_mean()[i], Staggering::centre, damped_at_[i]);
    step_[i].resize(parcels_.size());
  }
  if (!setup_.solids.frozen && dt > 0) gathering.add(damping_.a(), Staggering::centre, damping_at_);
  gathering.run(Cpu{}, order_);
  report_.maps = sums_.maps() + gathering.fields();
}

void Step::advance_velocities(double dt) {
  if (setup_.audit && !setup_.solids.frozen)
    audit_.forces(Cpu{}, move_model(setup_, domain_, dt), move_columns(), parcels_.size());
  report_.moved = mppic::advance_velocities(Cpu{}, move_model(setup_, domain_, dt), move_columns(), parcels_.size());
}

/// Where velocities take the parcels is known by now: theta is foreseen from that, and what is wrong with it displaced.
void Step::displace(double dt) {
  const Boxes& boxes = sums_.boxes();
  boxes.spread_fluxes(Cpu{}, order_, parcels_.places(), parcels_.volume.data(),
                      {step_[0].data(), step_[1].data(), step_[2].data()}, carried_);
  const double per_cell = 1 / domain_.grid().cell_volume();
  for (Array<double>& flux : carried_) scale(Cpu{}, flux, per_cell);
  displacement_.advance(Cpu{}, sums_, gas_, contact_, carried_, dt, flow_);
  for (Array<double>& column : shift_) column.resize(parcels_.size());
  boxes.interpolate(Cpu{}, order_, parcels_.places(), displacement_.shift(), displacement_.spacing(),
                    {shift_[0].data(), shift_[1].data(), shift_[2].data()});
  report_.maps += 6;
  if (setup_.audit) audit_.displacement(Cpu{}, move_model(setup_, domain_, dt), move_columns(), parcels_.size());
}

void Step::move(double dt) {
  report_.moved = report_.moved + move_parcels(Cpu{}, move_model(setup_, domain_, dt), move_columns(), parcels_.size());
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
  exchanged += dt * pull * setup_.solids.rho * total(Cpu{}, parcels_.size(), parcels_.volume.data());
  for (std::size_t d = 0; d < 3 && exchanged > 0; ++d)
    report_.momentum_residual =
        std::max(report_.momentum_residual, std::abs(to_gas[d] + report_.moved.from_gas[d]) / exchanged);
}

void Step::remove_leavers() {
  std::int64_t left = 0;
  report_.left_volume = {};
  for (std::size_t s = 0; s < 6; ++s) {
    left += report_.moved.left[s];
    if (left_[s]) *left_[s] += report_.moved.left[s];
    if (report_.moved.left[s] > 0)
      report_.left_volume[s] = leaving_volume(Cpu{}, parcels_.size(), gone_.data(), static_cast<int>(1 + s),
                                              parcels_.volume.data());
  }
  if (left > 0) parcels_.set.remove(Cpu{}, gone_);
}

MoveColumns Step::move_columns() {
  MoveColumns c{};
  for (std::size_t d = 0; d < 3; ++d) {
    c.position[d] = parcels_.position[d]->data();
    c.velocity[d] = parcels_.velocity[d]->data();
    c.gas[d] = gas_at_[d].data();
    c.gradient[d] = gradient_at_[d].data();
    c.push[d] = push_at_[d].data();
    c.damped[d] = damped_at_[d].data();
    c.step[d] = step_[d].data();
    c.shift[d] = shift_[d].data();
  }
  c.drag = parcels_.drag.data();
  c.volume = parcels_.volume.data();
  c.diameter = parcels_.diameter.data();
  c.eps = eps_at_.data();
  c.damping = damping_at_.data();
  c.slip = slip_.data();
  c.gone = gone_.data();
  return c;
}

void Step::start() {
  seed_parcels(setup_, domain_.grid(), books_, parcels_);
  sort();
  sums_.spread(Cpu{}, order_, parcels_, 0, flow_);
  predict_as_is(Cpu{}, eps_c_.size(), flow_.view());
  start_gas(setup_, domain_, sums_, flow_);
  gas_.begin(Cpu{}, flow_);
  gather(0);
  set_drag(Cpu{}, move_model(setup_, domain_, 0), move_columns(), parcels_.size());
}

std::int64_t Step::bytes() const {
  std::int64_t total = order_.bytes() + sums_.bytes() + gas_.bytes() + contact_.bytes() + displacement_.bytes() +
                       damping_.bytes() + eps_c_.bytes() + eps_at_.bytes() + damping_at_.bytes() +
                       slip_.bytes() + gone_.bytes();
  for (std::size_t d = 0; d < 3; ++d)
    for (const auto* arrays : {&c_, &gas_at_, &gradient_at_, &push_at_, &damped_at_, &step_, &shift_, &carried_})
      total += (*arrays)[d].bytes();
  return total;
}

} // namespace corral::mppic

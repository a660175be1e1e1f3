#include "mppic/displacement.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

using fluid::Cell;
using fluid::Face;
using fluid::FaceKind;
using fluid::make_face_arrays;

namespace {

constexpr double empty = 1e-9;
constexpr double tolerance = 1e-5;      ///< of the solids fraction
constexpr double response = 1.5;        ///< displacement asked for over what smooth psi would need: maps pass on less
constexpr double largest = 0.2;         ///< displacement of a step, over the cell size
constexpr double least_share = 0.25;    ///< of the cells' solids fraction that a box counts with, at least
constexpr double loose_band = 0.005;    ///< by which a cell may be denser than its load asks for: contact feels no less
constexpr double stirring = 0.5;        ///< of a ripple that is taken back while the bed shears by 1
constexpr double unpacking = 0.5;       ///< of a face's excess over close packing that is taken back in a step, at most
constexpr double in_time = 8;           ///< the same, over the share of a cell that the bed crosses in the step
constexpr double most_saved = 5e-4;     ///< of the work that lifts all solids by a cell: what the account holds at most
constexpr double gap_band = 0.02;       ///< by which the floor's face may be lighter than the next, over its cell
constexpr double still = 1e-4;          ///< of sqrt(g h): to lift all solids so fast takes more than gas at rest supplies
constexpr double drawn = 0.005;         ///< of the account that a step may draw

/// Room in a cell: how much its solids fraction may still rise; below 0, by how much it has to fall.
struct RoomLaw {
  const double* room;
  double give; ///< [1/m2] next to nothing, so that a box that is overfull everywhere has a solution, too
  Complementarity::Value at(std::int64_t c, double psi) const { return {room[c] + give * psi, give}; }
  double root(std::int64_t c, double a, double s) const { return std::max(0.0, (s - room[c]) / (a + give)); }
};

} // namespace

Displacement::Displacement(const fluid::Domain& domain, const Setup& setup)
    : domain_(domain), solids_(setup.solids), rho_(setup.gas.rho), gravity_(setup.gravity), complementarity_(domain),
      b_(make_face_arrays(domain.grid())), dx_(make_face_arrays(domain.grid())) {
  for (auto& s : spacing_) s.resize(domain.grid().cells(), 0.0);
  for (Array<double>* a : {&room_, &predicted_}) a->resize(domain.grid().cells(), 0.0);
  double square = 0;
  for (const double g : gravity_) square += g * g;
  g_ = std::sqrt(square);
  double length2 = 0;
  for (int d = 0; d < 3; ++d) length2 += domain.grid().axis(d).length() * domain.grid().axis(d).length();
  give_ = 1e-4 * solids_.stress.theta_cp / length2;
  release_time_ = g_ > 0 ? 0.005 * std::sqrt(domain.grid().axis(2).spacing / g_) : 0;
}

void Displacement::advance(Cpu cpu, const FaceSums& sums, const Gas& gas, const Contact& contact, double dt,
                           Flow& flow) {
  report_ = {};
  predict(cpu, sums, contact, dt, flow);
  if (!solids_.packing) return;
  weigh(cpu, sums, gas, contact, dt, flow);
  even_out(cpu, sums, dt, flow);
  make_room(cpu, sums, dt, flow);
  pay_for_room(cpu, sums, contact, dt, flow);
  disperse(cpu, sums, dt, flow);
  pay_for_drift(cpu, sums);
  subtract_divergence(cpu, [&](std::size_t d, std::int64_t f) { return sums.box_theta[d][f] * dx_[d][f]; });
}

template <class Flux> void Displacement::subtract_divergence(Cpu cpu, Flux flux) {
  fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
    predicted_[c.index] -= fluid::divergence(
        domain_, c, [&](int d, std::int64_t f) { return flux(static_cast<std::size_t>(d), f); });
  });
}

/// theta_c as the velocities change it, contact's push included.
void Displacement::predict(Cpu cpu, const FaceSums& sums, const Contact& contact, double dt, const Flow& flow) {
  for_each(cpu, predicted_.size(), [&](std::int64_t c) { predicted_[c] = flow.solids_fraction[c]; });
  subtract_divergence(cpu, [&](std::size_t d, std::int64_t f) {
    const bool fixed = domain_.kind(static_cast<int>(d), f) == FaceKind::fixed;
    return dt * (contact.box_flux()[d][f] + (fixed ? 0 : sums.box_theta[d][f] * contact.push()[d][f]));
  });
}

/// Packed parcels fill cells unevenly in ways that theta_c does not show, until they have moved on by half a cell. The
/// solids fraction of the faces shows it: parcels leave a face that is overfull as far as the bed moves on, and one that
/// holds more than its neighbours as far as it is sheared, so that a bed at rest stays as it lies.
void Displacement::even_out(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  const Grid& grid = domain_.grid();
  const Array<double>& theta = flow.solids_fraction;
  const double theta_cp = solids_.stress.theta_cp, touching = solids_.stress.touching();
  fluid::for_each_cell(cpu, grid, [&](const Cell& c) {
    for (auto& s : spacing_) s[c.index] = 0;
    if (theta[c.index] < touching) return;
    const double sheared = stirring * std::min(1.0, dt * sums.shear(grid, c));
    const double moved = std::min(unpacking, in_time * dt * crossing(sums, c.index));
    for (int d = 0; d < 3; ++d) {
      if (grid.axis(d).thin()) continue;
      const auto i = static_cast<std::size_t>(d);
      const std::int64_t below = fluid::neighbour(grid, c, d, false), above = fluid::neighbour(grid, c, d, true);
      const double low = sums.theta[i][c.low[i]], high = sums.theta[i][c.high[i]];
      const double smooth = 0.5 * (theta[above < 0 ? c.index : above] - theta[below < 0 ? c.index : below]);
      const auto part = [&](double difference) { return std::clamp(difference / theta[c.index], -0.5, 0.5); };
      const double excess = std::max(high - theta_cp, 0.0) - std::max(low - theta_cp, 0.0);
      double share = sheared * part(high - low - smooth) + moved * part(excess);
      // On the floor grains fall into gaps, as they do in loose beds.
      const double pulled = gravity_[i] < 0 && below < 0 ? 1 : gravity_[i] > 0 && above < 0 ? -1 : 0;
      const double gap = pulled * part(high - low - smooth) - gap_band;
      if (gap > 0) share += 0.5 * pulled * fallen(sums.sauter_radius[c.index], dt) * gap;
      spacing_[i][c.index] = -grid.axis(d).spacing * share;
    }
  });
  foresee_spacing(cpu, sums);
}

/// Share of t_e = 4 sqrt(d/g), the time in which grains fall by their own size, that a step lasts.
double Displacement::fallen(double radius, double dt) const {
  return g_ > 0 && radius > 0 ? -std::expm1(-dt / (4 * std::sqrt(2 * radius / g_))) : 0;
}

/// What the spacing changes of theta_c, half of it by each of a box's two cells.
void Displacement::foresee_spacing(Cpu cpu, const FaceSums& sums) {
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i](const Face& f) {
      const bool interior = domain_.kind(d, f.index) == FaceKind::interior;
      b_[i][f.index] =
          interior ? 0.5 * sums.box_theta[i][f.index] * (spacing_[i][f.below] + spacing_[i][f.above]) : 0;
    });
  }
  subtract_divergence(cpu, [&](std::size_t d, std::int64_t f) { return b_[d][f]; });
}

/// Cells that the solids of a cell cross per time [1/s].
double Displacement::crossing(const FaceSums& sums, std::int64_t cell) const {
  double rate = 0;
  for (int d = 0; d < 3; ++d)
    rate += std::abs(sums.mean_velocity[static_cast<std::size_t>(d)][cell]) / domain_.grid().axis(d).spacing;
  return rate;
}

/// What the cells have room for, or too much of, flows off along -grad psi: psi >= 0 and
/// room - div(theta grad psi) >= 0, complementary. dx = -grad psi times the response.
void Displacement::make_room(Cpu cpu, const FaceSums& sums, double dt, Flow& flow) {
  set_room(cpu, sums, dt, flow);
  Array<double>& psi = flow.displacement_potential;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain_.grid().axis(d).spacing;
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, h](const Face& f) {
      const bool interior = domain_.kind(d, f.index) == FaceKind::interior;
      const double cells =
          interior ? 0.5 * (flow.solids_fraction[f.below] + flow.solids_fraction[f.above]) : 0;
      b_[i][f.index] = interior ? domain_.aperture(d, f.index) / (h * h) *
                                      std::max(sums.box_theta[i][f.index], least_share * cells)
                                : 0;
    });
  }
  report_ = complementarity_.solve(cpu, b_, RoomLaw{room_.data(), give_}, psi, tolerance);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain_.grid().axis(d).spacing;
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, h](const Face& f) {
      dx_[i][f.index] = domain_.kind(d, f.index) == FaceKind::interior
                            ? std::clamp(-response * (psi[f.above] - psi[f.below]) / h, -largest * h, largest * h)
                            : 0;
    });
  }
}

/// Excess over close packing goes within t_r. What gas that is blown through has taken over of the load expands within
/// t_e = 4 sqrt(d/g).
void Displacement::set_room(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  const HarrisCrighton& stress = solids_.stress;
  const double released = release_time_ > 0 ? 1 - std::exp(-dt / release_time_) : 1;
  const double creep = still * std::sqrt(g_ * domain_.grid().axis(2).spacing) * dt * weight_;
  const double blown = heat_ + creep > 0 ? std::clamp(supply_ / (heat_ + creep), 0.0, 1.0) : 0;
  for_each(cpu, room_.size(), [&](std::int64_t c) {
    const double theta = predicted_[c], pi = flow.contact_pressure[c], excess = theta - stress.theta_cp;
    const double carried = std::max(stress.touching(), pi > 0 ? stress.inverse(pi).theta : 0.0);
    const double loose = blown * (std::min(theta, stress.theta_cp) - carried - loose_band);
    room_[c] = excess > 0 ? -released * excess : std::max(0.0, -excess);
    if (loose > 0) room_[c] = -released * std::max(excess, 0.0) - fallen(sums.sauter_radius[c], dt) * loose;
  });
}

/// Below packing Harris and Crighton's pressure drives parcels apart against drag, as a drift: a force would have
/// given energy. D/(D^2 + omega^2) is the drift of an oscillator that drag damps, omega of a wave of a cell's length.
void Displacement::disperse(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  const double touching = solids_.stress.touching(), rho_p = solids_.rho;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain_.grid().axis(d).spacing;
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, h](const Face& f) {
      b_[i][f.index] = 0;
      if (domain_.kind(d, f.index) != FaceKind::interior) return;
      const double below = flow.solids_fraction[f.below], above = flow.solids_fraction[f.above];
      const double theta = sums.theta[i][f.index], P = sums.P[i][f.index], mean = 0.5 * (below + above);
      if (theta < 1e-4 || P <= 0 || std::max(below, above) > touching) return;
      const double D = P / std::max(theta - P, 1e-3 * theta) / dt;
      const double slope = solids_.stress.derivative(mean), omega2 = slope / (rho_p * h * h);
      const double drift = -dt * slope / rho_p * D / (D * D + omega2) * (above - below) / (h * std::max(theta, mean));
      b_[i][f.index] = std::clamp(drift, -0.1 * h, 0.1 * h);
    });
  }
}

/// The energy that a displacement may use. What the solids lost is the mean motion's, falling and kinetic: with what gas
/// supplied it is what became heat, in contact, friction and drag.
void Displacement::weigh(Cpu cpu, const FaceSums& sums, const Gas& gas, const Contact& contact, double dt,
                         const Flow& flow) {
  lost_ = heat_ = supply_ = 0;
  double solids = 0;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double pull = -gravity_[i] * (1 - rho_ / solids_.rho);
    const auto share = [&](std::int64_t f) { return 1 / (sums.inverse_volume(d, f) * domain_.grid().cell_volume()); };
    const auto u_s = [&](std::int64_t f) { return contact.velocity()[i][f] + contact.push()[i][f]; };
    lost_ -= sum(cpu, dx_[i].size(), [&](std::int64_t f) {
      const double theta = sums.theta[i][f], u = u_s(f), before = theta > empty ? sums.U[i][f] / theta : u;
      return share(f) * theta * (dt * pull * u + 0.5 * (u * u - before * before));
    });
    heat_ += sum(cpu, dx_[i].size(), [&](std::int64_t f) {
      const double slip = gas.felt_velocity()[i][f] - u_s(f);
      return share(f) * sums.P[i][f] * slip * slip;
    });
    supply_ += sum(cpu, dx_[i].size(), [&](std::int64_t f) {
      const double drop = rho_ * gravity_[i] - gas.pressure_gradient()[i][f];
      return share(f) * dt / solids_.rho * drop * gas.mixture_flux(d, f, sums.theta[i][f] * u_s(f), flow);
    });
    solids = std::max(solids, sum(cpu, dx_[i].size(), [&](std::int64_t f) { return share(f) * sums.theta[i][f]; }));
  }
  weight_ = g_ * std::abs(1 - rho_ / solids_.rho) * solids;
  account_ = std::min(account_, most_saved * weight_ * domain_.grid().axis(2).spacing);
}

/// What lifts parcels is paid from what was lost in the step, and a little from what was lost before. So no energy is
/// made: creep that the maps cause is undone, and the bed never raised.
void Displacement::pay_for_room(Cpu cpu, const FaceSums& sums, const Contact& contact, double dt, const Flow& flow) {
  paid_ = 1;
  const double available = std::max(lost_ + std::max(supply_, 0.0), 0.0);
  double cost = lift(cpu, sums, dx_);
  for (std::size_t d = 0; d < 3; ++d)
    cost -= gravity_[d] * (1 - rho_ / solids_.rho) *
            sum(cpu, spacing_[d].size(), [&](std::int64_t c) { return flow.solids_fraction[c] * spacing_[d][c]; });
  const double most = available + drawn * account_;
  if (cost > most) {
    paid_ = most / cost;
    for (std::size_t d = 0; d < 3; ++d) {
      for_each(cpu, dx_[d].size(), [&](std::int64_t f) { dx_[d][f] *= paid_; });
      for_each(cpu, spacing_[d].size(), [&](std::int64_t c) { spacing_[d][c] *= paid_; });
    }
    predict(cpu, sums, contact, dt, flow);
    foresee_spacing(cpu, sums);
  }
  left_ = available - std::max(paid_ * cost, 0.0);
  account_ += left_;
}

/// Drift lifts by no more than the gas supplies, or a bed in still gas would rise as fast as it sinks through it.
void Displacement::pay_for_drift(Cpu cpu, const FaceSums& sums) {
  const double cost = lift(cpu, sums, b_), available = std::max(0.0, std::min({heat_, supply_, left_}));
  const double share = cost > available ? available / cost : 1;
  for (std::size_t d = 0; d < 3; ++d)
    for_each(cpu, dx_[d].size(), [&](std::int64_t f) { dx_[d][f] += share * b_[d][f]; });
}

/// Potential energy that a displacement gives, in the gas, over rho_p and a cell's volume [m2/s2].
double Displacement::lift(Cpu cpu, const FaceSums& sums, const fluid::FaceArrays& dx) const {
  double lift = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double pull = -gravity_[d] * (1 - rho_ / solids_.rho);
    if (pull != 0)
      lift += pull * sum(cpu, dx[d].size(), [&](std::int64_t f) { return sums.box_theta[d][f] * dx[d][f]; });
  }
  return lift;
}

std::int64_t Displacement::bytes() const {
  std::int64_t total = complementarity_.bytes() + room_.bytes() + predicted_.bytes();
  for (std::size_t d = 0; d < 3; ++d) total += b_[d].bytes() + dx_[d].bytes() + spacing_[d].bytes();
  return total;
}

} // namespace corral::mppic

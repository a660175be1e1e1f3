#include "mppic/contact/displacement.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

using fluid::Cell;
using fluid::Face;
using fluid::FaceKind;
using fluid::make_face_arrays;

namespace {

constexpr double tolerance = 1e-5;      ///< of the solids fraction
constexpr double response = 1.2;        ///< displacement asked for over what psi would need: maps pass on less where it is not smooth
constexpr double largest = 0.2;         ///< displacement of a step, over the cell size
constexpr double least_share = 0.25;    ///< of the cells' solids fraction that a box counts with, at least
constexpr double missed = 0.4;          ///< of theta_c: what fluxes miss of a cell whose solids cross a cell in the step
constexpr double usual = 0.015;         ///< by which fluxes may miss theta_c, and nobody expects it again
constexpr double pace = 4;              ///< times as fast as the bed moves on the spare part is worked off
constexpr double loose_band = 0.003;    ///< by which a cell may be denser than its load asks for: contact feels no less
constexpr double stirring = 0.5;        ///< of a ripple that is taken back while the bed shears by 1
constexpr double unpacking = 0.5;       ///< of a face's excess over close packing that is taken back in a step, at most
constexpr double in_time = 8;           ///< the same, over the share of a cell that the bed crosses in the step
constexpr double gap_band = 0.01;       ///< by which the floor's face may be lighter than the next, over its cell

constexpr double falling = 0.05;        ///< of the terminal velocity: what sinks no faster lies

/// Rate of drag on what a face carries [1/s].
double drag_rate(const FaceSums& sums, std::size_t d, std::int64_t f, double dt) {
  const double theta = sums.theta[d][f], P = sums.P[d][f];
  return P > 0 ? P / std::max(theta - P, 1e-3 * theta) / dt : 0;
}

/// Room in a cell: how much its solids fraction may still rise; below 0, by how much it has to fall.
struct RoomLaw {
  const double* room;
  double give; ///< [1/m2] next to nothing, so that a box that is overfull everywhere has a solution, too
  Complementarity::Value at(std::int64_t c, double psi) const { return {room[c] + give * psi, give}; }
  double root(std::int64_t c, double a, double s) const { return std::max(0.0, (s - room[c]) / (a + give)); }
  double beyond(std::int64_t, double x, double e, double) const { return x + e; }
};

} // namespace

Displacement::Displacement(const fluid::Domain& domain, const Setup& setup)
    : domain_(domain), solids_(setup.solids), gravity_(setup.gravity), complementarity_(domain),
      budget_(domain, setup), b_(make_face_arrays(domain.grid())), dx_(make_face_arrays(domain.grid())) {
  for (auto& s : spacing_) s.resize(domain.grid().cells(), 0.0);
  for (Array<double>* a : {&room_, &missed_}) a->resize(domain.grid().cells(), 0.0);
  double length2 = 0;
  for (int d = 0; d < 3; ++d) length2 += domain.grid().axis(d).length() * domain.grid().axis(d).length();
  give_ = 1e-4 * solids_.stress.theta_cp / length2;
  release_time_ = budget_.g() > 0 ? 0.005 * std::sqrt(budget_.height() / budget_.g()) : 0;
}

void Displacement::advance(Cpu cpu, const FaceSums& sums, const Gas& gas, const Contact& contact,
                           const fluid::FaceArrays& carried, double dt, Flow& flow) {
  report_ = {};
  paid_ = 1;
  remember_misses(cpu, flow);
  predict(cpu, contact, carried, dt, flow);
  if (!solids_.packing) return;
  budget_.weigh(cpu, sums, gas, contact, dt);
  even_out(cpu, sums, dt, flow);
  make_room(cpu, sums, contact, dt, flow);
  Lift lift = budget_.lift_of_faces(cpu, sums.box_theta, dx_);
  lift.up += budget_.lift_of_cells(cpu, flow.solids_fraction, spacing_);
  paid_ = budget_.pay_for_room(lift);
  if (paid_ < 1) {
    scale(cpu, paid_);
    predict(cpu, contact, carried, dt, flow);
    foresee_spacing(cpu, sums, flow);
  }
  disperse(cpu, sums, dt, flow);
  const double drift = budget_.pay_for_drift(budget_.lift_of_faces(cpu, sums.box_theta, b_).sum());
  for (std::size_t d = 0; d < 3; ++d)
    for_each(cpu, dx_[d].size(), [&](std::int64_t f) { dx_[d][f] += drift * b_[d][f]; });
  subtract_divergence(cpu, flow.predicted_fraction,
                      [&](std::size_t d, std::int64_t f) { return sums.box_theta[d][f] * dx_[d][f]; });
}

template <class Flux> void Displacement::subtract_divergence(Cpu cpu, Array<double>& theta, Flux flux) {
  fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
    theta[c.index] -= fluid::divergence(
        domain_.view(), c, [&](int d, std::int64_t f) { return flux(static_cast<std::size_t>(d), f); });
  });
}

/// A bed that is hit, or where bubbles close, is compressed through several steps: what fluxes have just missed of it
/// they will miss again.
void Displacement::remember_misses(Cpu cpu, const Flow& flow) {
  for_each(cpu, missed_.size(), [&](std::int64_t c) {
    missed_[c] = std::max(0.0, flow.solids_fraction[c] - flow.predicted_fraction[c] - usual);
  });
}

/// theta_c as the parcels' velocities change it. What comes through inlets is there before the next spread.
void Displacement::predict(Cpu cpu, const Contact& contact, const fluid::FaceArrays& carried, double dt,
                           Flow& flow) {
  Array<double>& predicted = flow.predicted_fraction;
  for_each(cpu, predicted.size(), [&](std::int64_t c) { predicted[c] = flow.solids_fraction[c]; });
  subtract_divergence(cpu, predicted, [&](std::size_t d, std::int64_t f) {
    return domain_.kind(static_cast<int>(d), f) == FaceKind::fixed ? dt * contact.box_flux()[d][f] : carried[d][f];
  });
}

/// Packed parcels fill cells unevenly in ways that theta_c does not show, until they have moved on by half a cell. The
/// solids fraction of the faces shows it: parcels leave a face that is overfull as far as the bed moves on, and one that
/// holds more than its neighbours as far as it is sheared, so that a bed at rest stays as it lies.
void Displacement::even_out(Cpu cpu, const FaceSums& sums, double dt, Flow& flow) {
  const Grid& grid = domain_.grid();
  const Array<double>& theta = flow.solids_fraction;
  const double theta_cp = solids_.stress.theta_cp, touching = solids_.stress.touching();
  fluid::for_each_cell(cpu, grid, [&](const Cell& c) {
    for (auto& s : spacing_) s[c.index] = 0;
    if (theta[c.index] < touching) return;
    const double sheared = stirring * std::min(1.0, dt * sums.view().shear(c));
    const double moved = std::min(unpacking, in_time * dt * sums.view().crossing(c.index));
    for (int d = 0; d < 3; ++d) {
      if (grid.axis(d).thin()) continue;
      const auto i = static_cast<std::size_t>(d);
      const std::int64_t below = fluid::neighbour(grid, c, d, false), above = fluid::neighbour(grid, c, d, true);
      const double low = sums.theta[i][c.low[i]], high = sums.theta[i][c.high[i]];
      const double smooth = 0.5 * (theta[above < 0 ? c.index : above] - theta[below < 0 ? c.index : below]);
      const auto part = [&](double difference) { return std::clamp(difference / theta[c.index], -0.5, 0.5); };
      const double excess = std::max(high - theta_cp, 0.0) - std::max(low - theta_cp, 0.0);
      double share = std::max(sheared, 0.5 * moved) * part(high - low - smooth) + moved * part(excess);
      // On the floor grains fall into gaps, as they do in loose beds.
      const double pulled = gravity_[i] < 0 && below < 0 ? 1 : gravity_[i] > 0 && above < 0 ? -1 : 0;
      const double gap = pulled * part(high - low - smooth) - gap_band;
      if (gap > 0) share += 0.5 * pulled * fallen(sums.sauter_radius[c.index], dt) * gap;
      spacing_[i][c.index] = -grid.axis(d).spacing * share;
    }
  });
  foresee_spacing(cpu, sums, flow);
}

/// Share of t_e = 4 sqrt(d/g), the time in which grains fall by their own size, that a step lasts.
double Displacement::fallen(double radius, double dt) const {
  const double g = budget_.g();
  return g > 0 && radius > 0 ? -std::expm1(-dt / (4 * std::sqrt(2 * radius / g))) : 0;
}

/// What the spacing changes of theta_c, half of it by each of a box's two cells.
void Displacement::foresee_spacing(Cpu cpu, const FaceSums& sums, Flow& flow) {
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i](const Face& f) {
      const bool interior = domain_.kind(d, f.index) == FaceKind::interior;
      b_[i][f.index] =
          interior ? 0.5 * sums.box_theta[i][f.index] * (spacing_[i][f.below] + spacing_[i][f.above]) : 0;
    });
  }
  subtract_divergence(cpu, flow.predicted_fraction, [&](std::size_t d, std::int64_t f) { return b_[d][f]; });
}

/// What the cells have room for, or too much of, flows off along -grad psi: psi >= 0 and
/// room - div(theta grad psi) >= 0, complementary. dx = -grad psi times the response.
void Displacement::make_room(Cpu cpu, const FaceSums& sums, const Contact& contact, double dt, Flow& flow) {
  set_room(cpu, sums, contact, dt, flow);
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
      dx_[i][f.index] = 0;
      if (domain_.kind(d, f.index) != FaceKind::interior) return;
      const double x = std::clamp(-response * (psi[f.above] - psi[f.below]) / h, -largest * h, largest * h);
      const double u = contact.velocity()[i][f.index] + contact.push()[i][f.index];
      dx_[i][f.index] = x * gravity_[i] < 0 && u * gravity_[i] > 0 ? x * lies(u, drag_rate(sums, i, f.index, dt)) : x;
    });
  }
}

/// Share of a lift that is for creep. A layer that falls and is lifted as fast would hover, gas carrying what drag takes:
/// so nothing is lifted that falls, where drag lets it reach its terminal velocity within a cell.
double Displacement::lies(double u, double D) const {
  const double terminal = budget_.g() / std::max(D, 1e-9), freely = std::sqrt(budget_.g() * budget_.height());
  return 1 - std::clamp(std::abs(u) / (falling * terminal) - 1, 0.0, 1.0) * std::clamp(freely / terminal - 1, 0.0, 1.0);
}

/// Excess over close packing goes within t_r: over what of it the maps leave at a surface, where gas lets that lie. Where
/// the bed moves on it packs a little less, as far as it has moved: a longer step would throw it apart at once. What is
/// lifted or has just been hit is loosened to what carries its load within t_e.
void Displacement::set_room(Cpu cpu, const FaceSums& sums, const Contact& contact, double dt, const Flow& flow) {
  const HarrisCrighton& stress = solids_.stress;
  const double released = release_time_ > 0 ? 1 - std::exp(-dt / release_time_) : 1;
  const double lies = 1 - budget_.blown(dt), loosened = budget_.loosened(dt);
  for_each(cpu, room_.size(), [&](std::int64_t c) {
    const double theta = flow.predicted_fraction[c] + missed_[c], pi = flow.contact_pressure[c];
    const double covered = pi > 0 ? 1 - lies * (1 - contact.coverage()[c]) : 1;
    const double crossed = std::min(dt * sums.view().crossing(c), 0.25);
    const double excess = theta - covered * stress.theta_cp, spare = missed * crossed * covered * stress.theta_cp;
    const double asked =
        released * std::max(excess, 0.0) + std::min(released, pace * crossed) * std::min(excess + spare, spare);
    const double carries = std::max(stress.touching(), pi > 0 ? stress.inverse(pi).theta : 0.0);
    const double loose = loosened * (std::min(theta, stress.theta_cp) - carries - loose_band);
    room_[c] = excess + spare > 0 ? -asked : -excess - spare;
    if (loose > 0) room_[c] = std::min(room_[c], 0.0) - fallen(sums.sauter_radius[c], dt) * loose;
  });
}

/// Below packing Harris and Crighton's pressure drives parcels apart against drag, as a drift: a force would have
/// given energy. D/(D^2 + omega^2) is the drift of an oscillator that drag damps, omega of a wave of a cell's length.
void Displacement::disperse(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  const double touching = solids_.stress.touching(), rho_p = solids_.rho, still = 1 - budget_.blown(dt);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain_.grid().axis(d).spacing;
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, h](const Face& f) {
      b_[i][f.index] = 0;
      if (domain_.kind(d, f.index) != FaceKind::interior) return;
      const double below = flow.solids_fraction[f.below], above = flow.solids_fraction[f.above];
      const double theta = sums.theta[i][f.index], mean = 0.5 * (below + above), D = drag_rate(sums, i, f.index, dt);
      if (theta < 1e-4 || D <= 0 || std::min(below, above) > touching) return;
      const double slope = solids_.stress.derivative(mean), omega2 = slope / (rho_p * h * h);
      const double drift = -dt * slope / rho_p * D / (D * D + omega2) * (above - below) / (h * std::max(theta, mean));
      // From a packed surface that gas is blown through what falls would be dispersed as fast, and gas would carry it.
      const double free = std::max(below, above) > touching ? 0.5 * still : 1;
      b_[i][f.index] = std::clamp(free * drift, -0.1 * h, 0.1 * h);
    });
  }
}

/// What makes room aside or down costs nothing: only what rises waits until it is paid for. Evening out keeps its
/// balance: of its halves that sink alone, the lowest layer would get denser and denser.
void Displacement::scale(Cpu cpu, double share) {
  for (std::size_t d = 0; d < 3; ++d) {
    for_each(cpu, dx_[d].size(), [&](std::int64_t f) { dx_[d][f] *= budget_.lifts(d, dx_[d][f]) ? share : 1; });
    for_each(cpu, spacing_[d].size(), [&](std::int64_t c) { spacing_[d][c] *= share; });
  }
}

std::int64_t Displacement::bytes() const {
  std::int64_t total = complementarity_.bytes() + room_.bytes() + missed_.bytes();
  for (std::size_t d = 0; d < 3; ++d) total += b_[d].bytes() + dx_[d].bytes() + spacing_[d].bytes();
  return total;
}

} // namespace corral::mppic

#include "mppic/contact/displacement_budget.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

namespace {

constexpr double empty = 1e-9;
constexpr double most_saved = 5e-4; ///< of the work that lifts all solids by a cell: what the account holds at most
constexpr double drawn = 0.005;     ///< of the account that a step may draw
constexpr double still = 1e-4;      ///< of sqrt(g h): to lift all solids so fast takes more than gas at rest supplies

} // namespace

DisplacementBudget::DisplacementBudget(const fluid::Domain& domain, const Setup& setup)
    : domain_(domain), rho_(setup.gas.rho), rho_p_(setup.solids.rho), gravity_(setup.gravity),
      height_(domain.grid().axis(2).spacing) {
  double square = 0, steepest = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double g = gravity_[d];
    pull_[d] = -g * (1 - rho_ / rho_p_);
    square += g * g;
    if (std::abs(g) > steepest) steepest = std::abs(g), height_ = domain.grid().axis(static_cast<int>(d)).spacing;
  }
  g_ = std::sqrt(square);
}

void DisplacementBudget::weigh(Cpu cpu, const FaceSums& sums, const Gas& gas, const Contact& contact, double dt) {
  lost_ = heat_ = supply_ = stopped_ = 0;
  double solids = 0;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const auto add_up = [&](auto of_face) { return sum(cpu, sums.theta[i].size(), of_face); };
    const double* inverse_volume = sums.view().inverse_volume[i];
    const auto share = [&](std::int64_t f) { return 1 / (inverse_volume[f] * domain_.grid().cell_volume()); };
    const auto u_s = [&](std::int64_t f) { return contact.velocity()[i][f] + contact.push()[i][f]; };
    lost_ -= add_up([&](std::int64_t f) {
      const double theta = sums.theta[i][f], u = u_s(f), before = theta > empty ? sums.U[i][f] / theta : u;
      return share(f) * theta * (dt * pull_[i] * u + 0.5 * (u * u - before * before));
    });
    stopped_ -= add_up([&](std::int64_t f) {
      const double du = contact.push()[i][f];
      return share(f) * sums.theta[i][f] * du * (contact.velocity()[i][f] + 0.5 * du);
    });
    heat_ += add_up([&](std::int64_t f) {
      const double slip = gas.felt_velocity()[i][f] - u_s(f);
      return share(f) * sums.P[i][f] * slip * slip;
    });
    supply_ += add_up([&](std::int64_t f) {
      const double drop = rho_ * gravity_[i] - gas.pressure_gradient()[i][f];
      return share(f) * dt / rho_p_ * drop * gas.mixture_flux()[i][f];
    });
    solids = std::max(solids, add_up([&](std::int64_t f) { return share(f) * sums.theta[i][f]; }));
  }
  supply_ = std::max(supply_, 0.0);
  weight_ = g_ * std::abs(1 - rho_ / rho_p_) * solids;
  account_ = std::min(account_, most_saved * weight_ * height_);
}

double DisplacementBudget::blown(double dt) const { return share_of_heat(supply_, dt); }

double DisplacementBudget::loosened(double dt) const {
  return share_of_heat(supply_ + std::max(std::min(stopped_, lost_ + supply_ - heat_), 0.0), dt);
}

double DisplacementBudget::share_of_heat(double part, double dt) const {
  const double creep = still * std::sqrt(g_ * height_) * dt * weight_;
  return heat_ + creep > 0 ? std::min(part / (heat_ + creep), 1.0) : 0;
}

Lift DisplacementBudget::lift_of_faces(Cpu cpu, const fluid::FaceArrays& theta, const fluid::FaceArrays& dx) const {
  Lift lift;
  for (std::size_t d = 0; d < 3; ++d) {
    if (pull_[d] == 0) continue;
    const auto of_face = [&](std::int64_t f) { return pull_[d] * theta[d][f] * dx[d][f]; };
    lift.up += sum(cpu, dx[d].size(), [&](std::int64_t f) { return std::max(of_face(f), 0.0); });
    lift.down += sum(cpu, dx[d].size(), [&](std::int64_t f) { return std::min(of_face(f), 0.0); });
  }
  return lift;
}

double DisplacementBudget::lift_of_cells(Cpu cpu, const Array<double>& theta,
                                         const std::array<Array<double>, 3>& s) const {
  double lift = 0;
  for (std::size_t d = 0; d < 3; ++d)
    if (pull_[d] != 0)
      lift += pull_[d] * sum(cpu, theta.size(), [&](std::int64_t c) { return theta[c] * s[d][c]; });
  return lift;
}

double DisplacementBudget::pay_for_room(const Lift& lift) {
  const double available = std::max(lost_ + supply_, 0.0), most = available + drawn * account_;
  const double paid = lift.sum() > most ? (most - lift.down) / lift.up : 1;
  left_ = available - std::max(paid * lift.up + lift.down, 0.0);
  account_ += left_;
  return paid;
}

/// From what contact rubbed off and the gas supplied: paid from its fall through still gas a bed would rise as fast as it
/// sinks.
double DisplacementBudget::pay_for_drift(double lift) const {
  const double rubbed = std::max(std::min(stopped_, left_ - heat_), 0.0);
  const double available = std::max(std::min(rubbed + std::min(heat_, supply_), left_), 0.0);
  return lift > available ? available / lift : 1;
}

} // namespace corral::mppic

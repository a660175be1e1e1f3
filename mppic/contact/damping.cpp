#include "mppic/contact/damping.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::mppic {

namespace {

/// Of the axes with more than one cell: the map smooths by this.
double least_spacing(const Grid& grid) {
  double least = 0;
  for (int d = 0; d < 3; ++d)
    if (!grid.axis(d).thin()) least = least > 0 ? std::min(least, grid.axis(d).spacing) : grid.axis(d).spacing;
  return least;
}

} // namespace

Damping::Damping(const fluid::Domain& domain, const Setup& setup)
    : domain_(domain), solids_(setup.solids), h_(least_spacing(domain.grid())),
      slowest_shear_(h_ > 0 ? 1e-3 * std::sqrt(9.81 / h_) : 1), a_(domain.grid().cells(), 0.0),
      friction_share_(domain.grid().cells(), 0.0) {
  for (auto& a : a_mean_) a.resize(domain.grid().cells(), 0.0);
}

void Damping::advance(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  const Grid& grid = domain_.grid();
  fluid::for_each_cell(cpu, grid, [&](const fluid::Cell& cell) {
    const std::int64_t c = cell.index;
    const double theta = flow.solids_fraction[c];
    a_[c] = friction_share_[c] = 0;
    if (sums.sauter_radius[c] > 0) {
      const double collisions = dt * collision_rate(theta, sums.fluctuation(grid, cell), sums.sauter_radius[c]);
      const double friction = dt * friction_rate(theta, flow.contact_pressure[c], sums.shear(grid, cell));
      const double x = collisions + friction;
      a_[c] = x / (2 + x);
      friction_share_[c] = x > 0 ? friction / x : 0;
    }
    for (std::size_t d = 0; d < 3; ++d) a_mean_[d][c] = a_[c] * sums.mean_velocity[d][c];
  });
}

/// 1/tau_D [1/s] of O'Rourke and Snider (2010) for velocities in equilibrium; sigma^2 = mean |u - ubar|^2.
double Damping::collision_rate(double theta, double sigma, double radius) const {
  const double theta_cp = solids_.stress.theta_cp, eta = 0.5 * (1 + solids_.restitution);
  const double g0 = std::min(1000.0, theta_cp / std::max(theta_cp - theta, 1e-3 * theta_cp));
  return 16 / std::sqrt(3 * std::numbers::pi) * theta * sigma / radius * g0 * eta * (1 - eta);
}

/// 1/tau_F [1/s]: Coulomb's friction mu pi, shared by the shear rate, is the viscosity mu pi/(rho_p theta shear), which
/// this map has as h^2/(12 tau).
double Damping::friction_rate(double theta, double pi, double shear) const {
  if (h_ <= 0 || pi <= 0) return 0;
  return 12 * solids_.friction * pi / (solids_.rho * theta * std::max(shear, slowest_shear_) * h_ * h_);
}

void Damping::friction_part(Cpu cpu, const FaceSums& sums, Array<double>& a,
                            std::array<Array<double>, 3>& a_mean) const {
  a.resize(a_.size());
  for (auto& mean : a_mean) mean.resize(a_.size());
  for_each(cpu, a_.size(), [&](std::int64_t c) {
    a[c] = a_[c] * friction_share_[c];
    for (std::size_t d = 0; d < 3; ++d) a_mean[d][c] = a[c] * sums.mean_velocity[d][c];
  });
}

std::int64_t Damping::bytes() const {
  return a_.bytes() + friction_share_.bytes() + a_mean_[0].bytes() + a_mean_[1].bytes() + a_mean_[2].bytes();
}

} // namespace corral::mppic

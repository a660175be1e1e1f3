#include "mppic/packing.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

using fluid::Cell;
using fluid::Face;
using fluid::FaceKind;
using fluid::make_face_arrays;

namespace {

/// .02 sqrt(h/g), h the spacing along gravity: slower than a step, so that a start with too dense spots is not thrown
/// apart, but fast enough that large steps keep to the limit. Without gravity packing is put right within the step.
double relaxation_time(const Grid& grid, const std::array<double, 3>& gravity) {
  int along = 0;
  for (int d = 1; d < 3; ++d)
    if (std::abs(gravity[static_cast<std::size_t>(d)]) > std::abs(gravity[static_cast<std::size_t>(along)])) along = d;
  const double g = std::abs(gravity[static_cast<std::size_t>(along)]);
  return g > 0 ? 0.02 * std::sqrt(grid.axis(along).spacing / g) : 0;
}

} // namespace

Packing::Packing(const fluid::Domain& domain, const Setup& setup)
    : domain_(domain), solids_(setup.solids), relaxation_time_(relaxation_time(domain.grid(), setup.gravity)),
      solver_(setup.cells, {domain.grid().axis(0).periodic(), domain.grid().axis(1).periodic(),
                            domain.grid().axis(2).periodic()}),
      m_(make_face_arrays(domain.grid(), 1.0)), b_(make_face_arrays(domain.grid())),
      du_(make_face_arrays(domain.grid())), target_(domain.grid().cells(), 0.0), slope_(domain.grid().cells(), 0.0),
      residual_(domain.grid().cells(), 0.0), correction_(domain.grid().cells(), 0.0),
      predicted_(domain.grid().cells(), 0.0) {}

void Packing::advance(Cpu cpu, const FaceSums& sums, const fluid::FaceArrays& solids_flux, double dt, Flow& flow) {
  report_ = {};
  if (solids_.packing && !solids_.frozen) {
    set_mobility(cpu, sums, dt);
    set_target(cpu, solids_flux, dt, flow);
    solve(cpu, flow.contact_pressure);
    set_push(cpu, sums, dt, flow);
  }
  predict(cpu, sums, solids_flux, dt, flow);
}

/// m = max(1 - P/theta, .2): what drag leaves of a push. A floor near 0 blows up, 1 blocks the bed.
void Packing::set_mobility(Cpu cpu, const FaceSums& sums, double dt) {
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain_.grid().axis(d).spacing, scale = dt * dt / (solids_.rho * h * h);
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, scale](const Face& face) {
      const std::int64_t f = face.index;
      const double theta = sums.theta[i][f];
      m_[i][f] = theta > 1e-9 ? std::max(1 - sums.P[i][f] / theta, 0.2) : 1.0;
      b_[i][f] = domain_.kind(d, f) == FaceKind::interior ? scale * domain_.aperture(d, f) * m_[i][f] : 0;
    });
  }
}

void Packing::set_target(Cpu cpu, const fluid::FaceArrays& solids_flux, double dt, const Flow& flow) {
  const double kept = relaxation_time_ > 0 ? std::exp(-dt / relaxation_time_) : 0;
  const double theta_cp = solids_.stress.theta_cp;
  fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
    const double theta = flow.solids_fraction[c.index];
    const double excess = std::max(0.0, theta - theta_cp);
    target_[c.index] = theta - kept * excess - dt * fluid::divergence(domain_, c, [&](int d, std::int64_t f) {
                         return solids_flux[static_cast<std::size_t>(d)][f];
                       });
  });
}

void Packing::solve(Cpu cpu, Array<double>& pi) {
  const HarrisCrighton& stress = solids_.stress;
  const double floor = pressure_floor();
  // Where the solids are dilute tau(theta~) is a better start than the last step's pressure.
  for_each(cpu, pi.size(), [&](std::int64_t c) {
    const double start = target_[c] <= 0.2 * stress.theta_cp ? stress.tau(std::max(target_[c], 0.0)) : pi[c];
    pi[c] = std::max(start, floor);
  });
  for (;; ++report_.newton) {
    const double worst = residual(cpu, pi);
    if (worst < tolerance) return;
    if (report_.newton == most_newton || !std::isfinite(worst)) {
      report_.converged = false;
      return;
    }
    solver_.set_coefficients(cpu, {fluid::pointers(b_), slope_.data()});
    correction_.fill(0);
    const auto result = solver_.solve(cpu, residual_.data(), correction_.data(),
                                      {.absolute_max = 1e-2 * worst, .max_iterations = 300});
    report_.linear += result.iterations;
    for_each(cpu, pi.size(), [&](std::int64_t c) {
      pi[c] = std::max({pi[c] + correction_[c], 0.1 * pi[c], floor});
    });
  }
}

/// theta~ - Theta(pi) + (dt^2/rho_p) div(m grad pi) per cell, and Theta' for the next linear system.
double Packing::residual(Cpu cpu, const Array<double>& pi) {
  const Grid& grid = domain_.grid();
  const std::array<std::int64_t, 3> n{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells};
  const std::array<std::int64_t, 3> step{1, n[0], n[0] * n[1]};
  fluid::for_each_cell(cpu, grid, [&](const Cell& c) {
    const PackedFraction packed = solids_.stress.inverse(pi[c.index]);
    double diffusion = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double low = b_[d][c.low[d]], high = b_[d][c.high[d]];
      const std::int64_t around = (n[d] - 1) * step[d]; // used on periodic axes only: elsewhere b is 0 there
      const std::int64_t below = c.index + (c.place[d] > 0 ? -step[d] : around);
      const std::int64_t above = c.index + (c.place[d] < n[d] - 1 ? step[d] : -around);
      diffusion += high * (pi[above] - pi[c.index]) - low * (pi[c.index] - pi[below]);
    }
    const double missing = std::max(target_[c.index], 1e-12) - packed.theta + diffusion;
    // A cell at the floor of the pressure asks for less than that at most: it is as empty as it can be.
    residual_[c.index] = pi[c.index] <= pressure_floor() ? std::max(missing, 0.0) : missing;
    slope_[c.index] = packed.dtheta_dpi;
  });
  return maximum(cpu, residual_.size(), 0, [&](std::int64_t c) { return std::abs(residual_[c]); });
}

void Packing::set_push(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  const double* pi = flow.contact_pressure.data();
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double scale = dt / (solids_.rho * domain_.grid().axis(d).spacing);
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, scale](const Face& face) {
      const std::int64_t f = face.index;
      du_[i][f] = 0;
      if (domain_.kind(d, f) != FaceKind::interior) return;
      // Half the mean of the cells: the full mean would cost a resting bed 4.5 % of its weight.
      const double cells = 0.25 * (flow.solids_fraction[face.below] + flow.solids_fraction[face.above]);
      const double theta = std::max(sums.theta[i][f], cells);
      if (theta < 1e-6) return;
      du_[i][f] = -m_[i][f] * scale * (pi[face.above] - pi[face.below]) / theta;
    });
  }
}

void Packing::predict(Cpu cpu, const FaceSums& sums, const fluid::FaceArrays& solids_flux, double dt,
                      const Flow& flow) {
  fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
    predicted_[c.index] =
        flow.solids_fraction[c.index] - dt * fluid::divergence(domain_, c, [&](int d, std::int64_t f) {
          const auto i = static_cast<std::size_t>(d);
          return solids_flux[i][f] + sums.theta[i][f] * du_[i][f];
        });
  });
}

} // namespace corral::mppic

#include "mppic/gas.hpp"

#include <corral/for_each.hpp>

#include <cmath>
#include <cstdio>

namespace corral::mppic {

using fluid::Face;
using fluid::FaceKind;
using fluid::make_face_arrays;

Gas::Gas(const fluid::Domain& domain, const Setup& setup)
    : domain_(domain), gas_(setup.gas), solids_(setup.solids), gravity_(setup.gravity),
      forces_(domain, setup.gas.rho, setup.gas.mu, setup.gas.advection),
      solver_(setup.cells, {domain.grid().axis(0).periodic(), domain.grid().axis(1).periodic(),
                            domain.grid().axis(2).periodic()}),
      H_(make_face_arrays(domain.grid())), eps_(make_face_arrays(domain.grid())), a_(make_face_arrays(domain.grid())),
      u_star_(make_face_arrays(domain.grid())), flux_star_(make_face_arrays(domain.grid())),
      b_(make_face_arrays(domain.grid())), G_(make_face_arrays(domain.grid())), Fs_(make_face_arrays(domain.grid())),
      solids_flux_(make_face_arrays(domain.grid())), rhs_(domain.grid().cells(), 0.0) {}

void Gas::advance(Cpu cpu, const FaceSums& sums, double dt, Flow& flow) {
  report_ = {};
  if (!gas_.solved) return keep_prescribed(cpu, sums, dt, flow);
  explicit_forces(cpu, flow);
  face_coefficients(cpu, sums, dt, flow);
  solve_pressure(cpu, dt, flow);
  correct(cpu, sums, dt, flow);
  report_.mixture_residual = measure_residual(cpu, sums, dt, flow);
}

void Gas::explicit_forces(Cpu cpu, const Flow& flow) {
  const auto& u = flow.gas_velocity;
  forces_(cpu, {u[0]->data(), u[1]->data(), u[2]->data()}, {H_[0].data(), H_[1].data(), H_[2].data()});
}

/// A = rho_p P/dt, Sc, Us, R, a, u* and b of the step, and the mixture's flux without pressure.
void Gas::face_coefficients(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  const double rho = gas_.rho, rho_p = solids_.rho;
  const double coupled = solids_.two_way ? 1 : 0, mobile = solids_.two_way && !solids_.frozen ? 1 : 0;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double g = gravity_[i], h = domain_.grid().axis(d).spacing;
    const double *th = sums.theta[i].data(), *U = sums.U[i].data(), *P = sums.P[i].data(), *Q = sums.Q[i].data();
    const double *u = flow.gas_velocity[i]->data(), *W = flow.contact_push[i]->data(), *H = H_[i].data();
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, g, h](const Face& face) {
      const std::int64_t f = face.index;
      const double theta = coupled * th[f], Pm = mobile * P[f];
      const double eps = 1 - theta > eps_floor ? 1 - theta : eps_floor;
      const double A = coupled * rho_p * P[f] / dt;
      const double push = dt * g + W[f];
      const double Sc = mobile * rho_p / dt * (Q[f] + P[f] * push);
      const double Us = mobile * (U[f] - Q[f] + (th[f] - P[f]) * push);
      const double R = mobile * dt / rho_p * (th[f] - P[f]);
      const double a = eps * rho / dt + A;
      const double u_star = (eps * rho * u[f] / dt + eps * H[f] + eps * rho * g + Sc) / a;
      eps_[i][f] = eps;
      a_[i][f] = a;
      u_star_[i][f] = u_star;
      const FaceKind kind = domain_.kind(d, f);
      const double b = (eps + Pm) * (eps + Pm) / a + R;
      b_[i][f] = kind == FaceKind::fixed ? 0 : domain_.aperture(d, f) * b / (h * h) * (kind == FaceKind::outlet ? 2 : 1);
      flux_star_[i][f] = kind == FaceKind::fixed ? domain_.given_velocity(d, f) + solids_flux_[i][f]
                                                 : (eps + Pm) * u_star + Us;
    });
    report_.clipped += static_cast<std::int64_t>(
        sum(cpu, sums.theta[i].size(), [&](std::int64_t f) { return coupled * th[f] > 1 - eps_floor ? 1.0 : 0.0; }));
  }
}

void Gas::solve_pressure(Cpu cpu, double dt, Flow& flow) {
  fluid::for_each_cell(cpu, domain_.grid(), [&](const fluid::Cell& c) {
    rhs_[c.index] = -fluid::divergence(
        domain_, c, [&](int d, std::int64_t f) { return flux_star_[static_cast<std::size_t>(d)][f]; });
  });
  solver_.set_coefficients(cpu, {fluid::pointers(b_), nullptr});
  const auto result = solver_.solve(cpu, rhs_.data(), flow.pressure.data(),
                                    {.absolute_max = gas_.tolerance / dt, .max_iterations = 500});
  report_.iterations = result.iterations;
  // Where velocities are extreme the tolerance may lie below round-off; mixture_residual then says what was reached.
  constexpr double round_off = 1e-12;
  report_.converged = result.converged || result.residual_relative < round_off;
  if (!report_.converged) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "the pressure solver did not converge in %d iterations (%.2g of a cell's volume per step is left over) "
                  "the flow is blowing up: try a shorter time step",
                  result.iterations, result.residual_max * dt);
    throw Error(text);
  }
}

void Gas::correct(Cpu cpu, const FaceSums& sums, double dt, Flow& flow) {
  const double rho_p = solids_.rho;
  const double coupled = solids_.two_way && !solids_.frozen ? 1 : 0, mobile = solids_.frozen ? 0 : 1;
  const double* p = flow.pressure.data();
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double g = gravity_[i], h = domain_.grid().axis(d).spacing;
    double* u = flow.gas_velocity[i]->data();
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, g, h](const Face& face) {
      const std::int64_t f = face.index;
      const double P = sums.P[i][f], theta = sums.theta[i][f], response = (eps_[i][f] + coupled * P) / a_[i][f];
      double G;
      if (domain_.kind(d, f) == FaceKind::fixed) {
        u[f] = domain_.given_velocity(d, f) / eps_[i][f];
        G = (u_star_[i][f] - u[f]) / response; // the force of the wall is known
      } else {
        const double above = face.above < 0 ? 0 : p[face.above], below = face.below < 0 ? 0 : p[face.below];
        G = (above - below) / (face.boundary() ? 0.5 * h : h);
        u[f] = u_star_[i][f] - response * G;
      }
      G_[i][f] = G;
      Fs_[i][f] = domain_.kind(d, f) == FaceKind::fixed
                      ? solids_flux_[i][f]
                      : mobile * (sums.U[i][f] - sums.Q[i][f] + (theta - P) * dt * g + P * u[f] -
                                  dt / rho_p * (theta - P) * G);
    });
  }
}

/// The gas is given: its pressure gradient is its own weight, and the parcels feel both.
void Gas::keep_prescribed(Cpu cpu, const FaceSums& sums, double dt, Flow& flow) {
  const double mobile = solids_.frozen ? 0 : 1;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double g = gravity_[i], G = gas_.rho * g;
    const double* u = flow.gas_velocity[i]->data();
    for_each(cpu, G_[i].size(), [&, d, i, g, G](std::int64_t f) {
      const double P = sums.P[i][f], theta = sums.theta[i][f];
      eps_[i][f] = 1;
      G_[i][f] = G;
      Fs_[i][f] = domain_.kind(d, f) == FaceKind::fixed
                      ? solids_flux_[i][f]
                      : mobile * (sums.U[i][f] - sums.Q[i][f] + (theta - P) * dt * g + P * u[f] -
                                  dt / solids_.rho * (theta - P) * G);
    });
  }
}

double Gas::measure_residual(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  // Both fluxes as they are, not as the solver saw them: eps u' + Us + P u' - R G.
  const double mobile = solids_.two_way && !solids_.frozen ? 1 : 0;
  const auto flux = [&](int d, std::int64_t f) {
    const auto i = static_cast<std::size_t>(d);
    if (domain_.kind(d, f) == FaceKind::fixed) return flux_star_[i][f];
    const double contact = (sums.theta[i][f] - sums.P[i][f]) * (*flow.contact_push[i])[f];
    return eps_[i][f] * (*flow.gas_velocity[i])[f] + mobile * (Fs_[i][f] + contact);
  };
  Array<double>& residual = rhs_; // its work is done
  fluid::for_each_cell(cpu, domain_.grid(), [&](const fluid::Cell& c) {
    residual[c.index] = domain_.volume_fraction(c.index) > 0 ? fluid::divergence(domain_, c, flux) : 0;
  });
  return dt * maximum(cpu, residual.size(), 0, [&](std::int64_t c) { return std::abs(residual[c]); });
}

std::array<double, 3> Gas::momentum_from_parcels(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) const {
  std::array<double, 3> momentum{};
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *P = sums.P[i].data(), *Q = sums.Q[i].data(), *W = flow.contact_push[i]->data();
    const double *u = flow.gas_velocity[i]->data(), *G = G_[i].data(), rho_p = solids_.rho;
    momentum[i] = sum(cpu, G_[i].size(), [&](std::int64_t f) {
      const double drag = rho_p * (Q[f] + P[f] * (dt * gravity_[i] + W[f]) - P[f] * u[f]);
      return (drag - dt * P[f] * G[f]) / sums.inverse_volume(d, f);
    });
  }
  return momentum;
}

} // namespace corral::mppic

#include "mppic/gas/gas.hpp"

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
      filter_(domain, setup.solids.stress.theta_cp), theta_(make_face_arrays(domain.grid())),
      U_(make_face_arrays(domain.grid())), P_(make_face_arrays(domain.grid())), Q_(make_face_arrays(domain.grid())),
      H_(make_face_arrays(domain.grid())), eps_(make_face_arrays(domain.grid())), a_(make_face_arrays(domain.grid())),
      u_star_(make_face_arrays(domain.grid())), flux_(make_face_arrays(domain.grid())),
      b_(make_face_arrays(domain.grid())), G_(make_face_arrays(domain.grid())), Fs_(make_face_arrays(domain.grid())),
      solids_flux_(make_face_arrays(domain.grid())), felt_u_(make_face_arrays(domain.grid())),
      felt_G_(make_face_arrays(domain.grid())), felt_w_(make_face_arrays(domain.grid())),
      rhs_(domain.grid().cells(), 0.0) {}

void Gas::advance(Cpu cpu, const FaceSums& sums, double dt, Flow& flow) {
  report_ = {};
  filter_sums(cpu, sums, flow);
  if (gas_.solved) {
    explicit_forces(cpu, dt, flow);
    face_coefficients(cpu, dt, flow);
    solve_pressure(cpu, dt, flow);
    correct(cpu, flow);
    continue_gradient(cpu);
  } else {
    keep_prescribed(cpu);
  }
  feel(cpu, sums, dt, flow);
  if (gas_.solved) report_.mixture_residual = measure_residual(cpu, dt, flow);
}

void Gas::filter_sums(Cpu cpu, const FaceSums& sums, const Flow& flow) {
  filter_.set_weights(cpu, flow.solids_fraction);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    filter_.apply(cpu, d, sums.theta[i].data(), theta_[i].data());
    filter_.apply(cpu, d, sums.P[i].data(), P_[i].data());
    if (solids_.frozen) continue;
    filter_.apply(cpu, d, sums.U[i].data(), U_[i].data());
    filter_.apply(cpu, d, sums.Q[i].data(), Q_[i].data());
  }
}

void Gas::explicit_forces(Cpu cpu, double dt, const Flow& flow) {
  const auto& u = flow.gas_velocity;
  report_.substeps =
      forces_(cpu, dt, {u[0]->data(), u[1]->data(), u[2]->data()}, {H_[0].data(), H_[1].data(), H_[2].data()});
}

/// A = rho_p P/dt, Sc, Us, R, a, u* and b of the step, and the mixture's flux without pressure.
void Gas::face_coefficients(Cpu cpu, double dt, const Flow& flow) {
  const double rho = gas_.rho, rho_p = solids_.rho;
  const double coupled = solids_.two_way ? 1 : 0, mobile = solids_.two_way && !solids_.frozen ? 1 : 0;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double g = gravity_[i], h = domain_.grid().axis(d).spacing;
    const double *th = theta_[i].data(), *U = U_[i].data(), *P = P_[i].data(), *Q = Q_[i].data();
    const double *u = flow.gas_velocity[i]->data(), *w = flow.contact_acceleration[i]->data(), *H = H_[i].data();
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, g, h](const Face& face) {
      const std::int64_t f = face.index;
      const double theta = coupled * th[f], Pm = mobile * P[f];
      const double eps = 1 - theta > eps_floor ? 1 - theta : eps_floor;
      const double A = coupled * rho_p * P[f] / dt;
      const double push = dt * (g + w[f]);
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
      flux_[i][f] = kind == FaceKind::fixed ? domain_.given_velocity(d, f) + solids_flux_[i][f]
                                                 : (eps + Pm) * u_star + Us;
    });
    report_.clipped += static_cast<std::int64_t>(
        sum(cpu, theta_[i].size(), [&](std::int64_t f) { return coupled * th[f] > 1 - eps_floor ? 1.0 : 0.0; }));
  }
}

void Gas::solve_pressure(Cpu cpu, double dt, Flow& flow) {
  fluid::for_each_cell(cpu, domain_.grid(), [&](const fluid::Cell& c) {
    rhs_[c.index] = -fluid::divergence(
        domain_.view(), c, [&](int d, std::int64_t f) { return flux_[static_cast<std::size_t>(d)][f]; });
  });
  solver_.set_coefficients(cpu, {fluid::pointers(b_), nullptr});
  const auto result = solver_.solve(cpu, rhs_.data(), flow.pressure.data(),
                                    {.absolute_max = gas_.tolerance / dt, .max_iterations = 500});
  report_.iterations = result.iterations;
  // Where velocities are extreme the tolerance may lie below round-off; mixture_residual then says what was reached.
  constexpr double round_off = 1e-12;
  report_.converged = result.converged || result.residual_relative < round_off;
  if (!report_.converged) {
    char text[300];
    std::snprintf(text, sizeof text,
                  "the pressure solver did not converge in %d iterations of a step of %.3g s (%.2g of a cell's volume "
                  "is left over: the flow is blowing up) set time.step = adaptive, or time.dt to a shorter step",
                  result.iterations, dt, result.residual_max * dt);
    throw Error(text);
  }
}

void Gas::correct(Cpu cpu, Flow& flow) {
  const double coupled = solids_.two_way && !solids_.frozen ? 1 : 0;
  const double* p = flow.pressure.data();
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain_.grid().axis(d).spacing;
    double* u = flow.gas_velocity[i]->data();
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, h](const Face& face) {
      const std::int64_t f = face.index;
      const double response = (eps_[i][f] + coupled * P_[i][f]) / a_[i][f];
      if (domain_.kind(d, f) == FaceKind::fixed) {
        u[f] = domain_.given_velocity(d, f) / eps_[i][f];
        G_[i][f] = (u_star_[i][f] - u[f]) / response; // the force of the wall is known
      } else {
        const double above = face.above < 0 ? 0 : p[face.above], below = face.below < 0 ? 0 : p[face.below];
        G_[i][f] = (above - below) / (face.boundary() ? 0.5 * h : h);
        u[f] = u_star_[i][f] - response * G_[i][f];
      }
    });
  }
}

/// Solids at walls and inlets feel the gradient of the next face: the force that holds the gas of the half cell there
/// at its given velocity would let them fall, or throw them up, by what the two differ.
void Gas::continue_gradient(Cpu cpu) {
  if (solids_.frozen) return;
  for (int d = 0; d < 3; ++d) {
    double* G = G_[static_cast<std::size_t>(d)].data();
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, G](const Face& f) {
      if (domain_.kind(d, f.index) != FaceKind::fixed) return;
      const std::int64_t inner = fluid::inner_face(domain_.grid(), d, f);
      if (inner >= 0 && domain_.kind(d, inner) != FaceKind::fixed) G[f.index] = G[inner];
    });
  }
}

double Gas::mixture_gradient(int d, std::int64_t f, const Flow& flow) const {
  const auto i = static_cast<std::size_t>(d);
  if (!gas_.solved || solids_.frozen || domain_.kind(d, f) != FaceKind::fixed) return G_[i][f];
  const double coupled = solids_.two_way ? 1 : 0;
  return a_[i][f] * (u_star_[i][f] - (*flow.gas_velocity[i])[f]) + coupled * (theta_[i][f] - P_[i][f]) * G_[i][f];
}

/// The gas is given: its pressure gradient is its own weight, and the parcels feel both.
void Gas::keep_prescribed(Cpu cpu) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double G = gas_.rho * gravity_[d];
    for_each(cpu, G_[d].size(), [&, d, G](std::int64_t f) {
      eps_[d][f] = 1;
      G_[d][f] = G;
    });
  }
}

/// What the parcels feel of the gas, and the flux that this makes of theirs: with the parcels' own sums, not filtered.
void Gas::feel(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) {
  const double rho_p = solids_.rho;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *w = flow.contact_acceleration[i]->data(), g = gravity_[i];
    filter_.apply(cpu, d, flow.gas_velocity[i]->data(), felt_u_[i].data());
    if (solids_.frozen) continue;
    filter_.apply(cpu, d, G_[i].data(), felt_G_[i].data());
    filter_.apply(cpu, d, w, felt_w_[i].data());
    for_each(cpu, Fs_[i].size(), [&, i, g](std::int64_t f) {
      const double P = sums.P[i][f], left = sums.theta[i][f] - P;
      Fs_[i][f] = sums.U[i][f] - sums.Q[i][f] + left * dt * (g - felt_G_[i][f] / rho_p) + P * felt_u_[i][f];
      felt_G_[i][f] -= rho_p * felt_w_[i][f];
    });
  }
}

/// Of both fluxes as they are, not as the solver saw them: eps u' and the solids' with the push that the gas expects.
double Gas::measure_residual(Cpu cpu, double dt, const Flow& flow) {
  const double mobile = solids_.two_way && !solids_.frozen ? 1 : 0, rho_p = solids_.rho;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *u = flow.gas_velocity[i]->data(), *w = flow.contact_acceleration[i]->data();
    for_each(cpu, flux_[i].size(), [&, d, i, u, w](std::int64_t f) {
      if (domain_.kind(d, f) == FaceKind::fixed) return;
      const double push = gravity_[i] + w[f] - G_[i][f] / rho_p;
      const double solids = U_[i][f] - Q_[i][f] + (theta_[i][f] - P_[i][f]) * dt * push + P_[i][f] * u[f];
      flux_[i][f] = eps_[i][f] * u[f] + mobile * solids;
    });
  }
  const auto flux = [&](int d, std::int64_t f) { return flux_[static_cast<std::size_t>(d)][f]; };
  Array<double>& residual = rhs_; // its work is done
  fluid::for_each_cell(cpu, domain_.grid(), [&](const fluid::Cell& c) {
    residual[c.index] = domain_.volume_fraction(c.index) > 0 ? fluid::divergence(domain_.view(), c, flux) : 0;
  });
  return dt * maximum(cpu, residual.size(), 0, [&](std::int64_t c) { return std::abs(residual[c]); });
}

std::array<double, 3> Gas::momentum_from_parcels(Cpu cpu, const FaceSums& sums, double dt, const Flow& flow) const {
  std::array<double, 3> momentum{};
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *P = P_[i].data(), *Q = Q_[i].data(), *w = flow.contact_acceleration[i]->data();
    const double *u = flow.gas_velocity[i]->data(), *G = G_[i].data(), rho_p = solids_.rho;
    const double* inverse_volume = sums.view().inverse_volume[i];
    momentum[i] = sum(cpu, G_[i].size(), [&](std::int64_t f) {
      const double drag = rho_p * (Q[f] + P[f] * dt * (gravity_[i] + w[f]) - P[f] * u[f]);
      return (drag - dt * P[f] * G[f]) / inverse_volume[f];
    });
  }
  return momentum;
}

std::int64_t Gas::bytes() const {
  std::int64_t total = solver_.bytes() + filter_.bytes() + rhs_.bytes();
  for (const fluid::FaceArrays* arrays : {&theta_, &U_, &P_, &Q_, &H_, &eps_, &a_, &u_star_, &flux_, &b_, &G_, &Fs_,
                                          &solids_flux_, &felt_u_, &felt_G_, &felt_w_})
    for (const Array<double>& a : *arrays) total += a.bytes();
  return total;
}

} // namespace corral::mppic

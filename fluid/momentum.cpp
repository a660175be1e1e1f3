#include "fluid/momentum.hpp"

#include <algorithm>
#include <cmath>

namespace corral::fluid {

MomentumForces::MomentumForces(const Domain& domain, double rho, double mu, Advection advection)
    : domain_(domain), rho_(rho), mu_(mu), advection_(advection), u_(domain) {
  for (int d = 0; d < 3; ++d) {
    const PaddedFaces& u = u_.component(d);
    // As large as the largest component, so that no step allocates.
    carried_.values.resize(std::max(carried_.values.size(), u.values.size()), 0.0);
    rates_.resize(std::max(rates_.size(), u.points[0] * u.rows()), 0.0);
  }
  if (advection == Advection::central) start_.values.resize(carried_.values.size(), 0.0);
}

void MomentumForces::operator()(Cpu cpu, const std::array<const double*, 3>& u, const std::array<double*, 3>& force) {
  u_.fill(cpu, u);
  for (std::size_t d = 0; d < 3; ++d) evaluate(cpu, static_cast<int>(d), u_.component(static_cast<int>(d)), force[d]);
}

int MomentumForces::operator()(Cpu cpu, double dt, const std::array<const double*, 3>& u,
                               const std::array<double*, 3>& force) {
  double rate = 0;
  u_.fill(cpu, u);
  for (int d = 0; d < 3; ++d) rate = std::max(rate, find_rates(cpu, d));
  const bool within_cell = !(dt * rate > 1);
  const int n = within_cell ? 1 : static_cast<int>(std::min<double>(std::ceil(dt * rate), most_substeps));
  for (std::size_t i = 0; i < 3; ++i) {
    const int d = static_cast<int>(i);
    if (within_cell && advection_ != Advection::central)
      evaluate(cpu, d, u_.component(d), force[i]);
    else
      carry(cpu, d, dt, n, force[i]);
  }
  return n;
}

/// Component d through n sub-steps; the carrying velocity and with it the rates stay, so that the equation is linear,
/// and Runge and Kutta's stages are steps of 1/3, 1/2 and 1 from one start.
void MomentumForces::carry(Cpu cpu, int d, double dt, int n, double* force) {
  const PaddedFaces& u = u_.component(d);
  PaddedFaces& v = carried_;
  const auto take = [cpu](const PaddedFaces& from, PaddedFaces& to) {
    to.points = from.points;
    to.stride = from.stride;
    for_each(cpu, from.stride[2] * (from.points[2] + 2 * PaddedFaces::layers),
             [&](std::int64_t i) { to.values[i] = from.values[i]; });
  };
  const auto for_each_row = [&](auto f) { // f(index of the row's first face, its place in padded fields)
    for_each_chunk(cpu, u.rows(), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) f(r * u.points[0], u.row(r % u.points[1], r / u.points[1]));
    });
  };
  take(u, v);
  find_rates(cpu, d);
  const int stages = advection_ == Advection::central ? 3 : 1;
  const double substep = dt / n;
  for (int k = 0; k < n; ++k) {
    if (stages > 1) take(v, start_);
    const PaddedFaces& start = stages > 1 ? start_ : v;
    for (int part = stages; part >= 1; --part) {
      evaluate(cpu, d, v, force);
      for_each_row([&](std::int64_t face, std::int64_t at) {
        for (std::int64_t i = 0; i < u.points[0]; ++i)
          if (domain_.kind(d, face + i) != FaceKind::fixed)
            v.values[at + i] = start.values[at + i] +
                               substep / part / rho_ * force[face + i] / std::max(1.0, substep * rates_[face + i]);
      });
      u_.fill_beyond(cpu, d, v);
    }
  }
  for_each_row([&](std::int64_t face, std::int64_t at) {
    for (std::int64_t i = 0; i < u.points[0]; ++i)
      force[face + i] = rho_ / dt * (v.values[at + i] - u.values[at + i]);
  });
}

/// Axis by axis, viscosity less advection: in two passes the sum would round otherwise.
void MomentumForces::evaluate(Cpu cpu, int d, const PaddedFaces& carried, double* force) const {
  with_scheme(advection_, u_.has_closed_faces(), [&]<Advection scheme, bool closed>() {
    add_along_axes<closed>(cpu, u_, d, carried, Onto::zero, force, [&](int e, const RowAlong& row) {
      const double per_cell = u_.per_cell(e), viscous = mu_ * per_cell * per_cell, advective = rho_ * per_cell;
      return [row, viscous, advective](std::int64_t i) {
        return viscosity_along<closed>(row, i, viscous) - advection_along<scheme, closed>(row, i, advective);
      };
    });
  });
}

/// Sets `rates_` for component d and returns the largest.
double MomentumForces::find_rates(Cpu cpu, int d) {
  const PaddedFaces& u = u_.component(d);
  const double slope = advection_ == Advection::van_leer ? 2 : 1;
  for_each_chunk(cpu, u.rows(), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t j = r % u.points[1], k = r / u.points[1];
      double* out = rates_.data() + r * u.points[0];
      std::fill(out, out + u.points[0], 0.0);
      for (int e = 0; e < 3; ++e) {
        // A single point is its own neighbour, but where a no-slip wall turns its sign.
        if (u.points[static_cast<std::size_t>(e)] == 1 && domain_.side_kind(side(e, false)) != SideKind::no_slip &&
            domain_.side_kind(side(e, true)) != SideKind::no_slip)
          continue;
        const RowAlong row = u_.row_along(d, e, j, k, u);
        const double h = domain_.grid().axis(e).spacing, advective = slope / h, viscous = 2 * mu_ / (rho_ * h * h);
        const auto add = [=, n = u.points[0]](auto speed) {
          for (std::int64_t i = 0; i < n; ++i) out[i] += viscous + advective * speed(row, i);
        };
        if (advection_ == Advection::central)
          add([](const RowAlong& along, std::int64_t i) {
            const ControlFluxes F = control_fluxes(along, i);
            return 0.5 * (std::abs(F.low) + std::abs(F.high));
          });
        else
          add([](const RowAlong& along, std::int64_t i) { return std::abs(carrying(along, i)); });
      }
    }
  });
  return maximum(cpu, u.points[0] * u.rows(), 0, [&](std::int64_t f) { return rates_[f]; });
}

} // namespace corral::fluid

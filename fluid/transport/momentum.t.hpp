#pragma once

/// The loops of momentum.hpp, for either processor.

#include "fluid/transport/advection.t.hpp"
#include "fluid/transport/momentum.hpp"

#include <algorithm>
#include <cmath>

namespace corral::fluid {

template <Execution E>
void MomentumForces::operator()(E execution, const std::array<const double*, 3>& u,
                                const std::array<double*, 3>& force) {
  take(false);
  u_.fill(execution, u, planes_);
  for (std::size_t d = 0; d < 3; ++d)
    evaluate(execution, static_cast<int>(d), u_.component(static_cast<int>(d)), force[d]);
  fill_beside(domain_.grid(), planes_, Staggering::face_z, force[2]);
  give_back();
}

template <Execution E>
int MomentumForces::operator()(E execution, double dt, const std::array<const double*, 3>& u,
                               const std::array<double*, 3>& force) {
  double rate = 0;
  take(false);
  u_.fill(execution, u, planes_);
  for (int d = 0; d < 3; ++d) rate = std::max(rate, find_rates(execution, d));
  rate = planes_.largest(rate);
  const bool within_cell = !(dt * rate > 1);
  const int n = within_cell ? 1 : static_cast<int>(std::min<double>(std::ceil(dt * rate), most_substeps));
  for (std::size_t i = 0; i < 3; ++i) {
    const int d = static_cast<int>(i);
    if (within_cell && advection_ != Advection::central)
      evaluate(execution, d, u_.component(d), force[i]);
    else
      carry(execution, d, dt, n, force[i], {});
  }
  fill_beside(domain_.grid(), planes_, Staggering::face_z, force[2]);
  give_back();
  return n;
}

template <Execution E>
int MomentumForces::operator()(E execution, double dt, const std::array<const double*, 3>& u,
                               const std::array<double*, 3>& force, const Foresight& foresight) {
  const auto fastest = [&] {
    double rate = 0;
    for (int d = 0; d < 3; ++d) rate = std::max(rate, find_rates(execution, d));
    return rate;
  };
  take(true);
  u_.fill(execution, u);
  const double trusted = std::clamp((foresight_ends - dt * fastest()) / (foresight_ends - foresight_fades), 0.0, 1.0);
  set_middle(execution, 0.5 * dt * trusted, u, force, foresight);
  u_.fill(execution, fluid::as_const(force));
  const int n = std::max(1, static_cast<int>(std::min<double>(std::ceil(dt * fastest()), most_substeps)));
  for (std::size_t i = 0; i < 3; ++i) {
    const int d = static_cast<int>(i);
    begin_with(execution, d, u[i]);
    carry(execution, d, dt, n, force[i], {foresight.others[i], trusted});
  }
  give_back();
  return n;
}

template <Execution E>
void MomentumForces::set_middle(E execution, double later, const std::array<const double*, 3>& u,
                                const std::array<double*, 3>& middle, const Foresight& foresight) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double *from = u[d], *rate = foresight.rate[d];
    double* to = middle[d];
    const PaddedShape shape = u_.component(static_cast<int>(d));
    for_each(execution, shape.points[0] * shape.rows(),
             [=] CORRAL_BODY(std::int64_t f) { to[f] = from[f] + later * rate[f]; });
  }
}

/// Sets what is carried through the sub-steps to u, which is not what carries it.
template <Execution E> void MomentumForces::begin_with(E execution, int d, const double* u) {
  copy_faces(execution, domain_.grid(), planes_, d, u_.component(d), carried_);
  const PaddedShape shape = carried_;
  double* v = carried_.values.data();
  for_each_part(execution, shape.rows(), shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t r, std::int64_t begin, std::int64_t end) {
                  const std::int64_t at = shape.row(r % shape.points[1], r / shape.points[1]);
                  for (std::int64_t i = begin; i < end; ++i) v[at + i] = u[r * shape.points[0] + i];
                });
  u_.fill_beyond(execution, d, carried_, planes_);
  copy_faces(execution, domain_.grid(), planes_, d, carried_, begun_);
}

/// Component d through n sub-steps; the carrying velocity and with it the rates stay, so that the equation is linear,
/// and Runge and Kutta's stages are steps of 1/3, 1/2 and 1 from one start.
template <Execution E>
void MomentumForces::carry(E execution, int d, double dt, int n, double* force, Others by) {
  const double *others = by.values, trusted = by.trusted;
  const Grid& grid = domain_.grid();
  if (!others) copy_faces(execution, grid, planes_, d, u_.component(d), carried_);
  const PaddedFaces& u = others ? begun_ : u_.component(d);
  find_rates(execution, d);
  const int stages = advection_ == Advection::central ? 3 : 1;
  const PaddedShape shape = u;
  const OwnRange rows = own_rows(d);
  const std::int64_t first = rows.first;
  const DomainView domain = domain_.view(memory_for<E>);
  const double substep = dt / n, rho = rho_, *rates = rates_.data(), *u_n = u.values.data();
  double* const v = carried_.values.data();
  for (int k = 0; k < n; ++k) {
    if (stages > 1) copy_faces(execution, grid, planes_, d, carried_, start_);
    const double* start = stages > 1 ? start_.values.data() : v;
    for (int part = stages; part >= 1; --part) {
      evaluate(execution, d, carried_, force);
      for_each_part(execution, rows.count, shape.points[0], rows_per_task,
                    [=] CORRAL_BODY(std::int64_t row, std::int64_t begin, std::int64_t end) {
                      const std::int64_t r = first + row, face = r * shape.points[0];
                      const std::int64_t at = shape.row(r % shape.points[1], r / shape.points[1]);
                      for (std::int64_t i = begin; i < end; ++i)
                        if (domain.kind(d, face + i) != FaceKind::fixed) {
                          v[at + i] = start[at + i] + substep / part / rho * force[face + i] /
                                                          std::max(1.0, substep * rates[face + i]);
                          if (others) v[at + i] += substep / part * trusted * others[face + i];
                        }
                    });
      planes_.fill(v + PaddedShape::layers * shape.stride[2], shape.stride[2], PaddedShape::layers);
      u_.fill_beyond(execution, d, carried_, planes_);
    }
  }
  for_each_part(execution, rows.count, shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t row, std::int64_t begin, std::int64_t end) {
                  const std::int64_t r = first + row, face = r * shape.points[0];
                  const std::int64_t at = shape.row(r % shape.points[1], r / shape.points[1]);
                  for (std::int64_t i = begin; i < end; ++i) {
                    force[face + i] = rho / dt * (v[at + i] - u_n[at + i]);
                    if (others) force[face + i] -= rho * trusted * others[face + i];
                  }
                });
}

/// Viscosity less advection, a term of add_along_axes.
template <Advection scheme, bool closed> struct MomentumTerm {
  double rho, mu;
  std::array<double, 3> per_cell;

  struct AlongRow {
    RowAlong row;
    double viscous, advective;
    CORRAL_HOST_DEVICE double operator()(std::int64_t i) const {
      return viscosity_along<closed>(row, i, viscous) - advection_along<scheme, closed>(row, i, advective);
    }
  };
  CORRAL_HOST_DEVICE AlongRow along(int e, const RowAlong& row) const {
    const double h = per_cell[e];
    return {row, mu * h * h, rho * h};
  }
};

/// Axis by axis, viscosity less advection: in two passes the sum would round otherwise.
template <Execution E>
void MomentumForces::evaluate(E execution, int d, const PaddedFaces& carried, double* force) const {
  const PaddedVelocityView v = u_.view();
  const bool varies = nu_[0] != nullptr;
  if (varies) rub(execution, d, carried, force);
  with_scheme(advection_, u_.has_closed_faces(), [&]<Advection scheme, bool closed>() {
    if (varies)
      add_along_axes<closed>(execution, v, d, own_rows(d), carried.values.data(), Onto::what_is_there, force,
                             AdvectiveTerm<scheme, closed>{rho_, v.per_cell});
    else
      add_along_axes<closed>(execution, v, d, own_rows(d), carried.values.data(), Onto::zero, force,
                             MomentumTerm<scheme, closed>{rho_, mu_, v.per_cell});
  });
}

/// rho nu lap u, with a nu that varies.
template <Execution E> void MomentumForces::rub(E execution, int d, const PaddedFaces& carried, double* force) const {
  const PaddedVelocityView v = u_.view();
  const auto add = [&]<bool closed>() {
    add_along_axes<closed>(execution, v, d, own_rows(d), carried.values.data(), Onto::zero, force, ViscousTerm<closed>{1, v.per_cell});
  };
  u_.has_closed_faces() ? add.template operator()<true>() : add.template operator()<false>();
  const OwnRange faces = own(d);
  const double *nu = nu_[d] + faces.first, rho = rho_;
  double* const rubbed = force + faces.first;
  for_each(execution, faces.count, [=] CORRAL_BODY(std::int64_t f) { rubbed[f] *= rho * nu[f]; });
}

/// Speeds that carry a face's value along a row, each with the sign left out.
struct CarryingSpeed {
  CORRAL_HOST_DEVICE double operator()(const RowAlong& along, std::int64_t i) const {
    return std::abs(carrying(along, i));
  }
};
struct ControlSpeed {
  CORRAL_HOST_DEVICE double operator()(const RowAlong& along, std::int64_t i) const {
    const ControlFluxes F = control_fluxes(along, i);
    return 0.5 * (std::abs(F.low) + std::abs(F.high));
  }
};

/// out = sum over the axes of viscous + advective speed, [1/s]; nothing of axes where both are 0.
template <Execution E, class Speed>
void add_rates(E execution, const PaddedVelocityView& u, int d, const OwnRange& rows, std::array<double, 3> viscous,
               std::array<double, 3> advective, double* rates, Speed speed) {
  const PaddedShape shape = u.shape[d];
  const std::int64_t first = rows.first;
  for_each_part(execution, rows.count, shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t part, std::int64_t begin, std::int64_t end) {
                  const std::int64_t r = first + part;
                  double* out = rates + r * shape.points[0];
                  for (std::int64_t i = begin; i < end; ++i) out[i] = 0;
                  for (std::size_t e = 0; e < 3; ++e) {
                    if (viscous[e] == 0 && advective[e] == 0) continue;
                    const RowAlong row = u.row_along(d, static_cast<int>(e), r % shape.points[1],
                                                     r / shape.points[1], u.u[d]);
                    const double still = viscous[e], carried = advective[e];
                    for (std::int64_t i = begin; i < end; ++i) out[i] += still + carried * speed(row, i);
                  }
                });
}

/// Sets `rates_` for component d and returns the largest, of its own.
template <Execution E> double MomentumForces::find_rates(E execution, int d) {
  const PaddedVelocityView u = u_.view();
  const PaddedShape& shape = u.shape[d];
  const double slope = advection_ == Advection::van_leer ? 2 : 1;
  std::array<double, 3> viscous{}, advective{};
  for (int e = 0; e < 3; ++e) {
    // A single point is its own neighbour, but where a no-slip wall turns its sign.
    if (shape.points[e] == 1 && domain_.side_kind(side(e, false)) != SideKind::no_slip &&
        domain_.side_kind(side(e, true)) != SideKind::no_slip)
      continue;
    const double h = domain_.grid().axis(e).spacing;
    advective[e] = slope / h;
    viscous[e] = 2 * mu_ / (rho_ * h * h);
  }
  if (advection_ == Advection::central) add_rates(execution, u, d, own_rows(d), viscous, advective, rates_.data(), ControlSpeed{});
  else add_rates(execution, u, d, own_rows(d), viscous, advective, rates_.data(), CarryingSpeed{});
  const double* const rates = rates_.data() + own(d).first;
  return maximum(execution, own(d).count, 0, [=] CORRAL_BODY(std::int64_t f) { return rates[f]; });
}

} // namespace corral::fluid

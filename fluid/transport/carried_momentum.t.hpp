#pragma once

/// The loops of carried_momentum.hpp, for either processor.

#include "fluid/transport/advection.hpp"
#include "fluid/transport/carried_momentum.hpp"
#include "fluid/transport/dual_row.hpp"
#include "fluid/transport/padded_velocity.t.hpp"
#include "fluid/transport/viscous_stress.t.hpp"

#include <algorithm>
#include <cmath>

namespace corral::fluid {

/// The share from which F leads to `share`, and what it is raised by so that no sub-step divides by next to nothing.
struct StartingShare {
  double now, raised;
  CORRAL_HOST_DEVICE StartingShare(double share, double emptied)
      : now(share + emptied), raised(now < 0.5 * share ? 0.5 * share - now : 0) {}
  CORRAL_HOST_DEVICE double least(double share) const { return now + raised < share + raised ? now + raised : share + raised; }
};

template <class F> auto with_flow(Advection scheme, F f) {
  switch (scheme) {
  case Advection::upwind: return f.template operator()<Advection::upwind>();
  case Advection::van_leer: return f.template operator()<Advection::van_leer>();
  default: return f.template operator()<Advection::central>();
  }
}

inline DualRows dual_rows(const Domain& domain, const PaddedVelocity& fluxes) {
  const Grid& grid = domain.grid();
  return {fluxes.view(), {!grid.axis(0).periodic(), !grid.axis(1).periodic(), !grid.axis(2).periodic()}};
}

template <Execution E>
int CarriedMomentum::advance(E execution, const Carrier& carrier, double dt, const ConstFacePointers& u,
                             const FacePointers& force) {
  carrier_ = carrier;
  dt_ = dt;
  weakened_ = 1;
  u_.fill(execution, u);
  flux_.fill(execution, carrier.flux);
  if (stress_) stress_->set(execution, carrier.cell_share, mu_);
  if (stress_ && smagorinsky_ > 0) stress_->add_eddies(execution, carrier.cell_mass ? carrier.cell_mass : carrier.cell_share, rho_, smagorinsky_, u_);
  double most = 0, advective = 0, viscous = 0; // times that a control volume is replaced
  for (int d = 0; d < 3; ++d) most = std::max(most, find_numbers(execution, d, dt, advective, viscous));
  constexpr double longest = 1000; // what is beyond that has blown up
  const double wanted = std::min(std::ceil(std::isfinite(most) ? most : longest), longest);
  const double bounded = std::max<double>(most_substeps, std::min(std::ceil(2 * advective), longest));
  substeps_ = static_cast<int>(std::max(1.0, std::min(wanted, bounded)));
  if (wanted > substeps_ && viscous > 0.5 * substeps_) weakened_ = 0.5 * substeps_ / viscous;
  const int stages = advection_ == Advection::central ? 3 : 1;
  for (std::size_t d = 0; d < 3; ++d) fluid::fill(execution, mean_[d], 0), fluid::fill(execution, held_[d], 0);
  for (int k = 1; k <= substeps_; ++k) {
    for (int d = 0; d < 3 && stages > 1; ++d) copy_faces(execution, u_.component(d), start_[d]);
    for (int part = stages; part >= 1; --part) {
      for (int d = 0; d < 3; ++d)
        with_flow(advection_, [&]<Advection scheme>() {
          take_stage<scheme>(execution, d, k, part, force[d]);
        });
      for (int d = 0; d < 3; ++d) {
        if (part == 1) add_mean(execution, d);
        u_.set(execution, d, force[d]);
      }
    }
  }
  const DomainView domain = domain_.view(memory_for<E>);
  for (int d = 0; d < 3; ++d) {
    const double per_step = rho_ / dt, *before = u[d], *held = held_[d].data();
    double* const out = force[d];
    for_each(execution, spread_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      out[f] = per_step * (domain.kind(d, f) == FaceKind::fixed ? held[f] : out[f] - before[f]);
    });
  }
  return substeps_;
}

/// Axes along which u can change: a single point is its own neighbour, but where a no-slip wall turns its sign.
inline std::array<bool, 3> axes_of_change(const Domain& domain, const PaddedShape& shape) {
  std::array<bool, 3> change{};
  for (int e = 0; e < 3; ++e)
    change[e] = shape.points[e] > 1 ||
                                          domain.side_kind(side(e, false)) == SideKind::no_slip ||
                                          domain.side_kind(side(e, true)) == SideKind::no_slip;
  return change;
}

/// Sum of 1/h^2 over these.
inline double viscous_axes(const Domain& domain, const PaddedShape& shape) {
  double squares = 0;
  for (int e = 0; e < 3; ++e) {
    const double h = domain.grid().axis(e).spacing;
    if (axes_of_change(domain, shape)[e]) squares += 1 / (h * h);
  }
  return squares;
}

/// Component d: div Fd, and how often control volumes are replaced; returns the largest such number.
template <Execution E>
double CarriedMomentum::find_numbers(E execution, int d, double dt, double& advective, double& viscous) {
  const DualRows rows = dual_rows(domain_, flux_);
  const PaddedShape shape = u_.component(d);
  const double *u = u_.component(d).values.data(), *share = carrier_.share[d], time = carrier_.time;
  const double* rubbed_share = carrier_.rubbed_share(d);
  const bool twice = advection_ == Advection::van_leer, half = advection_ == Advection::central;
  const double viscosity = stress_ ? 0 : 2 * mu_ * dt / rho_ * viscous_axes(domain_, shape); // of mu lap u
  const std::array<bool, 3> change = axes_of_change(domain_, shape);
  double *emptied = spread_[d].data(), *carried = numbers_.data(), *rubbed = viscous_.data();
  for_each_part(execution, shape.rows(), shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t r, std::int64_t begin, std::int64_t end) {
                  const std::int64_t at = r * shape.points[0];
                  for (std::int64_t i = begin; i < end; ++i) emptied[at + i] = carried[at + i] = 0;
                  for (int e = 0; e < 3; ++e) {
                    const DualRow row = rows.along(d, e, r % shape.points[1], r / shape.points[1], u);
                    for (std::int64_t i = begin; i < end; ++i) {
                      const ControlFluxes F = row.fluxes(i);
                      const double in = (F.low > 0 ? F.low : 0) + (F.high < 0 ? -F.high : 0);
                      const double both = (F.low > 0 ? F.low : -F.low) + (F.high > 0 ? F.high : -F.high);
                      if (change[e])
                        carried[at + i] += time * row.scale(i) * (twice ? both : half ? 0.5 * both : in);
                      emptied[at + i] += row.spread(i);
                    }
                  }
                  for (std::int64_t i = begin; i < end; ++i) {
                    const double g = share[at + i];
                    const double least = StartingShare(g, time * emptied[at + i]).least(g);
                    carried[at + i] /= least;
                    rubbed[at + i] = viscosity * rubbed_share[at + i] / least;
                  }
                });
  if (stress_) add_stress_numbers(execution, d, dt);
  const auto largest = [&](auto number) { return maximum(execution, shape.points[0] * shape.rows(), 0, number); };
  advective = std::max(advective, largest([=] CORRAL_BODY(std::int64_t f) { return carried[f]; }));
  viscous = std::max(viscous, largest([=] CORRAL_BODY(std::int64_t f) { return rubbed[f]; }));
  return largest([=] CORRAL_BODY(std::int64_t f) { return carried[f] + rubbed[f]; });
}

template <Execution E> void CarriedMomentum::add_stress_numbers(E execution, int d, double dt) {
  const ViscousStressView stress = stress_->view(u_);
  const DualVolume volume = dual_volume(domain_, d);
  const double scale = 8.0 / 3 * dt / rho_ * viscous_axes(domain_, u_.component(d)), time = carrier_.time;
  const double *share = carrier_.share[d], *emptied = spread_[d].data();
  double* const rubbed = viscous_.data();
  for_each(execution, spread_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
    const double g = share[f];
    rubbed[f] = scale * stress.largest(d, volume.place(f)) / StartingShare(g, time * emptied[f]).least(g);
  });
}

/// Component d at 1/`part` of the k-th sub-step, from its start by what is there now.
template <Advection scheme, Execution E>
void CarriedMomentum::take_stage(E execution, int d, int k, int part, double* out) {
  const DualRows rows = dual_rows(domain_, flux_);
  const DomainView domain = domain_.view(memory_for<E>);
  const PaddedShape shape = u_.component(d);
  const double time = carrier_.time, substeps = substeps_, part_of = 1 / (substeps * part);
  const double left = (substeps - (k - 1) - 1.0 / part) / substeps; // of the time for which F flows
  const double advect = time * part_of, rub = dt_ * part_of / rho_;
  const std::array<double, 3> viscous = viscous_scales();
  const double *u = u_.component(d).values.data(), *share = carrier_.share[d], *spread = spread_[d].data();
  const double* rubbed = carrier_.rubbed_share(d);
  const double* start = scheme == Advection::central ? start_[d].values.data() : u;
  double* const held = held_[d].data();
  const bool stressed = stress_.has_value();
  const double share_of_stress = weakened_ * rub;
  const ViscousStressView stress = stressed ? stress_->view(u_) : ViscousStressView{};
  for_each_part(execution, shape.rows(), shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t r, std::int64_t begin, std::int64_t end) {
                  const std::int64_t j = r % shape.points[1], l = r / shape.points[1];
                  const std::int64_t face = r * shape.points[0], at = shape.row(j, l);
                  for (std::int64_t i = begin; i < end; ++i)
                    out[face + i] = stressed ? share_of_stress * stress.force(d, {i, j, l}) : 0;
                  for (int e = 0; e < 3; ++e) {
                    const DualRow row = rows.along(d, e, j, l, u);
                    const double scale = rub * viscous[e];
                    for (std::int64_t i = begin; i < end; ++i)
                      out[face + i] += scale * rubbed[face + i] * viscosity_along<false>(row.row, i, 1) -
                                       advect * row.template leaving<scheme>(i, start[at + i]);
                  }
                  for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t f = face + i;
                    const double g = share[f];
                    if (domain.kind(d, f) == FaceKind::fixed) {
                      if (part == 1) held[f] += out[f] / g;
                      out[f] = u[at + i];
                    } else {
                      const double raised = StartingShare(g, time * spread[f]).raised;
                      out[f] = start[at + i] + out[f] / (g + raised + left * time * spread[f]);
                    }
                  }
                });
}

/// Of what the last stage of a sub-step, which keeps the sum of momentum, carries.
template <Execution E> void CarriedMomentum::add_mean(E execution, int d) {
  const PaddedShape shape = u_.component(d);
  const double weight = 1.0 / substeps_, *u = u_.component(d).values.data();
  double* const mean = mean_[d].data();
  for_each_part(execution, shape.rows(), shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t r, std::int64_t begin, std::int64_t end) {
                  const std::int64_t at = shape.row(r % shape.points[1], r / shape.points[1]);
                  double* const row = mean + r * shape.points[0];
                  for (std::int64_t i = begin; i < end; ++i) row[i] += weight * u[at + i];
                });
}

template <Execution E> std::array<double, 3> CarriedMomentum::through_sides(E execution) {
  const DualRows rows = dual_rows(domain_, flux_);
  std::array<double, 3> given{};
  for (int d = 0; d < 3; ++d) {
    u_.set(execution, d, mean_[d].data());
    const double *u = u_.component(d).values.data(), scale = rho_ * carrier_.time;
    const DualVolume volume = dual_volume(domain_, d);
    given[d] = scale * sum(execution, spread_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      const std::array<std::int64_t, 3> place = volume.place(f);
      double entering = 0;
      for (int e = 0; e < 3; ++e) {
        const std::int64_t at = place[e];
        if (at > 0 && at < volume.points[e] - 1) continue;
        const DualRow row = rows.along(d, e, place[1], place[2], u);
        const std::int64_t i = place[0];
        const ControlFluxes F = row.fluxes(i);
        if (row.low_side(i)) entering += row.scale(i) * F.low * row.low_mean(i);
        if (row.high_side(i)) entering -= row.scale(i) * F.high * row.high_mean(i);
      }
      return volume(f) * entering;
    });
  }
  return given;
}

template <Execution E> std::array<double, 3> CarriedMomentum::by_viscosity(E execution) {
  const DualRows rows = dual_rows(domain_, flux_);
  const std::array<double, 3> viscous = viscous_scales();
  for (int d = 0; d < 3; ++d) u_.set(execution, d, mean_[d].data());
  const bool stressed = stress_.has_value();
  const ViscousStressView stress = stressed ? stress_->view(u_) : ViscousStressView{};
  std::array<double, 3> given{};
  for (int d = 0; d < 3; ++d) {
    const double *u = u_.component(d).values.data(), *share = carrier_.rubbed_share(d), weakened = weakened_;
    const DualVolume volume = dual_volume(domain_, d);
    given[d] = dt_ * sum(execution, spread_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      const std::array<std::int64_t, 3> place = volume.place(f);
      if (stressed) return volume(f) * weakened * stress.force_from_sides(d, place);
      double force = 0;
      for (int e = 0; e < 3; ++e)
        force += viscosity_along<false>(rows.along(d, e, place[1], place[2], u).row, place[0], viscous[e]);
      return volume(f) * share[f] * force;
    });
  }
  return given;
}

template <Execution E>
std::array<double, 3> CarriedMomentum::by_drift(E execution, const ConstFacePointers& before, const ConstFacePointers& u,
                                                const ConstFacePointers& force) const {
  const DomainView domain = domain_.view(memory_for<E>);
  std::array<double, 3> given{};
  for (int d = 0; d < 3; ++d) {
    const DualVolume volume = dual_volume(domain_, d);
    const double *share = carrier_.share[d], *spread = spread_[d].data(), *was = before[d], *start = u[d];
    const double *change = force[d], time = carrier_.time, dt = dt_, rho = rho_;
    given[d] = sum(execution, spread_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      const StartingShare g(share[f], time * spread[f]);
      // What the share is raised by comes with u and goes with what u has become.
      const double raised = domain.kind(d, f) == FaceKind::fixed ? 0 : g.raised;
      return volume(f) * (rho * (g.now - was[f]) * start[f] - raised * dt * change[f]);
    });
  }
  return given;
}

template <Execution E> double CarriedMomentum::largest_drift(E execution, const ConstFacePointers& before) const {
  double largest = 0;
  for (std::size_t n = 0; n < 3; ++n) {
    const double *share = carrier_.share[n], *spread = spread_[n].data(), *was = before[n], time = carrier_.time;
    largest = std::max(largest, maximum(execution, spread_[n].size(), 0, [=] CORRAL_BODY(std::int64_t f) {
                         return std::abs(StartingShare(share[f], time * spread[f]).now - was[f]);
                       }));
  }
  return largest;
}

} // namespace corral::fluid

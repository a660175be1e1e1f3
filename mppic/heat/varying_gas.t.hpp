#pragma once

/// The loops of varying_gas.hpp, for either processor.

#include "mppic/heat/varying_gas.hpp"
#include "mppic/parcels/sums.t.hpp"

#include <corral/for_each.hpp>

namespace corral::mppic {

template <Execution E> void VaryingGas::set_properties(E execution, const Array<double>& temperature) {
  const GasLaws laws = laws_;
  const double p0 = pressure_, rho_all = rho_, mu_all = mu_, *T = temperature.data();
  double *rho = density_.data(), *mu = viscosity_.data();
  for_each(execution, density_.size(), [=] CORRAL_BODY(std::int64_t c) {
    rho[c] = laws.ideal ? laws.density(p0, T[c]) : rho_all;
    mu[c] = laws.sutherland ? laws.viscosity(T[c]) : mu_all;
  });
}

template <Execution E>
fluid::ConstFacePointers VaryingGas::conducting_share(E execution, const fluid::FaceArrays& eps) {
  if (!laws_.conductivity_varies()) return fluid::pointers(eps);
  const double *mu = viscosity_.data(), per_mu = 0.5 / mu_;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *share = eps[i].data(), low_wall = wall_viscosity_[2 * i], high_wall = wall_viscosity_[2 * i + 1];
    double* conducting = conducting_[i].data();
    fluid::for_each_face(execution, grid_, d, [=] CORRAL_BODY(const fluid::Face& f) {
      const double below = f.below >= 0 ? mu[f.below] : low_wall > 0 ? low_wall : mu[f.above];
      const double above = f.above >= 0 ? mu[f.above] : high_wall > 0 ? high_wall : mu[f.below];
      conducting[f.index] = per_mu * (below + above) * share[f.index];
    });
  }
  return fluid::pointers(conducting_);
}

template <Execution E>
void VaryingGas::begin_foresight(E execution, const Array<double>& temperature, fluid::FaceArrays& F) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double* last = mean_flux_[d]->data();
    double* to = F[d].data();
    for_each(execution, F[d].size(), [=] CORRAL_BODY(std::int64_t f) { to[f] = last[f]; });
  }
  const double* T = temperature.data();
  double *kept = kept_.data(), *expansion = expansion_.data();
  for_each(execution, kept_.size(), [=] CORRAL_BODY(std::int64_t c) {
    kept[c] = T[c];
    expansion[c] = 0;
  });
}

/// What is heated while it flows takes part by rho T = p_0/R_g alone: R_g/p_0 times its mass and the difference of
/// temperatures.
template <Execution E>
void VaryingGas::foresee(E execution, const heat::CellBalance& cells, const fluid::FaceArrays& carried,
                         Array<double>& temperature) {
  const heat::CellBalance balance = cells;
  const fluid::ConstFacePointers H = fluid::pointers(carried);
  const double scale = balance.dt * laws_.gas_constant / pressure_;
  double *T = temperature.data(), *expansion = expansion_.data();
  fluid::for_each_cell(execution, grid_, [=] CORRAL_BODY(const fluid::Cell& c) {
    const fluid::DomainView& domain = balance.walls.domain;
    const heat::CellBalance::Sides sides = balance(c);
    expansion[c.index] +=
        scale * (fluid::divergence(domain, c, fluid::ValueOnFace{H}) - T[c.index] * balance.staying[c.index]);
    T[c.index] = sides.has / sides.takes;
  });
}

/// What is heated where it is leaves in part within the step, with the density of its beginning: 1 - T/T' of its volume is
/// what makes room for the rest. What is warm since warm gas has come takes no room.
template <Execution E>
void VaryingGas::end_foresight(E execution, const Array<double>& mass, Array<double>& temperature) {
  const double scale = laws_.gas_constant / pressure_, *g = mass.data(), *kept = kept_.data();
  double *T = temperature.data(), *expansion = expansion_.data();
  for_each(execution, expansion_.size(), [=] CORRAL_BODY(std::int64_t c) {
    const double warmer = scale * g[c] * (T[c] - kept[c]), all = expansion[c] + warmer;
    const double in_place = all < warmer ? all : warmer;
    expansion[c] = in_place > 0 ? all - in_place * (1 - kept[c] / T[c]) : all;
    T[c] = kept[c];
  });
}

template <Execution E> void VaryingGas::add_expansion(E execution, const Flow& flow, double dt, Array<double>& source) {
  const double *theta = flow.solids_fraction.data(), *expansion = expansion_.data();
  double* total = source.data();
  for_each(execution, source.size(), [=] CORRAL_BODY(std::int64_t c) { total[c] += expansion[c] / dt; });
  if (!closed_) return;
  const double all = sum(execution, source.size(), [=] CORRAL_BODY(std::int64_t c) { return total[c]; });
  const double room =
      sum(execution, source.size(), [=] CORRAL_BODY(std::int64_t c) { return gas_share(theta[c]); });
  const double squeezed = all / room;
  for_each(execution, source.size(), [=] CORRAL_BODY(std::int64_t c) { total[c] -= squeezed * gas_share(theta[c]); });
}

template <Execution E> void VaryingGas::begin_flow(E execution, const fluid::FaceArrays& eps, const Flow& flow) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double *share = eps[d].data(), *u = flow.view().gas_velocity[d];
    double *volume = volume_flux_[d].data(), *mean = mean_flux_[d]->data();
    for_each(execution, volume_flux_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      volume[f] = share[f] * u[f];
      mean[f] = 0;
    });
  }
}

template <Execution E>
void VaryingGas::set_mass_flux(E execution, const heat::UpwindTemperature& upwind, int d, Array<double>& F) const {
  const heat::UpwindTemperature temperature = upwind;
  const double scale = pressure_ / laws_.gas_constant, *volume = volume_flux_[d].data();
  double* mass = F.data();
  fluid::for_each_face(execution, grid_, d, [=] CORRAL_BODY(const fluid::Face& f) {
    const double w = volume[f.index];
    mass[f.index] = w == 0 ? 0 : w * scale / temperature(f, w); // beyond walls there is no temperature
  });
}

template <Execution E> void VaryingGas::add_mean(E execution, const fluid::FaceArrays& F, double part) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double* flux = F[d].data();
    double* mean = mean_flux_[d]->data();
    for_each(execution, F[d].size(), [=] CORRAL_BODY(std::int64_t f) { mean[f] += part * flux[f]; });
  }
}

/// T of a cell is linear in the rise, and so is R_g sum m_g T V_c.
template <Execution E> double VaryingGas::rise(E execution, const heat::CellBalance& cells) const {
  if (!closed_) return 0;
  const heat::CellBalance balance = cells;
  const double scale = laws_.gas_constant / balance.capacity;
  const auto total = [&](auto value) { return sum(execution, density_.size(), value); };
  const double room = total([=] CORRAL_BODY(std::int64_t i) { return balance.room(i); });
  const double as_is = total([=] CORRAL_BODY(std::int64_t i) {
    const heat::CellBalance::Sides s = balance(heat::cell_of(balance.walls.domain.grid, i));
    return scale * s.held * (s.has / s.takes);
  });
  const double by_rise = total([=] CORRAL_BODY(std::int64_t i) {
    const heat::CellBalance::Sides s = balance(heat::cell_of(balance.walls.domain.grid, i));
    return scale * s.held * (balance.room(i) / s.takes);
  });
  return (as_is - pressure_ * room) / (room - by_rise);
}

template <Execution E>
double VaryingGas::volume_drift(E execution, const Array<double>& gas_mass, const Array<double>& temperature,
                                const Flow& flow) const {
  const double scale = laws_.gas_constant / pressure_, *mass = gas_mass.data(), *T = temperature.data();
  const double* theta = flow.solids_fraction.data();
  return maximum(execution, gas_mass.size(), 0,
                 [=] CORRAL_BODY(std::int64_t c) { return std::abs(scale * mass[c] * T[c] - gas_share(theta[c])); });
}

template <Execution E>
void VaryingGas::look(E execution, const Flow& flow, const Array<double>& temperature, run::Notices& notices) {
  const auto largest = [execution](const Array<double>& values) { return largest_magnitude(execution, values.size(), values.data()); };
  if (!said_mach_) {
    double speed = 0;
    for (const Array<double>* u : flow.gas_velocity) speed = std::max(speed, largest(*u));
    const double *T = temperature.data(), hottest = largest(temperature);
    const double coldest = -maximum(execution, temperature.size(), -hottest, [=] CORRAL_BODY(std::int64_t c) { return -T[c]; });
    const double mach = speed / std::sqrt(capacity_ / (capacity_ - laws_.gas_constant) * laws_.gas_constant * coldest);
    if (mach > most_mach) say_mach(mach, notices);
  }
  if (said_pressure_) return;
  const double difference = largest(flow.pressure);
  if (difference > most_pressure_share * pressure_) say_pressure(difference, notices);
}

template <Execution E> void VaryingGas::keep_flux(E execution, const fluid::FaceArrays& F) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double* flux = F[d].data();
    double* mean = mean_flux_[d]->data();
    for_each(execution, F[d].size(), [=] CORRAL_BODY(std::int64_t f) { mean[f] = flux[f]; });
  }
}

} // namespace corral::mppic

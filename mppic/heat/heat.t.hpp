#pragma once

/// The loops of heat.hpp, for either processor.

#include "mppic/heat/heat.hpp"

#include <corral/for_each.hpp>

#include <cmath>

namespace corral::mppic {

namespace heat {

/// What parcels' heat did in a step.
struct ParcelSums {
  double stored = 0, change = 0; ///< [J]

  CORRAL_HOST_DEVICE friend ParcelSums operator+(ParcelSums a, const ParcelSums& b) {
    a.stored += b.stored;
    a.change += b.change;
    return a;
  }
};
struct AddParcelSums {
  CORRAL_HOST_DEVICE ParcelSums operator()(const ParcelSums& a, const ParcelSums& b) const { return a + b; }
};

/// T_p <- T_p + q (T' - T_p).
struct HeatParcel {
  double dt;
  ParcelProperty capacity; ///< [J/(m3 K)]
  const double *rate, *volume, *gas;
  double* temperature;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i, ParcelSums& sums) const {
    const double x = dt * rate[i], before = temperature[i], held = capacity[i] * volume[i];
    const double after = before + x / (1 + x) * (gas[i] - before);
    temperature[i] = after;
    sums.stored += held * after;
    sums.change += held * (after - before);
  }
};

/// 1/t_h = 6 Nu k/(rho_p c_p d^2), from the square of the slip.
template <NusseltLaw law> struct RateOfSlip {
  NusseltModel model;
  double re_over_slip, six_k; ///< rho/mu [s/m2]; 6 k [W/(m K)]
  ParcelProperty capacity;    ///< [J/(m3 K)]
  const double *slip, *eps, *diameter;
  double* rate;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const double d = diameter[i], re = re_over_slip * eps[i] * std::sqrt(slip[i]) * d;
    rate[i] = six_k / (capacity[i] * d * d) * nusselt<law>(model, eps[i], re);
  }
};

/// The same in gas whose density, viscosity and conductivity vary.
template <NusseltLaw law> struct RateInWarmGas {
  RateOfSlip<law> slip;
  GasLaws gas;
  double p0, rho, mu; ///< [Pa]; of the gas that `slip` knows [kg/m3], [Pa s]
  const double* temperature;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const double T = temperature[i], thinner = gas.ideal ? gas.density(p0, T) / rho : 1;
    const double thicker = gas.sutherland ? gas.viscosity(T) / mu : 1;
    RateOfSlip<law> here = slip;
    here.re_over_slip *= thinner / thicker;
    if (gas.conductivity_varies()) here.six_k *= thicker;
    else here.model.prandtl_third *= std::cbrt(thicker);
    here(i);
  }
};

} // namespace heat

template <Execution E>
void Heat::spread(E execution, const CellOrder<double>& order, const Parcels& parcels, const Boxes& boxes, double dt) {
  const std::int64_t n = parcels.size();
  share_column_.resize(n);
  given_column_.resize(n);
  const ParcelProperty capacity = this->capacity(parcels);
  const double *rate = rate_.data(), *volume = parcels.volume.data(), *T = parcels.temperature->data();
  double *share = share_column_.data(), *given = given_column_.data();
  for_each(execution, n, [=] CORRAL_HOST_DEVICE(std::int64_t i) {
    const double x = dt * rate[i];
    share[i] = capacity[i] * volume[i] * (x / (1 + x));
    given[i] = share[i] * T[i];
  });
  boxes.spread(execution, order, parcels.places(), {{share, in_cells_.share.data()}, {given, in_cells_.given.data()}});
}

template <Execution E>
void Heat::exchange(E execution, const MoveModel& model, const MoveColumns& columns, const Parcels& parcels) {
  const heat::HeatParcel parcel{.dt = model.dt,
                                .capacity = capacity(parcels),
                                .rate = rate_.data(),
                                .volume = columns.volume,
                                .gas = gas_at_.data(),
                                .temperature = parcels.temperature->data()};
  const heat::ParcelSums sums =
      accumulate(execution, parcels.size(), heat::ParcelSums{}, parcel, heat::AddParcelSums{});
  books_.solids = sums.stored;
  books_.solids_change = sums.change;
  set_rates(execution, model, columns, parcels);
}

template <Execution E>
void Heat::set_rates(E execution, const MoveModel& model, const MoveColumns& columns, const Parcels& parcels) {
  with_nusselt_law(model_.nusselt.law, [&](auto law) {
    const heat::RateOfSlip<decltype(law)::value> rate{.model = model_.nusselt,
                                                      .re_over_slip = model.drag.rho / model.drag.mu,
                                                      .six_k = 6 * model_.gas_conductivity,
                                                      .capacity = capacity(parcels),
                                                      .slip = columns.slip,
                                                      .eps = columns.eps,
                                                      .diameter = columns.diameter,
                                                      .rate = rate_.data()};
    if (!columns.gas_temperature) return for_each(execution, parcels.size(), rate);
    for_each(execution, parcels.size(),
             heat::RateInWarmGas<decltype(law)::value>{rate, model.gas, model.gas_pressure, model.drag.rho, model.drag.mu,
                                                       columns.gas_temperature});
  });
}

template <Execution E>
double Heat::leaving(E execution, const Parcels& parcels, const Array<std::uint8_t>& gone, int mark) const {
  const ParcelProperty capacity = this->capacity(parcels);
  const double *volume = parcels.volume.data(), *T = parcels.temperature->data();
  const std::uint8_t* marks = gone.data();
  return sum(execution, parcels.size(), [=] CORRAL_HOST_DEVICE(std::int64_t i) {
    return marks[i] == mark ? capacity[i] * volume[i] * T[i] : 0.0;
  });
}

} // namespace corral::mppic

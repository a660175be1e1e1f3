#pragma once

/// The loops of heat.hpp, for either processor.

#include "mppic/heat/heat.hpp"

#include <corral/for_each.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

namespace heat {

/// What parcels' heat did in a step.
struct ParcelSums {
  double stored = 0, change = 0, given_off = 0; ///< [J]

  CORRAL_HOST_DEVICE void operator+=(const ParcelSums& b) {
    stored += b.stored;
    change += b.change;
    given_off += b.given_off;
  }
};

/// m c_p q and m c_p q (T_p + dt s_p/(rho_p c_p)).
template <class Property> struct HeatColumns {
  double dt;
  Property capacity, heating; ///< [J/(m3 K)], [K/s]
  const double *rate, *volume, *temperature;
  double *share, *given; ///< [J/K], [J]

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const double x = dt * rate[i];
    share[i] = capacity[i] * volume[i] * (x / (1 + x));
    given[i] = share[i] * (temperature[i] + dt * heating[i]);
  }
};

/// T_p <- T + q (T' - T) with T = T_p + dt s_p/(rho_p c_p).
template <class Property> struct HeatParcel {
  double dt;
  Property capacity, heating; ///< [J/(m3 K)], [K/s]
  const double *rate, *volume, *gas;
  double* temperature;

  template <std::int64_t rows> struct Terms {
    double stored[rows], change[rows], given_off[rows]; ///< [J]
  };
  template <std::int64_t rows> CORRAL_HOST_DEVICE void add(const Terms<rows>& terms, std::int64_t k, ParcelSums& sums) const {
    sums.stored += terms.stored[k];
    sums.change += terms.change[k];
    sums.given_off += terms.given_off[k];
  }

  template <class Terms> CORRAL_HOST_DEVICE void operator()(std::int64_t i, std::int64_t k, Terms& terms) const {
    const double x = dt * rate[i], before = temperature[i], held = capacity[i] * volume[i];
    const double heated = dt * heating[i], hot = before + heated;
    const double after = hot + x / (1 + x) * (gas[i] - hot);
    temperature[i] = after;
    terms.stored[k] = held * after;
    terms.change[k] = held * (after - before);
    terms.given_off[k] = held * heated;
  }
};

/// 1/t_h = 6 Nu k/(rho_p c_p d^2), from the square of the slip.
template <NusseltLaw law, class Capacity> struct RateOfSlip {
  NusseltModel model;
  double re_over_slip, six_k; ///< rho/mu [s/m2]; 6 k [W/(m K)]
  Capacity capacity;          ///< [J/(m3 K)]
  const double *slip, *eps, *diameter;
  double* rate;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const double d = diameter[i], re = re_over_slip * eps[i] * std::sqrt(slip[i]) * d;
    rate[i] = six_k / (capacity[i] * d * d) * nusselt<law>(model, eps[i], re);
  }
};

/// The same in gas whose density, viscosity and conductivity vary.
template <class Rate> struct RateInWarmGas {
  Rate slip;
  GasLaws gas;
  double p0, rho, mu; ///< [Pa]; of the gas that `slip` knows [kg/m3], [Pa s]
  const double* temperature;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const double T = temperature[i], thinner = gas.ideal ? gas.density(p0, T) / rho : 1;
    const double thicker = gas.sutherland ? gas.viscosity(T) / mu : 1;
    Rate here = slip;
    here.re_over_slip *= thinner / thicker;
    if (gas.conductivity_varies()) here.six_k *= thicker;
    else here.model.prandtl_third *= std::cbrt(thicker);
    here(i);
  }
};

} // namespace heat

template <Execution E>
std::vector<BoxTerm> Heat::terms(E execution, const Parcels& parcels, double dt) {
  const std::int64_t n = parcels.size();
  share_column_.resize(n);
  given_column_.resize(n);
  with_property(capacity(parcels), [&](auto capacity) {
    for_each_in_vectors(execution, n,
                        heat::HeatColumns<decltype(capacity)>{.dt = dt,
                                                              .capacity = capacity,
                                                              .heating = decltype(capacity){heating(parcels)},
                                                              .rate = rate_.data(),
                                                              .volume = parcels.volume.data(),
                                                              .temperature = parcels.temperature->data(),
                                                              .share = share_column_.data(),
                                                              .given = given_column_.data()});
  });
  return {{share_column_.data(), in_cells_.share.data()}, {given_column_.data(), in_cells_.given.data()}};
}

template <Execution E>
void Heat::exchange(E execution, const DragOfParcels& drag, const Motion& motion, const Parcels& parcels) {
  with_property(capacity(parcels), [&](auto capacity) {
    const heat::HeatParcel<decltype(capacity)> parcel{.dt = motion.dt,
                                                      .capacity = capacity,
                                                      .heating = decltype(capacity){heating(parcels)},
                                                      .rate = rate_.data(),
                                                      .volume = motion.parcels.volume,
                                                      .gas = gas_at_.data(),
                                                      .temperature = parcels.temperature->data()};
    const heat::ParcelSums sums = parcels.ranks.total(
        accumulate_in_vectors(execution, parcels.size(), heat::ParcelSums{}, parcel, AddInPlace{}));
    books_.solids = sums.stored;
    books_.solids_change = sums.change;
    books_.solids_source = sums.given_off;
  });
  set_rates(execution, drag, motion, parcels);
}

template <Execution E>
void Heat::set_rates(E execution, const DragOfParcels& drag, const Motion& motion, const Parcels& parcels) {
  const std::optional<WarmGas> warm = warm_gas();
  with_nusselt_law(model_.nusselt.law, [&](auto law) {
    with_property(capacity(parcels), [&](auto capacity) {
      using Rate = heat::RateOfSlip<decltype(law)::value, decltype(capacity)>;
      const Rate rate{.model = model_.nusselt,
                      .re_over_slip = drag.all.rho / drag.all.mu,
                      .six_k = 6 * model_.gas_conductivity,
                      .capacity = capacity,
                      .slip = motion.way.slip,
                      .eps = motion.at.eps,
                      .diameter = motion.parcels.diameter,
                      .rate = rate_.data()};
      if (!warm) return for_each_in_vectors(execution, parcels.size(), rate);
      for_each(execution, parcels.size(),
               heat::RateInWarmGas<Rate>{rate, drag.gas, warm->pressure, drag.all.rho, drag.all.mu, warm->temperature});
    });
  });
}

template <Execution E>
void Heat::start(E execution, const DragOfParcels& drag, const Motion& motion, const Parcels& parcels, const Flow& flow) {
  gas_.start(execution, flow);
  set_rates(execution, drag, motion, parcels);
  gas_before_ = gas_.stored(execution);
  solids_before_ = stored(execution, parcels);
  if (gas_.varying()) gas_.varying()->open_books(gas_.total_mass(execution));
}

template <Execution E> double Heat::stored(E execution, const Parcels& parcels) const {
  const ParcelProperty capacity = this->capacity(parcels);
  const double *volume = parcels.volume.data(), *T = parcels.temperature->data();
  return parcels.ranks.total(sum(execution, parcels.size(),
                                 [=] CORRAL_BODY(std::int64_t i) { return capacity[i] * volume[i] * T[i]; }));
}

template <Execution E>
void Heat::leave(E execution, const Parcels& parcels, const Array<std::uint8_t>& gone, const std::int64_t (&count)[6]) {
  for (std::size_t s = 0; s < 6; ++s)
    if (count[s] > 0) left_[s] = leaving(execution, parcels, gone, static_cast<int>(1 + s));
}

/// Nu k/(6 k_p), where k_p is known.
template <Execution E>
double Heat::largest_biot(E execution, const Motion& motion, const Parcels& parcels) const {
  const ParcelProperty capacity = this->capacity(parcels);
  const double *rate = rate_.data(), *diameter = motion.parcels.diameter, *conductivity = conductivities_.data();
  const std::int32_t* solid = parcels.solid ? parcels.solid->data() : nullptr;
  return parcels.ranks.largest(maximum(execution, parcels.size(), 0, [=] CORRAL_BODY(std::int64_t i) {
    const double k_p = conductivity[solid ? solid[i] : 0];
    return k_p > 0 ? rate[i] * diameter[i] * diameter[i] * capacity[i] / (36 * k_p) : 0;
  }));
}

template <Execution E>
double Heat::largest_reynolds(E execution, const DragOfParcels& drag, const Motion& motion) const {
  const double re_over_slip = drag.all.rho / drag.all.mu;
  const double *eps = motion.at.eps, *slip = motion.way.slip, *diameter = motion.parcels.diameter;
  return maximum(execution, motion.parcels.count, 0, [=] CORRAL_BODY(std::int64_t i) {
    return re_over_slip * eps[i] * std::sqrt(slip[i]) * diameter[i];
  });
}

/// Where sources take up heat, it may come to an end.
template <Execution E> void Heat::check_coldest(E execution, const Parcels& parcels) const {
  const auto coldest = [&](const Array<double>& temperature) {
    const double* T = temperature.data();
    return -maximum(execution, temperature.size(), -1e300, [=] CORRAL_BODY(std::int64_t i) { return -T[i]; });
  };
  const double least = std::min(coldest(gas_.temperature()), -parcels.ranks.largest(-coldest(*parcels.temperature)));
  if (!(least > 0)) refuse_cold(least);
}

template <Execution E>
void Heat::look(E execution, const DragOfParcels& drag, const Motion& motion, const Parcels& parcels, const Flow& flow) {
  if (model_.takes_up()) check_coldest(execution, parcels);
  if (!said_biot_)
    if (const double biot = largest_biot(execution, motion, parcels); biot > most_biot) say_biot(biot);
  if (gas_.varying() && gas_.varying()->ideal())
    gas_.varying()->look(execution, flow, gas_.temperature(), notices_);
  if (said_range_ || !model_.nusselt.has_range()) return;
  const double re = parcels.ranks.largest(largest_reynolds(execution, drag, motion));
  const double* eps = motion.at.eps;
  const double dense = parcels.ranks.total(sum(execution, parcels.size(), [=] CORRAL_BODY(std::int64_t i) {
    return eps[i] < NusseltModel::least_eps ? 1.0 : 0.0;
  }));
  const auto n = static_cast<double>(parcels.total());
  constexpr double many = 0.01; // of the parcels
  if (re <= NusseltModel::most_re && dense <= many * n) return;
  say_range(re, dense / n);
}

template <Execution E>
double Heat::leaving(E execution, const Parcels& parcels, const Array<std::uint8_t>& gone, int mark) const {
  const ParcelProperty capacity = this->capacity(parcels);
  const double *volume = parcels.volume.data(), *T = parcels.temperature->data();
  const std::uint8_t* marks = gone.data();
  return parcels.ranks.total(sum(execution, parcels.size(), [=] CORRAL_BODY(std::int64_t i) {
    return marks[i] == mark ? capacity[i] * volume[i] * T[i] : 0.0;
  }));
}

} // namespace corral::mppic

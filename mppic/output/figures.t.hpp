#pragma once

/// What figures.hpp and logs.hpp ask of a step, for either processor.

#include "mppic/heat/gas_heat.t.hpp"
#include "mppic/heat/heat.t.hpp"
#include "mppic/heat/varying_gas.t.hpp"
#include "mppic/output/audit.t.hpp"
#include "mppic/output/figures.hpp"
#include "mppic/output/measures.t.hpp"
#include "mppic/parcels/solid_books.t.hpp"

#include <corral/for_each.hpp>
#include <corral/together.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace corral::mppic {

inline constexpr double theta_bin = 0.0005;
inline constexpr std::int64_t theta_bins = 4096;

template <Execution E> void HeatLog::add(const Step<E>& step) {
  const Heat& heat = *step.heat();
  add(heat.books());
  if (!setup_.gas.laws.ideal) return;
  const GasHeat& gas = heat.gas();
  add(*gas.varying(), gas.varying()->volume_drift(step.execution(), gas.mass(), gas.temperature(), step.flow()));
}

/// Numbers of the extremes of a value.
struct ExtremesOf {
  std::int64_t n; ///< of all ranks
  int most, least;
  template <class Values> Extremes operator()(const Values& values) const {
    if (n == 0) return {};
    return {-values[least], values[most]};
  }
};
template <class Sums> ExtremesOf add_extremes(Sums& sums, const Array<double>& values, std::int64_t n) {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  const double* v = values.data();
  const int most = sums.maximum(values.size(), lowest, [=] CORRAL_BODY(std::int64_t i) { return v[i]; });
  const int least = sums.maximum(values.size(), lowest, [=] CORRAL_BODY(std::int64_t i) { return -v[i]; });
  return {n, most, least};
}

template <Execution E> HeatOfMoment heat_of_moment(const Step<E>& step) {
  const Heat& heat = *step.heat();
  const Parcels& parcels = step.parcels();
  Together<E> all(step.execution());
  const int mass = add_total(all, heat.gas().mass().size(), heat.gas().mass().data());
  const ParcelProperty capacity = heat.capacity(parcels);
  const double* volume = parcels.volume.data();
  const int held = all.sum(parcels.size(), [=] CORRAL_BODY(std::int64_t i) { return capacity[i] * volume[i]; });
  const ExtremesOf gas = add_extremes(all, heat.gas().temperature(), heat.gas().temperature().size()), solids = add_extremes(all, *parcels.temperature, parcels.total());
  const auto found = parcels.ranks.totals(all.values(), {held}, {solids.most, solids.least});
  return {.in_gas = heat.gas().stored(step.execution()),
          .in_solids = heat.stored(step.execution(), parcels),
          .gas_mass = found[mass],
          .solids_held = found[held],
          .gas = gas(found),
          .solids = solids(found)};
}

template <Execution E> std::vector<double> HeatLog::row(const Step<E>& step) {
  return row(heat_of_moment(step), step.heat()->gas().varying());
}

template <Execution E> std::vector<double> AuditLog::row(const Step<E>& step) {
  return row(steps_ == 0 ? step.start_books() : books_);
}

template <Execution E> void Figures::add(const Step<E>& step, const Fastest& gas, const Fastest& parcel, double dt) {
  if (setup_.heat.on()) heat_.add(step);
  if (setup_.audit) audit_.add(step.audit().books());
  count_dense_cells(step);
  interval_.gas_speed = std::max(interval_.gas_speed, gas.speed);
  interval_.gas_courant = std::max(interval_.gas_courant, dt * gas.rate);
  interval_.parcel_courant = std::max(interval_.parcel_courant, dt * parcel.rate);
  add(step.report(), measures_.of_step(step), dt);
}

template <Execution E> std::vector<double> Figures::row(Step<E>& step) {
  std::vector<double> row = this->row(step.report(), step.books(), step.parcels().total(), measures_.of_bed(step));
  const auto append = [&](const std::vector<double>& more) { row.insert(row.end(), more.begin(), more.end()); };
  append(outflow_.row());
  append(step.solid_books().row(step.execution(), step.parcels()));
  if (setup_.heat.on()) append(heat_.row(step));
  if (setup_.gas.carries_conservatively()) append(gas_.row());
  if (setup_.audit) append(audit_.row(step));
  interval_ = {};
  dense_cells_.zero();
  return row;
}

template <Execution E> void Figures::count_dense_cells(const Step<E>& step) {
  const fluid::OwnRange own = step.state().own(Staggering::centre);
  const double least = 0.5 * setup_.solids.stress.theta_cp, *theta = step.flow().solids_fraction.data() + own.first;
  const bool apart = step.state().scratch.own_sums; // each rank counts its own
  Array<std::uint64_t> counted(apart ? theta_bins : 0, 0);
  add_histogram(step.execution(), own.count, apart ? counted : dense_cells_, [=] CORRAL_BODY(std::int64_t c) {
    return theta[c] >= least ? static_cast<int>(std::min(theta[c] / theta_bin, static_cast<double>(theta_bins - 1))) : -1;
  });
  if (!apart) return;
  step.parcels().ranks.add(counted.span());
  for (std::int64_t b = 0; b < theta_bins; ++b) dense_cells_[b] += counted[b];
}

} // namespace corral::mppic

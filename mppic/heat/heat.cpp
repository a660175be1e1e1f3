#include "mppic/heat/heat.t.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::mppic {

using run::formatted;

namespace {

/// s_p/(rho_p c_s) of each solid [K/s].
std::vector<double> heating_of(const HeatModel& model) {
  std::vector<double> heating = model.sources;
  for (std::size_t i = 0; i < heating.size(); ++i) heating[i] /= model.capacities[i];
  return heating;
}

} // namespace

Heat::Heat(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, const Parcels& parcels,
           Memory memory)
    : model_(setup.heat), capacities_(setup.heat.capacities, memory), heating_(heating_of(setup.heat), memory),
      conductivities_(setup.heat.conductivities, memory), gas_(domain, setup, registry, memory),
      rate_(parcels.set.declare_column("heat_rate", "1/s", "at which the parcel takes on the temperature of the gas",
                                       run::Use::saved | run::Use::shown)),
      in_cells_{Array<double>(domain.grid().cells(), 0.0, memory), Array<double>(domain.grid().cells(), 0.0, memory)},
      share_column_(memory), given_column_(memory), gas_at_(memory) {
  registry.bind("heat_of_gas", "J", "in the box at the end of the last step", gas_before_);
  registry.bind("heat_of_solids", "J", "in the box at the end of the last step", solids_before_);
  said_biot_.bind_state(registry, "said_biot", "that particles are not of one temperature inside");
  said_range_.bind_state(registry, "said_heat_range", "that a heat transfer law is used outside its range");
}

void Heat::begin(const std::array<double, 6>& entered) {
  books_ = {};
  books_.carried_by_solids = entered;
  left_ = {};
}

void Heat::close() {
  for (std::size_t s = 0; s < 6; ++s) {
    books_.solids -= left_[s];
    books_.carried_by_solids[s] -= left_[s];
  }
  books_.close(gas_before_, solids_before_);
  constexpr double most = 1e-9, most_of_store = 1e-10;
  if (!(books_.residual <= most && books_.store_residual <= most_of_store))
    throw Error(formatted("the books of heat do not balance (of %.6g J that gas, parcels and sides exchanged in the step a "
                          "share of %.3g is missing, of %.6g J in the box %.3g) this is an error of the program",
                          books_.exchanged, books_.residual, books_.gas + books_.solids, books_.store_residual));
  if (gas_.varying() && gas_.varying()->ideal()) gas_.varying()->close_books();
  gas_before_ = books_.gas;
  solids_before_ = books_.solids;
}

ParcelProperty Heat::capacity(const Parcels& parcels) const {
  return parcels.solid ? ParcelProperty{0, parcels.solid->data(), capacities_.data()}
                       : ParcelProperty{model_.capacities.front()};
}

ParcelProperty Heat::heating(const Parcels& parcels) const {
  return parcels.solid ? ParcelProperty{0, parcels.solid->data(), heating_.data()}
                       : ParcelProperty{model_.sources.front() / model_.capacities.front()};
}

void Heat::refuse_cold(double temperature) {
  throw Error(formatted("something has cooled to %.3g K (a heat_source below 0 takes up more than comes in) make it weaker, or end "
                        "the run earlier", temperature));
}

void Heat::say_biot(double biot) {
  notices_.warn(said_biot_, formatted("particles exchange heat at a Biot number of %.2g, beyond %g: their inside is not of one "
                                     "temperature, as the model has it",
                                     biot, most_biot));
}

void Heat::say_range(double reynolds, double dense) {
  notices_.warn(said_range_,
               reynolds > NusseltModel::most_re
                   ? formatted("particles exchange heat at Reynolds numbers up to %.2g, and Gunn's law ends at %g", reynolds,
                               NusseltModel::most_re)
                   : formatted("%.2g %% of the parcels lie at gas fractions below %g, where Gunn's law ends; the value there is "
                               "taken",
                               100 * dense, NusseltModel::least_eps));
}

template std::vector<BoxTerm> Heat::terms(Cpu, const Parcels&, double);
template void Heat::exchange(Cpu, const DragOfParcels&, const Motion&, const Parcels&);
template void Heat::leave(Cpu, const Parcels&, const Array<std::uint8_t>&, const std::int64_t (&)[6]);
template void Heat::look(Cpu, const DragOfParcels&, const Motion&, const Parcels&, const Flow&);
template void Heat::start(Cpu, const DragOfParcels&, const Motion&, const Parcels&, const Flow&);
template double Heat::stored(Cpu, const Parcels&) const;

} // namespace corral::mppic

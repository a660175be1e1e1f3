#include "mppic/output/logs.hpp"

#include <algorithm>
#include <string>

namespace corral::mppic {

HeatLog::HeatLog(const Setup& setup, const fluid::Domain& domain) : setup_(setup) {
  for (int s = 0; s < 6; ++s) {
    const bool outlet = domain.side_kind(s) == fluid::SideKind::outlet;
    const auto on_side = [&](const fluid::Inlet& inlet) { return inlet.side == s; };
    const bool inlet = std::any_of(setup.inlets.begin(), setup.inlets.end(), on_side);
    const bool solids = std::any_of(setup.solids_inlets.begin(), setup.solids_inlets.end(),
                                    [&](const SolidsInlet& i) { return on_side(i.inlet); });
    const bool wall = setup.heat.sides[s].kind != HeatSide::Kind::adiabatic;
    if (outlet || inlet || wall) sides_.push_back({s, outlet || inlet, outlet || solids, wall});
  }
}

std::vector<run::LogColumn> HeatLog::columns() const {
  std::vector<run::LogColumn> columns{
      {"gas_temperature", "K", "of the gas, mean by mass"},
      {"gas_temperature_min", "K", "of the coldest cell"},
      {"gas_temperature_max", "K", "of the hottest cell"},
      {"solids_temperature", "K", "of the parcels, mean by mass"},
      {"solids_temperature_min", "K", "of the coldest parcel"},
      {"solids_temperature_max", "K", "of the hottest parcel"},
      {"gas_heat", "J", "of the gas in the box, c T of its mass"},
      {"solids_heat", "J", "of the parcels in the box, c T of their mass"},
      {"heat_to_solids", "J", "that the gas gave to the parcels since the last row"}};
  if (setup_.heat.has_source()) {
    columns.push_back({"heat_source_gas", "J", "that the gas gave off since the last row"});
    columns.push_back({"heat_source_solids", "J", "that the parcels gave off since the last row"});
  }
  for (const Side& s : sides_) {
    const std::string name(fluid::side_names[s.side]);
    if (s.gas) columns.push_back({"heat_gas_" + name, "J", "that gas carried in through " + name + " since the last row"});
    if (s.solids)
      columns.push_back({"heat_solids_" + name, "J", "that solids carried in through " + name + " since the last row"});
    if (s.wall) columns.push_back({"heat_wall_" + name, "J", "that the wall " + name + " gave to the gas since the last row"});
  }
  columns.push_back({"heat_residual", "", "heat that no term explains, over what was exchanged in the step; largest since "
                                          "the last row"});
  columns.push_back({"heat_drift", "", "difference of the heat in the box from what the books say, over it; largest since "
                                       "the last row"});
  if (!setup_.gas.laws.ideal) return columns;
  columns.push_back({"absolute_pressure", "Pa", "of the box, which the gas's density follows"});
  columns.push_back({"gas_mass", "kg", "of the gas in the box"});
  columns.push_back({"heat_by_pressure", "J", "that its rising pressure gave the gas since the last row"});
  columns.push_back({"gas_mass_residual", "", "mass that sides do not explain, over it; largest since the last row"});
  columns.push_back({"gas_volume_drift", "", "largest difference of the share of a cell that its gas takes, by mass, temperature and "
                                             "pressure, from what parcels leave it, since the last row"});
  return columns;
}

void HeatLog::bind_state(run::Registry& registry) {
  const auto bind = [&](const std::string& name, const char* unit, double& value) {
    registry.bind("row_heat_" + name, unit, "for the next row of log.csv, of the steps since the last one", value);
  };
  bind("to_solids", "J", books_.to_solids);
  if (setup_.heat.has_source()) {
    bind("source_gas", "J", books_.gas_source);
    bind("source_solids", "J", books_.solids_source);
  }
  bind("residual", "", books_.residual);
  bind("drift", "", books_.store_residual);
  if (setup_.gas.laws.ideal) {
    bind("by_pressure", "J", by_pressure_);
    bind("mass_residual", "", mass_residual_);
    bind("volume_drift", "", volume_drift_);
  }
  for (const Side& s : sides_) {
    const auto i = static_cast<std::size_t>(s.side);
    const std::string name(fluid::side_names[i]);
    bind("gas_" + name, "J", books_.carried_by_gas[i]);
    bind("solids_" + name, "J", books_.carried_by_solids[i]);
    bind("wall_" + name, "J", books_.through_wall[i]);
  }
}

void HeatLog::add(const HeatBooks& step) {
  books_.to_solids += step.to_solids;
  books_.gas_source += step.gas_source;
  books_.solids_source += step.solids_source;
  for (std::size_t s = 0; s < 6; ++s) {
    books_.carried_by_gas[s] += step.carried_by_gas[s];
    books_.carried_by_solids[s] += step.carried_by_solids[s];
    books_.through_wall[s] += step.through_wall[s];
  }
  books_.residual = std::max(books_.residual, step.residual);
  books_.store_residual = std::max(books_.store_residual, step.store_residual);
  by_pressure_ += step.by_pressure;
}

void HeatLog::add(const VaryingGas& gas, double volume_drift) {
  mass_residual_ = std::max(mass_residual_, gas.books().residual);
  volume_drift_ = std::max(volume_drift_, volume_drift);
}

std::vector<double> HeatLog::row(const HeatOfMoment& m, const VaryingGas* varying) {
  const double gas_held = setup_.heat.gas_capacity * m.gas_mass * setup_.make_grid().cell_volume();
  std::vector<double> row{m.in_gas / gas_held, m.gas.least, m.gas.most, m.solids_held > 0 ? m.in_solids / m.solids_held : 0,
                          m.solids.least, m.solids.most, m.in_gas, m.in_solids, books_.to_solids};
  if (setup_.heat.has_source()) row.insert(row.end(), {books_.gas_source, books_.solids_source});
  for (const Side& s : sides_) {
    const auto i = static_cast<std::size_t>(s.side);
    if (s.gas) row.push_back(books_.carried_by_gas[i]);
    if (s.solids) row.push_back(books_.carried_by_solids[i]);
    if (s.wall) row.push_back(books_.through_wall[i]);
  }
  row.push_back(books_.residual);
  row.push_back(books_.store_residual);
  if (setup_.gas.laws.ideal)
    row.insert(row.end(), {varying->pressure(), m.gas_mass * setup_.make_grid().cell_volume(), by_pressure_, mass_residual_,
                           volume_drift_});
  books_ = {};
  by_pressure_ = mass_residual_ = volume_drift_ = 0;
  return row;
}

} // namespace corral::mppic

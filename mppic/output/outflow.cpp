#include "mppic/output/logs.hpp"

#include <array>
#include <string>
#include <utility>

namespace corral::mppic {

Outflow::Outflow(const fluid::Domain& domain, const Setup& setup) : rho_(setup.gas.laws.vary() ? 1 : setup.gas.rho) {
  for (int s = 0; s < 6; ++s)
    if (domain.side_kind(s) == fluid::SideKind::outlet) sides_.push_back({s});
}

std::vector<run::LogColumn> Outflow::columns() const {
  std::vector<run::LogColumn> columns;
  for (const Side& s : sides_) {
    const std::string name(fluid::side_names[s.side]);
    columns.push_back({"gas_out_" + name, "kg/s", "gas that leaves through " + name + "; mean since the last row"});
    columns.push_back({"solids_out_" + name, "kg/s", "solids that leave through " + name + "; mean since the last row"});
  }
  return columns;
}

void Outflow::bind_state(run::Registry& registry) {
  registry.bind("row_outflow_time", "s", "since the last row of log.csv", time_);
  for (Side& s : sides_) {
    const std::string name(fluid::side_names[s.side]);
    registry.bind("row_gas_out_" + name, "kg", "of gas that left since the last row of log.csv", s.gas);
    registry.bind("row_solids_out_" + name, "kg", "of solids that left since the last row of log.csv", s.solids);
  }
}

void Outflow::add(const std::array<double, 6>& gas, const std::array<double, 6>& solids, double dt) {
  time_ += dt;
  for (Side& s : sides_) {
    s.gas += dt * rho_ * gas[s.side];
    s.solids += solids[s.side];
  }
}

std::vector<double> Outflow::row() {
  std::vector<double> row;
  for (Side& s : sides_) {
    row.push_back(time_ > 0 ? s.gas / time_ : 0);
    row.push_back(time_ > 0 ? s.solids / time_ : 0);
    s.gas = s.solids = 0;
  }
  time_ = 0;
  return row;
}

} // namespace corral::mppic

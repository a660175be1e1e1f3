#include "mppic/output/logs.hpp"

#include <array>
#include <string>
#include <utility>

namespace corral::mppic {

using fluid::FaceKind;

Outflow::Outflow(const fluid::Domain& domain, const Setup& setup)
    : grid_(domain.grid()), rho_(setup.gas.laws.vary() ? 1 : setup.gas.rho) {
  for (int s = 0; s < 6; ++s) {
    if (domain.side_kind(s) != fluid::SideKind::outlet) continue;
    Side side{s, {}};
    const int d = s / 2;
    const std::array<std::int64_t, 3> n{grid_.points(face(d), 0), grid_.points(face(d), 1), grid_.points(face(d), 2)};
    std::array<std::int64_t, 3> begin{}, end = n;
    begin[d] = s % 2 == 0 ? 0 : n[d] - 1;
    end[d] = begin[d] + 1;
    for (std::int64_t k = begin[2]; k < end[2]; ++k)
      for (std::int64_t j = begin[1]; j < end[1]; ++j)
        for (std::int64_t i = begin[0]; i < end[0]; ++i)
          if (const std::int64_t f = i + n[0] * (j + n[1] * k); domain.kind(d, f) == FaceKind::outlet)
            side.faces.push_back(f);
    sides_.push_back(std::move(side));
  }
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

double Outflow::gas_flux(const Side& side, const Step<Cpu>& step) const {
  const int d = side.side / 2;
  double flux = 0;
  const VaryingGas* varying = step.heat() ? step.heat()->gas().varying() : nullptr;
  const double* mass_flux = varying ? varying->mass_flux()[d]->data() : nullptr;
  for (const std::int64_t f : side.faces) flux += mass_flux ? mass_flux[f] : step.gas().flux(d, f, step.flow());
  const double area = grid_.cell_volume() / grid_.axis(d).spacing;
  return (side.side % 2 == 0 ? -area : area) * flux;
}

void Outflow::add(const Step<Cpu>& step, double dt) {
  time_ += dt;
  for (Side& s : sides_) {
    s.gas += dt * rho_ * gas_flux(s, step);
    s.solids += step.report().left_mass[s.side];
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

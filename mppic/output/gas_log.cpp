#include "mppic/output/gas_log.hpp"

#include <algorithm>

namespace corral::mppic {

std::vector<run::LogColumn> GasLog::columns() {
  return {
      {"gas_momentum", "N s", "vertical, of the gas inside"},
      {"gas_from_parcels", "N s", "vertical momentum given to the gas since the last row, as the three that follow: by drag, "
                                  "with the pressure that parcels hand on"},
      {"gas_through_sides", "N s", "by gas that came in, less what left"},
      {"gas_from_walls", "N s", "by what holds the gas at walls and inlets"},
      {"gas_drift", "N s", "by mass that the gas's fluxes did not foresee"},
      {"gas_fraction_drift", "", "largest change of a face's gas fraction in a step that they did not, since the last row"},
      {"gas_books", "", "momentum of a step that nothing explains, over what was exchanged and is carried; largest since "
                        "the last row"},
  };
}

void GasLog::bind_state(run::Registry& registry) {
  const auto bind = [&](const char* name, const char* unit, double& value) {
    registry.bind(std::string("row_gas_") + name, unit, "books of the gas for the next row of log.csv", value);
  };
  bind("momentum", "N s", momentum_);
  bind("drift", "N s", drift_);
  bind("parcels", "N s", parcels_);
  bind("sides", "N s", sides_);
  bind("walls", "N s", walls_);
  bind("fraction", "", largest_drift_);
  bind("residual", "", residual_);
}

void GasLog::add(const GasBooks& step) {
  momentum_ = step.after[2];
  drift_ += step.drift[2];
  parcels_ += step.parcels[2];
  sides_ += step.sides[2];
  walls_ += step.walls[2];
  largest_drift_ = std::max(largest_drift_, step.largest_drift);
  residual_ = std::max(residual_, step.residual);
}

std::vector<double> GasLog::row() {
  const std::vector<double> row{momentum_, parcels_, sides_, walls_, drift_, largest_drift_, residual_};
  const double momentum = momentum_;
  *this = {};
  momentum_ = momentum;
  return row;
}

} // namespace corral::mppic

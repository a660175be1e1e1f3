#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/step.hpp"
#include "run/driver.hpp"

#include <cstdint>
#include <vector>

namespace corral::mppic {

/// Mass that crosses the outlets, per side of the box: the columns gas_out_SIDE and solids_out_SIDE of log.csv.
class Outflow {
public:
  explicit Outflow(const fluid::Domain& domain, const Setup& setup);

  /// Two columns per side with an outlet: mean mass flows since the last row [kg/s], negative where it comes in.
  std::vector<run::LogColumn> columns() const;
  void bind_state(run::Registry& registry);
  void add(const Step<Cpu>& step, double dt);
  /// Ends the interval.
  std::vector<double> row();

private:
  struct Side {
    int side;
    std::vector<std::int64_t> faces; ///< that are open
    double gas = 0, solids = 0;      ///< since the last row [kg]
  };

  double gas_flux(const Side& side, const Step<Cpu>& step) const; ///< out of the box [m3/s]; [kg/s] where its density varies

  const Grid& grid_;
  double rho_; ///< of the gas [kg/m3]; 1 where it varies
  std::vector<Side> sides_;
  double time_ = 0; ///< since the last row [s]
};

} // namespace corral::mppic

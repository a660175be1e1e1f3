#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/gas/conservative.hpp"
#include "mppic/heat/gas_heat.hpp"
#include "mppic/output/audit.hpp"
#include "mppic/step.hpp"
#include "run/driver.hpp"

#include <cstdint>
#include <vector>

namespace corral::mppic {

/// The columns of log.csv that `output.audit` adds: sums of the steps' books, of rise and residuals the largest.
class AuditLog {
public:
  explicit AuditLog(const CollisionModel& collisions) : collisions_(collisions) {}

  std::vector<run::LogColumn> columns() const;
  void bind_state(run::Registry& registry);
  void add(const StepBooks& step);
  /// Ends the interval; before the first step energies alone.
  std::vector<double> row(const Step<Cpu>& step);

private:
  CollisionModel collisions_;
  double steps_ = 0; ///< since the last row
  StepBooks books_;
};

/// The columns of log.csv that `gas.momentum = conservative` adds.
class GasLog {
public:
  static std::vector<run::LogColumn> columns();
  void bind_state(run::Registry& registry);
  void add(const GasBooks& step);
  /// Ends the interval.
  std::vector<double> row();

private:
  double momentum_ = 0;                                    ///< of the moment [N s]
  double drift_ = 0, parcels_ = 0, sides_ = 0, walls_ = 0; ///< since the last row [N s]
  double largest_drift_ = 0, residual_ = 0;
};

/// The columns of log.csv that heat adds: temperatures and heat of the moment, and the books since the last row.
class HeatLog {
public:
  HeatLog(const Setup& setup, const fluid::Domain& domain);

  std::vector<run::LogColumn> columns() const;
  void bind_state(run::Registry& registry);
  void add(const Step<Cpu>& step);
  /// Ends the interval.
  std::vector<double> row(const Step<Cpu>& step);

private:
  /// A side of the box that heat may cross, and by what.
  struct Side {
    int side;
    bool gas, solids, wall;
  };

  const Setup& setup_;
  std::vector<Side> sides_;
  double by_pressure_ = 0, mass_residual_ = 0, volume_drift_ = 0; ///< of an ideal gas, likewise
  HeatBooks books_; ///< sums over the steps since the last row, of residuals the largest
};

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

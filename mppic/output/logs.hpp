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
  template <Execution E> std::vector<double> row(const Step<E>& step);

private:
  std::vector<double> row(const StepBooks& books);

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

/// Of single values.
struct Extremes {
  double least = 0, most = 0;
};

/// What is warm at a moment.
struct HeatOfMoment {
  double in_gas = 0, in_solids = 0; ///< heat [J]
  double gas_mass = 0;              ///< over a cell's volume [kg/m3]
  double solids_held = 0;           ///< heat that a kelvin is of the parcels [J/K]
  Extremes gas, solids;             ///< of temperatures [K]; 0 of none
};

/// The columns of log.csv that heat adds: temperatures and heat of the moment, and the books since the last row.
class HeatLog {
public:
  HeatLog(const Setup& setup, const fluid::Domain& domain);

  std::vector<run::LogColumn> columns() const;
  void bind_state(run::Registry& registry);
  template <Execution E> void add(const Step<E>& step);
  /// Ends the interval.
  template <Execution E> std::vector<double> row(const Step<E>& step);

private:
  void add(const HeatBooks& step);
  void add(const VaryingGas& gas, double volume_drift);
  std::vector<double> row(const HeatOfMoment& moment, const VaryingGas* varying);

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
  /// `gas`: that flowed out through each side in a step of dt [m3/s], [kg/s] where its density varies; `solids` [kg].
  void add(const std::array<double, 6>& gas, const std::array<double, 6>& solids, double dt);
  /// Ends the interval.
  std::vector<double> row();

private:
  struct Side {
    int side;
    double gas = 0, solids = 0; ///< since the last row [kg]
  };

  double rho_; ///< of the gas [kg/m3]; 1 where it varies
  std::vector<Side> sides_;
  double time_ = 0; ///< since the last row [s]
};

} // namespace corral::mppic

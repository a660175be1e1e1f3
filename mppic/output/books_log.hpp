#pragma once

#include "mppic/gas/conservative.hpp"
#include "mppic/output/audit.hpp"
#include "mppic/step.hpp"
#include "run/driver.hpp"

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

} // namespace corral::mppic

#pragma once

#include "mppic/output/audit.hpp"
#include "mppic/step.hpp"
#include "run/driver.hpp"

#include <vector>

namespace corral::mppic {

/// The columns of log.csv that `output.audit` adds: sums of the steps' books, of rise and residuals the largest.
class AuditLog {
public:
  static std::vector<run::LogColumn> columns();
  void add(const StepBooks& step);
  /// Ends the interval; before the first step energies alone.
  std::vector<double> row(const Step& step);

private:
  bool empty_ = true;
  StepBooks books_;
};

} // namespace corral::mppic

#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/heat/books.hpp"
#include "mppic/step.hpp"
#include "run/driver.hpp"

#include <vector>

namespace corral::mppic {

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

} // namespace corral::mppic

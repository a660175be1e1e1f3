#pragma once

#include "mppic/gas/conservative.hpp"
#include "run/driver.hpp"

#include <vector>

namespace corral::mppic {

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

#pragma once

#include "bench/scene/workload.hpp"

#include <functional>
#include <vector>

namespace corral::bench {

/// Something that is timed again and again. The function does it once and returns the seconds it took.
struct Timed {
  std::function<double()> once;
  std::vector<double> seconds{}; ///< of each time that counts
  /// Does it so many times in a row and returns the seconds that each took on average. Null: brief ones are timed one
  /// by one.
  std::function<double(int)> in_a_row{};
  double lengthy = 2; ///< [s] from here on it is done in the first round alone
};

/// Times all of them in turn, so that whatever else the machine does meets each of them alike: a round to warm up,
/// then `repeats` rounds. A round does what is over within a hundredth of a second several times. What is lengthy is
/// done in the first round alone, and that counts.
void time_in_turn(std::vector<Timed>& all, int repeats);

/// Median; the mean of the middle two of an even number. At least one value.
double median(std::vector<double> values);

/// Checks each call of the workload against the plain loop, then times them all with the references in turn: a row
/// for each call. Throws Error where a result is wrong, the kernel is unknown, or a call cannot be done.
std::vector<Row> measure(const Workload& work);

} // namespace corral::bench

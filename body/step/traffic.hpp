#pragma once

#include <string_view>

namespace corral::body {

/// How much there is for a step to go through.
struct StepSizes {
  double cells = 0, points = 0;
  double populations = 0; ///< of a lattice fluid [bytes]; 0 of others
};

/// What a phase on a device must read and write at the least each time that it is called [bytes], as docs/gpu_runs.md counts it.
/// 0: nobody counted.
inline double least_bytes(std::string_view phase, const StepSizes& of) {
  if (of.populations == 0) return 0;
  if (phase == "sort") return 136 * of.points;
  if (phase == "volumes") return 400 * of.points;
  if (phase == "spread") return 40 * of.cells + 60 * of.points; // three times a step of one pass
  if (phase == "look") return of.populations + 96 * of.cells + 60 * of.points;
  if (phase == "fluid") return 2 * of.populations + 24 * of.cells;
  return 0;
}

} // namespace corral::body

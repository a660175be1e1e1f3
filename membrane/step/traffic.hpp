#pragma once

#include <string_view>

namespace corral::membrane {

/// How much there is for a step to go through.
struct StepSizes {
  double cells = 0, markers = 0;
  double of_triangles = 0; ///< markers of surfaces of these
  double populations = 0; ///< of a lattice fluid [bytes]; 0 of others
  double solves = 0;      ///< of the equations of an incompressible one
};

/// What a phase must read and write at the least each time that it is called [bytes], as docs/gpu_runs.md counts it. 0: nobody
/// counted, as of what radial surfaces do.
inline double least_bytes(std::string_view phase, const StepSizes& of) {
  const bool lattice = of.populations > 0;
  if (phase == "sort" || phase == "move") return 45 * of.markers; // twice a step, as is the next
  if (phase == "interpolate") return 183 * of.markers + (lattice ? 0.5 * (of.populations + 48 * of.cells) : 24 * of.cells);
  if (phase == "forces" || phase == "measure") return 457 * of.of_triangles;
  if (phase == "spread") return 57 * of.cells;
  if (phase == "fluid") return lattice ? 2 * of.populations + 48 * of.cells : 512 * of.solves * of.cells + 24 * of.cells; // the fastest
  if (phase == "books") return (lattice ? 143 : 72) * of.cells;
  return 0;
}

} // namespace corral::membrane

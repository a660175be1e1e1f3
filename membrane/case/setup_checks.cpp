#include "membrane/case/setup_checks.hpp"

#include "fluid/spectral/lengths.hpp"
#include "membrane/case/memory.hpp"
#include "membrane/placing/placing.hpp"
#include "membrane/placing/shapes.hpp"
#include "membrane/stable_step.hpp"
#include "run/case/values.hpp"
#include "run/memory_limit.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <string>

namespace corral::membrane {

namespace {

using run::brief;

class WholeCase {
public:
  WholeCase(MembraneSetup& setup, const run::Settings& settings, run::Problems& problems)
      : setup_(setup), s_(settings), problems_(problems) {}

  void check() { lengths() && memory() && step() && places() && inside(); }

private:
  /// False, so that nothing is looked at beyond the first problem: it often causes others.
  bool complain(const std::string& block, const char* key, std::string message) {
    problems_.add(s_.where(block, key), std::move(message));
    return false;
  }

  bool lengths() {
    for (std::size_t d = 0; d < 3; ++d) {
      if (d == 1 && setup_.walls()) continue;
      try {
        fluid::spectral::require_length(setup_.cells[d]);
      } catch (const Error& e) {
        return complain("grid", "cells", std::string(e.what()) + " along " + "xyz"[d]);
      }
    }
    return true;
  }

  bool memory() {
    const double needed = bytes_needed(setup_);
    const run::MemoryLimit limit = run::memory_limit();
    if (needed <= limit.bytes) return true;
    double cells = 1;
    for (const std::int64_t n : setup_.cells) cells *= static_cast<double>(n);
    return complain("grid", "cells", brief(cells) + " cells and " + brief(membranes_needed(setup_)) + " membranes of " +
                                         brief(markers_needed(setup_)) + " markers need about " + brief(needed / 1e9) +
                                         " GB (" + limit.cause + " " + brief(limit.bytes / 1e9) +
                                         " GB) take fewer cells, membranes or vertices");
  }

  bool step() {
    if (setup_.time.adaptive) return true;
    const StableStep stable = StepBounds(setup_).at_start();
    if (setup_.time.dt <= stable.dt) return true;
    return complain("time", "dt", "time.dt is " + brief(setup_.time.dt) + " s, and a step is stable up to " +
                                      brief(stable.dt) + " s (" + stable.cause +
                                      ") take that, a coarser grid, or time.step = adaptive");
  }

  bool places() {
    try {
      setup_.places = place(setup_);
      return true;
    } catch (const NoRoom& e) {
      return complain("membranes." + e.group, "arrangement", e.what());
    }
  }

  /// Between walls no membrane may begin beyond one of them.
  bool inside() {
    if (!setup_.walls()) return true;
    std::vector<MembraneShape> shapes;
    for (const SurfaceModel& kind : setup_.surfaces) shapes.push_back(make_shape(kind, coarse_markers));
    for (std::size_t g = 0; g < setup_.groups.size(); ++g)
      for (const geometry::Placement& at : setup_.places[g]) {
        double low = at.position[1], high = low;
        for (const geometry::Vector& x : shapes[setup_.groups[g].surface].start) {
          const double y = at(x)[1];
          low = std::min(low, y), high = std::max(high, y);
        }
        if (low > setup_.origin[1] && high < setup_.origin[1] + setup_.size[1]) continue;
        const std::string block = "membranes." + setup_.groups[g].name;
        return complain(block, "position", "[" + block + "] reaches from y = " + brief(low) + " to " + brief(high) +
                                               " m, beyond a wall (they stand at " + brief(setup_.origin[1]) + " and " +
                                               brief(setup_.origin[1] + setup_.size[1]) + " m)");
      }
    return true;
  }

  MembraneSetup& setup_;
  const run::Settings& s_;
  run::Problems& problems_;
};

} // namespace

void check_setup(MembraneSetup& setup, const run::Settings& settings, run::Problems& problems) {
  WholeCase(setup, settings, problems).check();
}

} // namespace corral::membrane

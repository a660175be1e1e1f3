#pragma once

#include "fluid/lattice/flow.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corral::bench {

/// Bodies in a lattice's fluid, by direct forcing in one pass: spheres, or cylinders where z is thin.
struct LatticeBodies {
  double share = 0;    ///< of the box's volume, at least, so far as it is a whole number of them
  bool moving = false; ///< a hundredth of a cell a step; else they stay
  /// Points on a thread of their own while the fluid moves on another: as if the fluid had a processor to itself.
  bool at_once = false;
};

/// A periodic box of fluid that flows past what is in it. All rows of a workload are timed in turn with copies of memory.
struct LatticeWork {
  fluid::lattice::VelocitySet set = fluid::lattice::VelocitySet::d3q19;
  fluid::lattice::Precision precision = fluid::lattice::Precision::doubles;
  fluid::lattice::Scheme scheme = fluid::lattice::Scheme::in_place;
  std::array<std::int64_t, 3> cells{128, 128, 128};
  double diameter = 16; ///< of bodies [cells]
  std::vector<int> threads{1}; ///< a row of the fluid alone for each
  std::vector<LatticeBodies> bodies{}; ///< a row for each, on one thread, or on one and one
  std::optional<double> least_of_copy{}; ///< demanded of one thread
  std::int64_t copied = 1 << 28; ///< bytes, by which a copy's rate is found
};

/// Two steps, of which a lattice in place takes turns, halved.
struct LatticeRow {
  LatticeWork work;
  int threads = 1;
  std::optional<LatticeBodies> bodies{};
  std::int64_t body_count = 0, points = 0;
  double seconds = 0;        ///< of a step, median
  double cost = 0;           ///< of bodies, over the fluid alone in the two steps before: median
  double copy_rate = 0;      ///< bytes read and written per second by a copy on as many threads
  std::vector<std::pair<std::string, double>> phases{}; ///< seconds of each per step, with bodies

  static constexpr double most_cost = 0.1;
  std::int64_t cell_count() const { return work.cells[0] * work.cells[1] * work.cells[2]; }
  std::int64_t bytes_per_update() const; ///< as docs/lattice.md counts them
  double updates_per_second() const { return static_cast<double>(cell_count()) / seconds; }
  double of_copy() const { return updates_per_second() * static_cast<double>(bytes_per_update()) / copy_rate; }
  bool has_target() const;
  bool met() const;
};

/// Throws Error where the fluid cannot be made.
std::vector<LatticeRow> measure_lattice(const LatticeWork&, int repeats);

} // namespace corral::bench

#pragma once

#include "bench/text.hpp"
#include "fluid/lattice/flow.hpp"

#include <cstdint>
#include <string>

/// What rows of the lattice fluid have in common, on either processor.
namespace corral::bench {

/// Of all populations of a cell, as they are kept.
inline std::int64_t bytes_of_a_cell(fluid::lattice::VelocitySet set, fluid::lattice::Precision precision) {
  using fluid::lattice::VelocitySet;
  const std::int64_t populations = set == VelocitySet::d2q9 ? 9 : set == VelocitySet::d3q19 ? 19 : 27;
  return populations * (precision == fluid::lattice::Precision::doubles ? 8 : 4);
}

template <class Work> void add_work(JsonObject& object, const Work& work) {
  object.add("set", name(work.set));
  object.add("precision", name(work.precision));
  object.add("scheme", name(work.scheme));
  object.raw("cells", "[" + std::to_string(work.cells[0]) + ", " + std::to_string(work.cells[1]) + ", " + std::to_string(work.cells[2]) + "]");
}

template <class Row> void add_rates(JsonObject& object, const Row& row, int repeats) {
  object.add("bytes_per_update", row.bytes_per_update());
  object.add("repeats", std::int64_t{repeats});
  object.add("seconds_median", row.seconds);
  object.add("updates_per_second", row.updates_per_second());
  object.add("copy_bytes_per_second", row.copy_rate);
  object.add("fraction_of_copy", row.of_copy());
}

} // namespace corral::bench

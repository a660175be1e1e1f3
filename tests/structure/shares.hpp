#pragma once

#include "structure/surfaces/membranes.hpp"
#include "tests/catch.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace corral::test {

/// What membranes say of themselves, where nobody has written before.
struct FoundOfMembranes {
  using Three = std::array<Array<double>, 3>;

  explicit FoundOfMembranes(const structure::Membranes<Cpu>& of)
      : forces(untouched(of)), points(untouched(of)), viscous(untouched(of)), measures(static_cast<std::size_t>(of.count())) {}
  static Three untouched(const structure::Membranes<Cpu>& of) {
    const std::int64_t n = of.count() * of.force_points_per_membrane();
    return {Array<double>(n, 7.0), Array<double>(n, 7.0), Array<double>(n, 7.0)};
  }
  static structure::Points writable(Three& v) { return {v[0].data(), v[1].data(), v[2].data()}; }

  void find(structure::Membranes<Cpu>& of, const structure::ConstPoints& markers) {
    of.forces(Cpu{}, markers, writable(forces));
    if (!of.forces_at_markers()) of.place_force_points(Cpu{}, markers, writable(points));
    if (of.viscous()) of.viscous_forces(Cpu{}, markers, markers, writable(viscous));
    of.measure(Cpu{}, markers, measures.data());
  }
  /// Of membrane c, n values each.
  bool same(const FoundOfMembranes& other, std::size_t c, std::int64_t n) const {
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t i = static_cast<std::int64_t>(c) * n; i < static_cast<std::int64_t>(c + 1) * n; ++i)
        if (forces[d][i] != other.forces[d][i] || points[d][i] != other.points[d][i] || viscous[d][i] != other.viscous[d][i]) return false;
    return std::memcmp(&measures[c], &other.measures[c], sizeof measures[c]) == 0;
  }

  Three forces, points, viscous;
  std::vector<structure::MembraneMeasures> measures;
};

/// Those of the share have the bits that they have among all, and others are let alone.
inline void check_share(structure::Membranes<Cpu>& membranes, const structure::ConstPoints& markers, const structure::MembraneShare& share) {
  FoundOfMembranes all(membranes), some(membranes);
  const FoundOfMembranes untouched(membranes);
  all.find(membranes, markers);
  membranes.take_share(share);
  some.find(membranes, markers);
  for (std::int64_t c = 0; c < membranes.count(); ++c) {
    INFO("membrane " << c << " of " << membranes.count() << ", of a share from " << share.begin << " to " << share.end);
    CHECK(some.same(c >= share.begin && c < share.end ? all : untouched, static_cast<std::size_t>(c), membranes.force_points_per_membrane()));
  }
}

} // namespace corral::test

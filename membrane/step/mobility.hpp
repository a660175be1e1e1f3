#pragma once

#include "structure/fluids/fluid.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/population.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstdint>
#include <deque>

namespace corral::membrane {

/// Three components at the markers of all populations whose forces act there, one population after the other.
using MarkerVectors = std::array<Array<double>, 3>;

inline structure::ConstPoints points_from(const MarkerVectors& a, std::int64_t first) {
  return {a[0].data() + first, a[1].data() + first, a[2].data() + first};
}
inline structure::Points points_from(MarkerVectors& a, std::int64_t first) {
  return {a[0].data() + first, a[1].data() + first, a[2].data() + first};
}

/// M = S^T R S: velocities at these markers that forces at them make, by spread, fluid and interpolate, where membranes
/// are sorted midway. It is symmetric and has no negative eigenvalues.
class Mobility {
public:
  /// Keeps references.
  Mobility(std::deque<structure::Population>& populations, structure::MarkerMaps& maps, structure::Fluid& fluid)
      : populations_(populations), maps_(maps), fluid_(fluid) {
    each([&](structure::Population& p, std::int64_t) { size_ += p.points(); });
  }

  std::int64_t size() const { return size_; } ///< markers
  structure::Fluid& fluid() const { return fluid_; }
  /// f(population, its first marker)
  template <class F> void each(F f) const {
    std::int64_t first = 0;
    for (structure::Population& p : populations_)
      if (p.forces_at_markers()) f(p, first), first += p.points();
  }
  void get_forces(MarkerVectors& to) const;
  void put_forces(const MarkerVectors& from) const;
  /// velocity = M force, R being what respond(field) makes of a field of forces; the populations' forces, and the fluid's
  /// field of them, are scratch.
  template <class R> void apply(Cpu cpu, const MarkerVectors& force, MarkerVectors& velocity, R respond) const {
    const structure::VectorField field = fluid_.begin_forces(cpu);
    maps_.clear(cpu, field);
    put_forces(force);
    each([&](structure::Population& p, std::int64_t) { p.spread(cpu, maps_, field); });
    respond(field);
    each([&](structure::Population& p, std::int64_t first) {
      p.find_change(cpu, maps_, {field[0], field[1], field[2]}, points_from(velocity, first));
    });
  }
  double product(const MarkerVectors& a, const MarkerVectors& b) const; ///< scalar

private:
  std::deque<structure::Population>& populations_;
  structure::MarkerMaps& maps_;
  structure::Fluid& fluid_;
  std::int64_t size_ = 0;
};

} // namespace corral::membrane

#pragma once

#include "structure/fluids/fluid.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/population.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <deque>

namespace corral::membrane {

/// Three components at the markers of all populations whose forces act there, one population after the other.
using MarkerVectors = std::array<Array<double>, 3>;

template <Execution E> MarkerVectors make_marker_vectors() {
  return {Array<double>(memory_for<E>), Array<double>(memory_for<E>), Array<double>(memory_for<E>)};
}

inline structure::ConstPoints points_from(const MarkerVectors& a, std::int64_t first) {
  return {a[0].data() + first, a[1].data() + first, a[2].data() + first};
}
inline structure::Points points_from(MarkerVectors& a, std::int64_t first) {
  return {a[0].data() + first, a[1].data() + first, a[2].data() + first};
}

/// M = S^T R S: velocities at these markers that forces at them make, by spread, fluid and interpolate, where membranes
/// are sorted midway. It is symmetric and has no negative eigenvalues.
template <Execution E> class Mobility {
public:
  using Population = structure::Population<E>;

  /// Keeps references.
  Mobility(std::deque<Population>& populations, structure::MarkerMaps& maps, structure::Fluid<E>& fluid)
      : populations_(populations), maps_(maps), fluid_(fluid) {
    each([&](Population& p, std::int64_t) { size_ += p.points(); });
  }

  std::int64_t size() const { return size_; } ///< markers
  structure::Fluid<E>& fluid() const { return fluid_; }
  /// f(population, its first marker)
  template <class F> void each(F f) const {
    std::int64_t first = 0;
    for (Population& p : populations_)
      if (p.forces_at_markers()) f(p, first), first += p.points();
  }
  void get_forces(E, MarkerVectors& to) const;
  void put_forces(E, const MarkerVectors& from) const;
  /// velocity = M force, R being what respond(field) makes of a field of forces; the populations' forces, and the fluid's
  /// field of them, are scratch.
  template <class R> void apply(E execution, const MarkerVectors& force, MarkerVectors& velocity, R respond) const {
    const structure::VectorField field = fluid_.begin_forces(execution);
    maps_.clear(execution, field);
    put_forces(execution, force);
    each([&](Population& p, std::int64_t) { p.spread(execution, maps_, field); });
    respond(field);
    each([&](Population& p, std::int64_t first) {
      p.find_change(execution, maps_, {field[0], field[1], field[2]}, points_from(velocity, first));
    });
  }
  double product(E, const MarkerVectors& a, const MarkerVectors& b) const; ///< scalar

private:
  std::deque<Population>& populations_;
  structure::MarkerMaps& maps_;
  structure::Fluid<E>& fluid_;
  std::int64_t size_ = 0;
};

} // namespace corral::membrane

#pragma once

#include "structure/fluids/fluid.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/population.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace corral::membrane {

/// The largest eigenvalue of the symmetric matrix with `diagonal` and `beside` it (that many, the last of which leads out
/// of it), and how far an eigenvalue of what it was cut from may lie above it (Zhou and Li 2011).
struct TopOfTridiagonal {
  double value = 0, error = 0;
};
TopOfTridiagonal top_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside);

/// The stiffest motion that membranes have as they are now, with this fluid, this grid and this kernel: the largest
/// eigenvalue of M H, where H = -dF/dX is how forces change with the markers' places, and M = S^T R S is what the fluid
/// answers forces with at the markers, at once. In Stokes flow, where R makes velocities, that is a rate [1/s];
/// otherwise R makes accelerations, and it is a frequency squared [1/s2].
///
/// Found by Lanczos's method in the scalar product f . M g, in which H M is symmetric, from a random start that is always
/// the same. Each of its iterations spreads, answers, interpolates, and takes a difference of forces, half of what a step
/// costs; some eight suffice. No state is kept: a resumed run finds the same bits.
class StiffestMode {
public:
  /// Keeps references to populations, maps and fluid; of the first those count whose forces act at their markers.
  /// `find_forces` sets the forces of all populations where they are midway.
  StiffestMode(std::deque<structure::Population>& populations, structure::MarkerMaps& maps, structure::Fluid& fluid,
               const Grid& grid, std::function<void()> find_forces);

  /// From above: what was found and what it may be off by, a few parts in a hundred. 0 where nothing is stiff. What
  /// populations have midway, and the fluid's field of forces, are scratch; forces stay.
  double find(Cpu);

private:
  /// Three components at the points of all populations that count, one population after the other.
  using Vectors = std::array<Array<double>, 3>;
  template <class F> void each(F f); ///< f(population, its first point)

  void begin();
  TopOfTridiagonal iterate(Cpu);
  void get_forces(Vectors& to);
  void put_forces(const Vectors& from);
  void set_random(Vectors& f) const;
  void find_forces_at(Cpu, const Vectors& shift, double by);
  void apply_mobility(Cpu, const Vectors& force, Vectors& velocity); ///< M
  void apply_stiffness(Cpu, const Vectors& shift, Vectors& force);   ///< H
  double product(const Vectors& a, const Vectors& b) const;

  std::deque<structure::Population>& populations_;
  structure::MarkerMaps& maps_;
  structure::Fluid& fluid_;
  double moved_by_ = 0; ///< for differences of forces [m]
  std::function<void()> find_forces_;
  std::int64_t size_ = 0;
  Vectors kept_, rest_; ///< forces of the last step, and those here
  Vectors direction_, last_, change_, velocity_; ///< q, q before, H M q, M q
};

} // namespace corral::membrane

#pragma once

#include "membrane/step/mobility.hpp"

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
template <Execution E> class StiffestMode {
public:
  /// Keeps references to populations, maps and fluid; of the first those count whose forces act at their markers.
  /// `find_forces` sets the forces of all populations where they are midway.
  StiffestMode(std::deque<structure::Population<E>>& populations, structure::MarkerMaps& maps, structure::Fluid<E>& fluid,
               const Grid& grid, std::function<void()> find_forces);

  /// From above: what was found and what it may be off by, a few parts in a hundred. 0 where nothing is stiff. What
  /// populations have midway, and the fluid's field of forces, are scratch; forces stay.
  double find(E);

private:
  void begin(E);
  TopOfTridiagonal iterate(E);
  void set_random(E, MarkerVectors& f) const;
  void find_forces_at(E, const MarkerVectors& shift, double by);
  void apply_mobility(E, const MarkerVectors& force, MarkerVectors& velocity); ///< M
  void apply_stiffness(E, const MarkerVectors& shift, MarkerVectors& force);   ///< H

  std::deque<structure::Population<E>>& populations_;
  Mobility<E> mobility_;
  double moved_by_ = 0; ///< for differences of forces [m]
  std::function<void()> find_forces_;
  MarkerVectors kept_ = make_marker_vectors<E>(), rest_ = make_marker_vectors<E>(); ///< forces of the last step, and those here
  // q, q before, H M q, M q.
  MarkerVectors direction_ = make_marker_vectors<E>(), last_ = make_marker_vectors<E>(), change_ = make_marker_vectors<E>(),
                velocity_ = make_marker_vectors<E>();
};

} // namespace corral::membrane

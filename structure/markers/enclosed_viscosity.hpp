#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/incompressible/field_potential.hpp"
#include "run/state/registry.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/marker_order.hpp"
#include "structure/markers/population.hpp"
#include "structure/setup/immersed.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/memory.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

namespace corral::structure {

/// The viscosity of a fluid that surfaces part into kinds, as a field: with I_s what surfaces of kind s enclose (Inside) and
/// lambda_s their ratio,
///   1/mu = (1 + sum_s (1/lambda_s - 1) I_s)/mu_outside,
/// held between those of the case. It is the harmonic mean of what a cell holds: shear that passes from one fluid to the
/// other is what counts at a surface (docs/membranes.md).
///
/// Three quarters of the area vectors of triangles are spread from their middles and a quarter from corners, which integrates what
/// is quadratic on them: well inside, I is 1 to the fourth power of their edges. All lies where E works.
template <Execution E> class EnclosedViscosity {
public:
  /// Declares the field. Keeps nothing of its arguments but a reference to what ranks share, if they do: calls are collective then.
  EnclosedViscosity(const Immersed& setup, const fluid::Domain& domain, const std::string& kernel, Method method,
                    run::Registry& registry);

  /// mu in all cells [Pa s], of membranes where they are midway, for which they have been sorted.
  const double* find(E, const std::deque<Population<E>>& populations);

private:
  static constexpr Memory memory = memory_for<E>;
  using Potential = std::conditional_t<std::same_as<E, Cpu>, fluid::FieldPotential, fluid::DeviceFieldPotential>;

  /// The triangles around each marker of a population: those of m are triangles[first[m]] to triangles[first[m + 1]], in their order.
  struct Around {
    Array<std::int32_t> first{memory}, triangles{memory};
  };
  static Around around(const Population<E>&);
  /// Area vectors of triangles and markers, each with the weight of its surface; returns the volume that they enclose.
  double find_areas(E, const Population<E>&, const Around&);

  double volume_;                ///< of the whole box [m3]
  double outside_;               ///< [Pa s]
  std::vector<double> weights_;  ///< 1/lambda - 1 of each surface
  double least_ = 1, most_ = 1;  ///< of 1/lambda
  MarkerMaps maps_;
  Potential potential_;
  MarkerOrder order_; ///< of triangles, by their middles
  std::array<Array<double>, 3> middles_, whole_areas_; ///< of triangles [m], three quarters of the areas [m2]
  std::array<Array<double>, 3> areas_;                 ///< a third of the last quarter of those around a marker [m2]
  std::vector<Around> around_;                         ///< of each population
  fluid::FaceArrays field_;                            ///< what they spread [1/m]
  Array<double>& viscosity_;
};

} // namespace corral::structure

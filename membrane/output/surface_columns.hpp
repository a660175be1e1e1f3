#pragma once

#include "membrane/step/step.hpp"
#include "run/state/registry.hpp"

namespace corral::membrane {

/// What files show of membranes beside where they are: found when a file is due, and read by nobody else.
template <Execution E> class SurfaceColumns {
public:
  /// Declares them with the sets that the step has.
  explicit SurfaceColumns(MembraneStep<E>& step);

  void update(E);

private:
  using Kind = typename structure::Population<E>::Kind;
  /// Of a set; null where its representation has no such thing.
  struct Columns {
    structure::Population<E>* population;
    run::Components force{}, elastic_force{}, bending_force{};          ///< [N] of vertices
    Array<double>* mean_curvature = nullptr;                            ///< [1/m]
    Array<double>*larger_tension = nullptr, *smaller_tension = nullptr; ///< [N/m] on triangles, or of sites
    Array<double>* area_ratio = nullptr;                                ///< on triangles [-]
  };

  static Columns of_triangles(structure::Population<E>& population);
  static Columns of_sites(structure::Population<E>& population);
  void update_triangles(E, const Columns& columns, const Kind& kind);
  void update_sites(E, const Columns& columns, const Kind& kind);

  std::vector<Columns> all_;
};

} // namespace corral::membrane

#pragma once

#include "membrane/step/step.hpp"
#include "run/state/registry.hpp"

namespace corral::membrane {

/// What files show of membranes beside where they are: found when a file is due, and read by nobody else.
class SurfaceColumns {
public:
  /// Declares them with the sets that the step has.
  explicit SurfaceColumns(MembraneStep& step);

  void update(MembraneStep& step);

private:
  /// Of a set; null where its representation has no such thing.
  struct Columns {
    structure::Population* population;
    run::Components force{}, elastic_force{}, bending_force{};          ///< [N] of vertices
    Array<double>* mean_curvature = nullptr;                            ///< [1/m]
    Array<double>*larger_tension = nullptr, *smaller_tension = nullptr; ///< [N/m] on triangles, or of sites
    Array<double>* area_ratio = nullptr;                                ///< on triangles [-]
  };

  static Columns of_triangles(structure::Population& population);
  static Columns of_sites(structure::Population& population);
  void update_triangles(const Columns& columns, const structure::Population::Kind& kind);
  void update_sites(const Columns& columns, const structure::Population::Kind& kind);

  std::vector<Columns> all_;
};

} // namespace corral::membrane

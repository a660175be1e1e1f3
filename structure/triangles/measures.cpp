#include "structure/triangles/measures.t.hpp"

namespace corral::structure {

template void sum_triangles(Cpu, std::int64_t, const MembraneView&, const ReferenceView&, const StrainEnergy&,
                            const BendingSums&, Array<ShapeSums>&, ShapeSums*);
template void sum_vertices(Cpu, std::int64_t, const MembraneView&, const ReferenceView&, const BendingSums&,
                           const TetherSprings&, Array<ShapeSums>&, ShapeSums*);
template void set_tensions(Cpu, std::int64_t, const MembraneView&, const double*, const StrainEnergy&, double*,
                           double*);
template void set_area_ratios(Cpu, std::int64_t, const MembraneView&, const double*, double*);
template void set_mean_curvatures(Cpu, std::int64_t, const MembraneView&, const double*, const double*, double*);

MembraneMeasures measures_of(const ShapeSums& of_triangles, const ShapeSums& of_vertices, const Vector& origin,
                             const ExtentPenalty& penalty) {
  MembraneMeasures measures;
  const double volume = of_triangles.volume;
  measures.volume = volume;
  measures.area = of_triangles.area;
  Vector mean{};
  if (volume != 0) mean = (1 / volume) * of_triangles.first;
  measures.centroid = origin + mean;
  measures.second_moments = of_triangles.second;
  constexpr std::size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (std::size_t j = 0; j < 6; ++j) measures.second_moments[j] -= volume * mean[row[j]] * mean[column[j]];
  measures.elastic_energy = of_triangles.elastic;
  measures.bending_energy = of_triangles.bending + of_vertices.bending;
  measures.constraint_energy = penalty.acts() ? penalty.energy(volume, of_triangles.area) : 0;
  measures.tether_energy = of_vertices.tether;
  measures.longest_stretch = std::sqrt(of_triangles.longest);
  measures.largest_area_ratio = std::sqrt(of_triangles.widest);
  measures.least_area_ratio = std::sqrt(of_triangles.narrowest);
  return measures;
}

} // namespace corral::structure

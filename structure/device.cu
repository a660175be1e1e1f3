/// Device code of membranes, of bodies and of the fluids around them: loops over triangles, markers, points, cells and faces.

#include "structure/bodies/body_points.t.hpp"
#include "structure/bodies/direct_forcing.t.hpp"
#include "structure/bodies/point_sums.cuh"
#include "structure/fluids/lattice_fluid.t.hpp"
#include "structure/fluids/make_fluid.hpp"
#include "structure/fluids/spectral_fluid.t.hpp"
#include "structure/markers/enclosed_viscosity.t.hpp"
#include "structure/markers/marker_maps.t.hpp"
#include "structure/markers/population.t.hpp"
#include "structure/markers/pulls_and_anchors.t.hpp"
#include "structure/markers/repulsion.t.hpp"
#include "structure/placing/build.t.hpp"
#include "structure/triangles/bending.t.hpp"
#include "structure/triangles/in_plane.t.hpp"
#include "structure/triangles/measures.t.hpp"
#include "structure/triangles/triangle_membranes.t.hpp"
#include "structure/triangles/viscosity.t.hpp"

#include <corral/for_each.cuh>
#include <corral/staged.cuh>

#include <memory>

namespace corral::structure {

template void set_pulls(Gpu, std::int64_t, const MembraneView&, const ExtentPenalty&, Array<VolumeAndArea>&,
                        VolumeAndArea*, ExtentPull*);
template void set_in_plane(Gpu, std::int64_t, const MembraneView&, const double*, const StrainEnergy&,
                           const ExtentPull*, double*);
template void gather_forces(Gpu, std::int64_t, const MembraneView&, const double*, const TetherSprings&, const double*,
                            const Points&);
template void set_normals(Gpu, std::int64_t, const MembraneView&, const double*, double*, double*);
template void add_dihedral(Gpu, std::int64_t, const MembraneView&, const double*, const double*, double, double*);
template void set_helfrich_terms(Gpu, std::int64_t, const MembraneView&, const double*, const double*, const double*,
                                 double, double*);
template void add_helfrich(Gpu, std::int64_t, const MembraneView&, const double*, const double*, double*);
template void set_viscous(Gpu, std::int64_t, const MembraneView&, const double*, const ConstPoints&,
                          const SurfaceViscosity&, double*);
template void sum_triangles(Gpu, std::int64_t, const MembraneView&, const ReferenceView&, const StrainEnergy&,
                            const BendingSums&, Array<ShapeSums>&, ShapeSums*);
template void sum_vertices(Gpu, std::int64_t, const MembraneView&, const ReferenceView&, const BendingSums&,
                           const TetherSprings&, Array<ShapeSums>&, ShapeSums*);
template void set_measures(Gpu, std::int64_t, const MembraneView&, const ShapeSums*, const ShapeSums*, const ExtentPenalty&,
                           MembraneMeasures*);
template void set_tensions(Gpu, std::int64_t, const MembraneView&, const double*, const StrainEnergy&, double*,
                           double*);
template void set_area_ratios(Gpu, std::int64_t, const MembraneView&, const double*, double*);
template void set_mean_curvatures(Gpu, std::int64_t, const MembraneView&, const double*, const double*, double*);

template class TriangleMembranes<Gpu>;
template class Pulls<Gpu>;
template class TetherAnchors<Gpu>;
template class Population<Gpu>;
template class EnclosedViscosity<Gpu>;
template void build(Gpu, const Immersed&, const fluid::Domain&, run::Registry&, Built<Gpu>&);
template double Repulsion::add_walls(Gpu, const OrderedPoints&, const Points&) const;

template void MarkerMaps::interpolate(Gpu, const CellOrder<double>&, const ConstVectorField&, std::int64_t, const ConstPoints&,
                                      const Points&);
template void MarkerMaps::interpolate_change(Gpu, const CellOrder<double>&, const ConstVectorField&, std::int64_t,
                                             const Points&) const;
template void MarkerMaps::interpolate(Gpu, const MarkerOrder&, const ConstVectorField&, std::int64_t, const ConstPoints&, const Points&);
template void MarkerMaps::interpolate_change(Gpu, const MarkerOrder&, const ConstVectorField&, std::int64_t, const Points&) const;
template void MarkerMaps::spread(Gpu, const MarkerOrder&, std::int64_t, const ConstPoints&, const VectorField&);
template void MarkerMaps::clear(Gpu, const VectorField&) const;
template void MarkerMaps::spread(Gpu, const CellOrder<double>&, std::int64_t, const ConstPoints&, const VectorField&);
template double MarkerMaps::power_on_field(Gpu, const ConstVectorField&) const;
template double MarkerMaps::power_on_points(Gpu, std::int64_t, const ConstPoints&, const ConstPoints&) const;

template class BodyPoints<Gpu>;
template class DirectForcing<Gpu>;

template class LatticeFluid<Gpu>;
template class SpectralFluid<Gpu>;

std::unique_ptr<Fluid<Gpu>> make_fluid(Gpu, const FlowSetup& flow, double dt, const fluid::Domain& domain, run::Registry& registry) {
  if (flow.lattice()) return std::make_unique<LatticeFluid<Gpu>>(flow, dt, domain, registry);
  return std::make_unique<SpectralFluid<Gpu>>(flow, domain, registry);
}

} // namespace corral::structure

#pragma once

#include "structure/setup/material.hpp"
#include "structure/surfaces/membranes.hpp"
#include "structure/triangles/in_plane.hpp"
#include "structure/triangles/measures.hpp"
#include "structure/triangles/strain_energy.hpp"
#include "structure/triangles/triangle_shape.hpp"

#include <corral/array.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace corral::structure {

/// Membranes as closed surfaces of triangles: markers are the vertices, and forces act at them. Energies are sums over
/// triangles, sides and vertices, forces their exact gradients: a free membrane has neither net force nor torque.
template <Execution E = Cpu> class TriangleMembranes final : public Membranes<E> {
public:
  /// `count` membranes of one mesh, as TriangleShape has it. Throws Error as that does, and for a negative count.
  TriangleMembranes(std::span<const Vector> points, std::span<const std::array<std::int32_t, 3>> triangles,
                    const Material& material, std::int64_t count, std::span<const Vector> reference = {});

  std::int64_t count() const override { return count_; }
  std::int64_t markers_per_membrane() const override { return shape_.vertices(); }
  std::int64_t force_points_per_membrane() const override { return shape_.vertices(); }
  std::int64_t triangles_per_membrane() const { return shape_.triangles(); }
  bool forces_at_markers() const override { return true; }
  double spacing() const { return shape_.spacing(); } ///< mean length of sides in the reference shape [m]

  /// Copies the markers.
  void place_force_points(E, const ConstPoints& markers, const Points& force_points) override;
  /// Throws Error where tethers have no anchors.
  void forces(E, const ConstPoints& markers, const Points& forces) override;
  bool viscous() const override { return material_.viscous(); }
  void viscous_forces(E, const ConstPoints& markers, const ConstPoints& velocities, const Points& forces) override;
  void measure(E, const ConstPoints& markers, MembraneMeasures* measures) override;

  /// Copies a point per marker, which tethers pull to from now on; again whenever anchors move.
  void set_anchors(E, const ConstPoints& anchors) override;

  // Columns for output; of triangles, triangle t of membrane c is value c triangles_per_membrane() + t.
  void elastic_forces(E, const ConstPoints& markers, const Points& forces); ///< of the elastic law alone [N]
  void bending_forces(E, const ConstPoints& markers, const Points& forces); ///< of the bending law alone [N]
  /// Principal Cauchy tensions of triangles, force per deformed length, the larger and the smaller [N/m].
  void tensions(E, const ConstPoints& markers, double* larger, double* smaller) const;
  void area_ratios(E, const ConstPoints& markers, double* ratios) const; ///< of triangles to their reference [-]
  /// At vertices, whatever the bending law: 1/R on a sphere, negative where the surface is hollow [1/m].
  void mean_curvatures(E, const ConstPoints& markers, double* curvatures);

private:
  static constexpr Memory memory = memory_for<E>;

  MembraneView from(const ConstPoints& markers, std::int64_t first) const;
  TetherSprings tethers_from(std::int64_t first) const;
  BendingSums bending_sums();
  /// Calls pass(first, membranes) for as many at once as scratch holds.
  template <class Pass> void in_batches(const MembraneShare& of, Pass pass) const;
  MembraneShare all() const { return {0, count_}; }
  void add_bending(E, std::int64_t membranes, const MembraneView& membrane);
  void require_anchors() const;

  Material material_;
  StrainEnergy strain_energy_;
  std::int64_t count_;
  TriangleShape shape_;
  std::array<Array<double>, 3> anchors_;
  std::int64_t at_once_; ///< membranes that scratch is for
  Array<double> corner_forces_, normals_, areas_, terms_;
  Array<VolumeAndArea> extent_parts_, extents_;
  Array<ExtentPull> pulls_;
  Array<ShapeSums> sum_parts_, sums_of_triangles_, sums_of_vertices_;
};

} // namespace corral::structure

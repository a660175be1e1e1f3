#pragma once

#include "structure/setup/surface_model.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace corral::structure {

namespace radial {
class SphereSites;
/// Throws Error for materials that such surfaces can't be made of.
void require_material(const Material&);
}

/// What is seen at markers; null: not asked for. Each holds a value per marker of all membranes.
struct MarkerColumns {
  double* mean_curvature = nullptr;                              ///< H [1/m], 1/R of a sphere
  double *larger_tension = nullptr, *smaller_tension = nullptr;  ///< of the elastic law across the principal stretches [N/m]
};

/// Membranes as images of the sphere by radial basis functions: markers are data sites, forces act at sample sites. The
/// memory held is mostly `sites`', which kinds of membranes with the same numbers of sites share.
class RadialMembranes final : public Membranes<Cpu> {
public:
  /// `reference`: the shape at rest by its positions at the data sites, those of one membrane [m]
  /// (`radial::positions_at`). Throws Error for a shape that is turned inside out or degenerate, for materials that such
  /// surfaces can't be made of, and for variational forces at fewer sample sites than data sites.
  RadialMembranes(Cpu, std::shared_ptr<const radial::SphereSites> sites, const ConstPoints& reference,
                  const Material& material, std::int64_t count, RadialForces rule = RadialForces::collocated);
  ~RadialMembranes() override;

  /// Tethers pull towards where force points are when markers are here, those of all membranes [m].
  void set_anchors(Cpu, const ConstPoints& markers) override;

  std::int64_t count() const override { return count_; }
  std::int64_t markers_per_membrane() const override;
  std::int64_t force_points_per_membrane() const override;
  bool forces_at_markers() const override { return false; }

  void place_force_points(Cpu, const ConstPoints& markers, const Points& force_points) override;
  /// Throws Error where the material has tethers and no anchors were set; so does `measure`.
  void forces(Cpu, const ConstPoints& markers, const Points& forces) override;
  /// The longest stretch is the largest principal one at a sample site: there are no edges.
  void measure(Cpu, const ConstPoints& markers, MembraneMeasures* measures) override;
  void describe_markers(Cpu, const ConstPoints& markers, const MarkerColumns& columns);

  double rest_volume() const; ///< V0, of the reference shape [m3]
  double rest_area() const;   ///< A0 [m2]

private:
  struct Parts;

  std::int64_t count_;
  Material material_;
  std::unique_ptr<Parts> parts_;
};

} // namespace corral::structure

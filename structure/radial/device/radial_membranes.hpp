#pragma once

#include "structure/radial/radial_membranes.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"
#include "structure/setup/surface_model.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/execution.hpp>

#include <cstdint>
#include <memory>

namespace corral::structure {

namespace radial {

/// What SphereSites holds, in memory of a device, for any kinds of membranes that have its numbers.
class DeviceSites {
public:
  explicit DeviceSites(const SphereSites&);
  ~DeviceSites();
  DeviceSites(const DeviceSites&) = delete;
  DeviceSites& operator=(const DeviceSites&) = delete;

  struct Parts;
  const Parts& parts() const { return *parts_; }

private:
  std::unique_ptr<Parts> parts_;
};

} // namespace radial

/// RadialMembranes on a CUDA device: the same formulas at sites, between products of matrices by cuBLAS. What differs from the host
/// is round-off: sums have another order. Numbers of all membranes are in memory at once, for groups of some dozens of them.
class DeviceRadialMembranes final : public Membranes<Gpu> {
public:
  /// As RadialMembranes'; `reference` lies on the host, where the shape at rest is found.
  DeviceRadialMembranes(const radial::SphereSites& sites, std::shared_ptr<const radial::DeviceSites> there, const ConstPoints& reference,
                        const Material& material, std::int64_t count, RadialForces rule);
  ~DeviceRadialMembranes() override;

  std::int64_t count() const override;
  std::int64_t markers_per_membrane() const override;
  std::int64_t force_points_per_membrane() const override;
  bool forces_at_markers() const override { return false; }

  void set_anchors(Gpu, const ConstPoints& markers) override;
  void place_force_points(Gpu, const ConstPoints& markers, const Points& force_points) override;
  void forces(Gpu, const ConstPoints& markers, const Points& forces) override;
  void measure(Gpu, const ConstPoints& markers, MembraneMeasures* measures) override;
  void describe_markers(Gpu, const ConstPoints& markers, const MarkerColumns& columns);

private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace corral::structure

#pragma once

#include "structure/radial/local_surface.hpp"
#include "structure/radial/sampled_shapes.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"
#include "structure/setup/material.hpp"

#include <corral/array.hpp>

#include <cstdint>

namespace corral::structure::radial {

/// What forces at a sample site ask of the shape in which a membrane is at rest.
struct RestSite {
  MetricField metric;              ///< G_ab [m2]
  double area = 0;                 ///< sqrt(det G) [m2]
  double mean_curvature = 0;       ///< H0 of bending [1/m]; 0 where it rests flat
  double curvature_by_1 = 0, curvature_by_2 = 0; ///< derivatives of H0 by the site's frame [1/m]
};

/// The shape in which membranes of a kind are at rest, by its positions at data sites.
class ReferenceShape {
public:
  /// Throws Error where the shape is turned inside out or degenerate at a site.
  ReferenceShape(Cpu, const SphereSites&, const ConstPoints& positions, const Material&);

  const RestSite& at_sample(std::int64_t site) const { return at_samples_[site]; }
  const SurfaceTensor& metric_at_data(std::int64_t site) const { return at_data_[site]; }
  double curvature_at_data(std::int64_t site) const { return curvature_at_data_[site]; } ///< H0 [1/m]
  double volume() const { return volume_; } ///< [m3]
  double area() const { return area_; }     ///< [m2]
  std::int64_t bytes() const { return at_samples_.bytes() + at_data_.bytes() + curvature_at_data_.bytes(); }

private:
  void look_at_data(Cpu, const SphereSites&, const PlacedShapes&, bool curved);
  void look_at_samples(Cpu, const SphereSites&, const PlacedShapes&, bool curved);
  void differentiate_curvature(Cpu, const SphereSites&);
  void require_surface(Cpu) const;

  Array<RestSite> at_samples_;
  Array<SurfaceTensor> at_data_;
  Array<double> curvature_at_data_;
  double volume_ = 0, area_ = 0;
};

} // namespace corral::structure::radial

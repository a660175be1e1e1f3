#pragma once

#include "structure/radial/local_surface.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"
#include "structure/setup/material.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::structure::radial {

/// Membranes in a row, whose products are formed together: a matrix is read once for all of them.
struct Group {
  static constexpr std::int64_t most = 16;
  std::int64_t first = 0, count = 0;

  std::int64_t columns() const { return padded_columns(3 * count); } ///< x, y, z of each
};

/// Calls f(group) for groups that cover a share.
template <class F> void each_group(const MembraneShare& of, F&& f) {
  for (std::int64_t first = of.begin; first < of.end; first += Group::most)
    f(Group{first, of.end - first < Group::most ? of.end - first : Group::most});
}

/// Sites that one task looks at where no product is formed.
inline constexpr std::int64_t sites_at_once = 128;

/// Positions of a group of membranes at data sites. Lengths are taken from an origin of each membrane, so that round-off
/// is that of its size, wherever it is.
class PlacedShapes {
public:
  void place(Cpu, const Spiral& data, const ConstPoints& markers, const Group&);
  /// Appends a function of each member, a column each at data sites: what is sampled then has it, too.
  void append(Cpu, const Spiral& data, const SiteTable& functions);

  const Group& group() const { return group_; }
  const HalvedTable& halved() const { return halved_; }
  /// Mean of a membrane's positions at data sites [m].
  const Vector& origin(std::int64_t member) const { return origins_[member]; }

private:
  Group group_;
  std::vector<Vector> origins_;
  SiteTable data_, wide_;
  HalvedTable halved_;
};

/// Positions and their derivatives at all sites that operators lead to, each as far as it was sampled.
class SampledShapes {
public:
  void sample(Cpu, const PlacedShapes&, const SiteOperators&, SurfaceDerivative);
  void sample_first(Cpu, const PlacedShapes&, const SiteOperators&);
  void sample_second(Cpu, const PlacedShapes&, const SiteOperators&);

  /// Of membrane group.first + member at a site, from its origin [m].
  Vector position(std::int64_t site, std::int64_t member) const {
    return at(SurfaceDerivative::value, site, member);
  }
  Tangents tangents(std::int64_t site, std::int64_t member) const {
    return {at(SurfaceDerivative::first_1, site, member), at(SurfaceDerivative::first_2, site, member)};
  }
  Bends bends(std::int64_t site, std::int64_t member) const {
    return {at(SurfaceDerivative::second_11, site, member), at(SurfaceDerivative::second_12, site, member),
            at(SurfaceDerivative::second_22, site, member)};
  }
  /// Of the function that was appended for a member of `members`.
  double appended(SurfaceDerivative derivative, std::int64_t site, std::int64_t member, std::int64_t members) const {
    return tables_[static_cast<std::size_t>(derivative)].at(site)[3 * members + member];
  }

private:
  Vector at(SurfaceDerivative derivative, std::int64_t site, std::int64_t member) const {
    const double* x = tables_[static_cast<std::size_t>(derivative)].at(site) + 3 * member;
    return {x[0], x[1], x[2]};
  }

  std::array<SiteTable, surface_derivatives> tables_;
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

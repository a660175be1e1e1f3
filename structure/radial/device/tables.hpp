#pragma once

#include "structure/radial/local_surface.hpp"
#include "structure/radial/site_formulas.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <cstdint>

namespace corral::structure::radial {

/// Sites of a spiral by number (Spiral).
struct SitesView {
  std::int64_t count;
  CORRAL_HOST_DEVICE std::int64_t representatives() const { return (count + 1) / 2; }
  CORRAL_HOST_DEVICE std::int64_t pairs() const { return count / 2; }
  CORRAL_HOST_DEVICE std::int64_t partner(std::int64_t site) const { return count - 1 - site; }
};

/// HalvedTable in memory of a device; what operators give has the same two parts, which are joined where they are read.
struct DeviceHalves {
  std::int64_t columns = 0;
  Array<double> even{Memory::device}, odd{Memory::device};

  void resize(std::int64_t representatives, std::int64_t columns_of_each) {
    columns = columns_of_each;
    even.resize(representatives * columns);
    odd.resize(representatives * columns);
  }
};
struct HalvesView {
  double *even, *odd;
  std::int64_t columns;
};
inline HalvesView view_of(DeviceHalves& h) { return {h.even.data(), h.odd.data(), h.columns}; }

/// Values at sites.
struct ResultsView {
  const double *even, *odd;
  std::int64_t columns;
  SitesView sites;

  CORRAL_HOST_DEVICE double at(std::int64_t site, std::int64_t column) const {
    const bool own = site < sites.representatives();
    const std::int64_t place = (own ? site : sites.partner(site)) * columns + column;
    return own ? even[place] + odd[place] : even[place] - odd[place];
  }
  CORRAL_HOST_DEVICE Vector vector(std::int64_t site, std::int64_t member) const {
    return {at(site, 3 * member), at(site, 3 * member + 1), at(site, 3 * member + 2)};
  }
};

/// Positions and derivatives, as SampledShapes has them: by SurfaceDerivative.
struct ShapesView {
  ResultsView of[6];

  CORRAL_HOST_DEVICE Vector position(std::int64_t i, std::int64_t m) const { return of[0].vector(i, m); }
  CORRAL_HOST_DEVICE Tangents tangents(std::int64_t i, std::int64_t m) const { return {of[1].vector(i, m), of[2].vector(i, m)}; }
  CORRAL_HOST_DEVICE Bends bends(std::int64_t i, std::int64_t m) const {
    return {of[3].vector(i, m), of[4].vector(i, m), of[5].vector(i, m)};
  }
  /// Of what stands in a column behind the positions.
  CORRAL_HOST_DEVICE CurvatureSlopes slopes(std::int64_t i, std::int64_t column) const {
    return {of[1].at(i, column), of[2].at(i, column), of[3].at(i, column), of[4].at(i, column), of[5].at(i, column)};
  }
};

/// What the penalties make of a membrane, and the integral of n over it [m2].
struct PenaltyOf {
  Penalty penalty;
  Vector open;
};

/// A group of membranes at sample sites, as its kernels see it.
struct GroupView {
  Material material;
  SitesView sites;
  ShapesView shapes;
  const RestSite* rest;
  const double* weights;
  const Vector* origins;     ///< of each membrane [m]
  const PenaltyOf* penalties;
  ConstPoints anchors;       ///< of this group's force points; null: none
  std::int64_t members;

  CORRAL_HOST_DEVICE bool pulled() const { return anchors[0] != nullptr; }
  CORRAL_HOST_DEVICE Vector from_anchor(std::int64_t i, std::int64_t m) const {
    const std::int64_t point = m * sites.count + i;
    return (origins[m] + shapes.position(i, m)) - Vector(anchors[0][point], anchors[1][point], anchors[2][point]);
  }
  CORRAL_HOST_DEVICE Vector collocated(std::int64_t i, std::int64_t m) const {
    SiteShape site{rest[i], shapes.tangents(i, m), shapes.bends(i, m)};
    site.pressure = penalties[m].penalty.pressure, site.tension = penalties[m].penalty.tension;
    if (is_bent(material)) site.slopes = shapes.slopes(i, 3 * members + m);
    if (pulled()) site.pulled = from_anchor(i, m);
    return weights[i] * collocated_force(material, pulled(), site);
  }
  CORRAL_HOST_DEVICE EnergyDerivatives derivatives(std::int64_t i, std::int64_t m) const {
    SiteShape site{rest[i], shapes.tangents(i, m), {}};
    if (is_constrained(material)) site.x = shapes.position(i, m);
    if (is_bent(material)) site.bends = shapes.bends(i, m);
    site.pressure = penalties[m].penalty.pressure, site.tension = penalties[m].penalty.tension;
    if (pulled()) site.pulled = from_anchor(i, m);
    return energy_derivatives(material, pulled(), site);
  }
  CORRAL_HOST_DEVICE void add_extent_of(std::int64_t i, std::int64_t m, SurfaceSums& sums) const {
    add_extent(shapes.position(i, m), weights[i] * shapes.tangents(i, m).area(), sums);
  }
  CORRAL_HOST_DEVICE void add_all_of(std::int64_t i, std::int64_t m, SurfaceSums& sums) const {
    SiteShape site{rest[i], shapes.tangents(i, m), {}};
    site.x = shapes.position(i, m);
    if (is_bent(material)) site.bends = shapes.bends(i, m);
    if (pulled()) site.pulled = from_anchor(i, m);
    add_site(material, pulled(), weights[i], site, sums);
  }
};

} // namespace corral::structure::radial

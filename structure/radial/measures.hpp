#pragma once

#include "structure/radial/sampled_shapes.hpp"
#include "structure/radial/site_formulas.hpp"
#include "structure/setup/material.hpp"
#include "structure/surfaces/membranes.hpp"

#include <span>
#include <vector>

namespace corral::structure::radial {

/// What all membranes of a kind share.
struct SurfaceKind {
  const SphereSites& sites;
  const ReferenceShape& reference;
  const Material& material;

  bool bends() const { return is_bent(material); }
  bool constrained() const { return is_constrained(material); }
};

/// Points that pull at force points, of membrane c from c sample_sites on [m]; null where nothing does.
struct TetherPoints {
  ConstPoints points{};

  bool pull() const { return points[0] != nullptr; }
  /// From the anchor to the membrane [m].
  Vector distance(const SurfaceKind& kind, const PlacedShapes& placed, const SampledShapes& shapes, std::int64_t site,
                  std::int64_t member) const {
    const std::int64_t point = (placed.group().first + member) * kind.sites.samples().count() + site;
    return Vector(placed.origin(member) + shapes.position(site, member)) -
           Vector(points[0][point], points[1][point], points[2][point]);
  }
};

/// The penalties of a membrane.
struct Constraint : Penalty {
  Constraint(const SurfaceKind&, double volume, double area, const Vector& open);
  Vector open; ///< the integral of n over the surface: 0 but for the quadrature's error [m2]
};

/// Those of a group's membranes, from positions and first derivatives, which were sampled; zeros for a material that has
/// none.
std::vector<Constraint> constraints(Cpu, const SurfaceKind&, const PlacedShapes&, const SampledShapes&);

/// What a group looks like. Samples what it needs.
void measure_group(Cpu, const SurfaceKind&, const PlacedShapes&, SampledShapes&, const TetherPoints&,
                   std::span<MembraneMeasures>);

} // namespace corral::structure::radial

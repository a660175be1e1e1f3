#include "structure/radial/elasticity.hpp"
#include "structure/radial/force_rules.hpp"

#include <corral/for_each.hpp>

namespace corral::structure::radial {

namespace {

/// H - H0 at a sample site and its derivatives by the site's frame.
struct CurvatureSlopes {
  double by_1, by_2, by_11, by_12, by_22;
};

/// 2 kappa [Lap h + 2 h (H^2 - K + H H0)] n - 4 kappa h grad H0, h = H - H0, per area of the surface as it is: minus the
/// gradient of 2 kappa h^2 per area. The last part, along the surface, is there where H0 belongs to the material and is
/// not the same everywhere.
Vector bending_force(const RestSite& rest, const Tangents& t, const Bends& b, const Curvature& now,
                     const CurvatureSlopes& h, double modulus) {
  const auto [connection_1, connection_2] = traced_connection(t, b, now.inverse);
  const SurfaceTensor second{h.by_11, h.by_12, h.by_22};
  const double laplacian = now.inverse.contracted(second) - connection_1 * h.by_1 - connection_2 * h.by_2;
  const double excess = now.mean - rest.mean_curvature;
  const double normal =
      2 * modulus * (laplacian + 2 * excess * (now.mean * now.mean - now.gauss + now.mean * rest.mean_curvature));
  const SurfaceTensor& inverse = now.inverse;
  const double rest_1 = inverse.s11 * rest.curvature_by_1 + inverse.s12 * rest.curvature_by_2;
  const double rest_2 = inverse.s12 * rest.curvature_by_1 + inverse.s22 * rest.curvature_by_2;
  return normal * now.normal - 4 * modulus * excess * (rest_1 * t.x1 + rest_2 * t.x2);
}

/// The force at a sample site per area of the unit sphere [N].
class ForceOnSphere {
public:
  ForceOnSphere(const SurfaceKind& kind, const PlacedShapes& placed, const SampledShapes& shapes, const TetherPoints& anchors,
                const std::vector<Constraint>& constraints)
      : kind_(kind), placed_(placed), shapes_(shapes), anchors_(anchors), constraints_(constraints) {}

  Vector operator()(std::int64_t i, std::int64_t m) const {
    const Material& material = kind_.material;
    const RestSite& rest = kind_.reference.at_sample(i);
    const Tangents t = shapes_.tangents(i, m);
    const Bends b = shapes_.bends(i, m);
    Vector total = Vector::Zero();
    if (material.law != ElasticLaw::none)
      total += rest.area * elastic_force(rest.metric, metric_field(t, b), t, b, material);
    if (kind_.constrained() || kind_.bends()) total += normal_force(rest, t, b, i, m);
    if (anchors_.pull())
      total -= rest.area * material.tether_stiffness * anchors_.distance(kind_, placed_, shapes_, i, m);
    return total;
  }

private:
  /// Of bending, and of the penalties: pressure pushes, and tension pulls where the surface is curved.
  Vector normal_force(const RestSite& rest, const Tangents& t, const Bends& b, std::int64_t i, std::int64_t m) const {
    const Curvature now(t, b);
    const Constraint& constraint = constraints_[m];
    Vector force = -(constraint.pressure + 2 * constraint.tension * now.mean) * now.normal;
    if (kind_.bends()) {
      const auto slope = [&](SurfaceDerivative d) { return shapes_.appended(d, i, m, placed_.group().count); };
      const CurvatureSlopes h{slope(SurfaceDerivative::first_1), slope(SurfaceDerivative::first_2),
                              slope(SurfaceDerivative::second_11), slope(SurfaceDerivative::second_12),
                              slope(SurfaceDerivative::second_22)};
      force += bending_force(rest, t, b, now, h, kind_.material.bending_modulus);
    }
    return now.area * force;
  }

  const SurfaceKind& kind_;
  const PlacedShapes& placed_;
  const SampledShapes& shapes_;
  const TetherPoints& anchors_;
  const std::vector<Constraint>& constraints_;
};

} // namespace

void CollocatedRule::append_curvature(Cpu cpu, const SurfaceKind& kind, PlacedShapes& placed) {
  const Spiral& data = kind.sites.data();
  const std::int64_t members = placed.group().count;
  at_data_.sample_first(cpu, placed, kind.sites.at_data());
  at_data_.sample_second(cpu, placed, kind.sites.at_data());
  curvature_.resize(data.count(), padded_columns(members));
  for_each_chunk(cpu, data.count(), sites_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; ++j)
      for (std::int64_t m = 0; m < members; ++m)
        curvature_.at(j)[m] =
            Curvature(at_data_.tangents(j, m), at_data_.bends(j, m)).mean - kind.reference.curvature_at_data(j);
  });
  placed.append(cpu, data, curvature_);
}

void CollocatedRule::forces(Cpu cpu, const SurfaceKind& kind, PlacedShapes& placed, SampledShapes& shapes,
                            const TetherPoints& anchors, const Points& forces) {
  const Group& group = placed.group();
  const SiteOperators& operators = kind.sites.at_samples();
  const Array<double>& weights = kind.sites.sample_weights();
  const std::int64_t sites = kind.sites.samples().count();
  if (kind.bends()) append_curvature(cpu, kind, placed);
  shapes.sample_first(cpu, placed, operators);
  shapes.sample_second(cpu, placed, operators);
  if (kind.constrained() || anchors.pull()) shapes.sample(cpu, placed, operators, SurfaceDerivative::value);
  const std::vector<Constraint> of_members = constraints(cpu, kind, placed, shapes);
  const ForceOnSphere force(kind, placed, shapes, anchors, of_members);
  for_each_chunk(cpu, sites, sites_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t m = 0; m < group.count; ++m)
      for (std::int64_t i = begin; i < end; ++i) {
        const Vector f = weights[i] * force(i, m);
        const std::int64_t point = (group.first + m) * sites + i;
        for (std::size_t d = 0; d < 3; ++d) forces[d][point] = f[static_cast<Eigen::Index>(d)];
      }
  });
}

} // namespace corral::structure::radial

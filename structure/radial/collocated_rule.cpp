#include "structure/radial/force_rules.hpp"
#include "structure/radial/site_formulas.hpp"

#include <corral/for_each.hpp>

namespace corral::structure::radial {

namespace {

/// The force at a sample site per area of the unit sphere [N].
class ForceOnSphere {
public:
  ForceOnSphere(const SurfaceKind& kind, const PlacedShapes& placed, const SampledShapes& shapes, const TetherPoints& anchors,
                const std::vector<Constraint>& constraints)
      : kind_(kind), placed_(placed), shapes_(shapes), anchors_(anchors), constraints_(constraints) {}

  Vector operator()(std::int64_t i, std::int64_t m) const {
    SiteShape site{kind_.reference.at_sample(i), shapes_.tangents(i, m), shapes_.bends(i, m)};
    site.pressure = constraints_[m].pressure, site.tension = constraints_[m].tension;
    if (kind_.bends()) {
      const auto slope = [&](SurfaceDerivative d) { return shapes_.appended(d, i, m, placed_.group().count); };
      site.slopes = {slope(SurfaceDerivative::first_1), slope(SurfaceDerivative::first_2), slope(SurfaceDerivative::second_11),
                     slope(SurfaceDerivative::second_12), slope(SurfaceDerivative::second_22)};
    }
    if (anchors_.pull()) site.pulled = anchors_.distance(kind_, placed_, shapes_, i, m);
    return collocated_force(kind_.material, anchors_.pull(), site);
  }

private:
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
        for (std::size_t d = 0; d < 3; ++d) forces[d][point] = f[d];
      }
  });
}

} // namespace corral::structure::radial

#include "structure/radial/measures.hpp"

#include "structure/radial/site_formulas.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cassert>

namespace corral::structure::radial {

namespace {

/// Sums of add(site, member, sums) over sites, of each member of a group, in a fixed order.
template <class Sums, class Add>
std::vector<Sums> sum_over_sites(Cpu cpu, std::int64_t sites, std::int64_t members, Add&& add) {
  const auto width = static_cast<std::size_t>(members);
  const std::int64_t chunks = (sites + sites_at_once - 1) / sites_at_once;
  std::vector<Sums> parts(static_cast<std::size_t>(chunks) * width);
  for_each_chunk(cpu, sites, sites_at_once, [&](std::int64_t begin, std::int64_t end) {
    Sums* part = parts.data() + static_cast<std::size_t>(begin / sites_at_once) * width;
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t m = 0; m < members; ++m) add(i, m, part[m]);
  });
  std::vector<Sums> totals(width);
  for (std::size_t p = 0; p < parts.size(); ++p) totals[p % width] += parts[p];
  return totals;
}

Constraint constraint_of(const SurfaceKind& kind, const SurfaceSums& sums) {
  return {kind, sums.volume, sums.area, {sums.open[0], sums.open[1], sums.open[2]}};
}

/// Adds what a site's share is.
class AddSite {
public:
  AddSite(const SurfaceKind& kind, const PlacedShapes& placed, const SampledShapes& shapes, const TetherPoints& anchors)
      : kind_(kind), placed_(placed), shapes_(shapes), anchors_(anchors) {}

  void operator()(std::int64_t i, std::int64_t m, SurfaceSums& sums) const {
    SiteShape site{kind_.reference.at_sample(i), shapes_.tangents(i, m), {}};
    site.x = shapes_.position(i, m);
    if (kind_.bends()) site.bends = shapes_.bends(i, m);
    if (anchors_.pull()) site.pulled = anchors_.distance(kind_, placed_, shapes_, i, m);
    add_site(kind_.material, anchors_.pull(), kind_.sites.sample_weights()[i], site, sums);
  }

private:
  const SurfaceKind& kind_;
  const PlacedShapes& placed_;
  const SampledShapes& shapes_;
  const TetherPoints& anchors_;
};

} // namespace

Constraint::Constraint(const SurfaceKind& kind, double volume, double area, const Vector& all)
    : Penalty(penalty_of(kind.material, kind.reference.volume(), kind.reference.area(), volume, area)), open(all) {}

std::vector<Constraint> constraints(Cpu cpu, const SurfaceKind& kind, const PlacedShapes& placed,
                                    const SampledShapes& shapes) {
  const std::int64_t members = placed.group().count;
  std::vector<Constraint> found;
  found.reserve(static_cast<std::size_t>(members));
  if (!kind.constrained()) {
    const Constraint none(kind, kind.reference.volume(), kind.reference.area(), Vector());
    found.assign(static_cast<std::size_t>(members), none);
    return found;
  }
  const Array<double>& weights = kind.sites.sample_weights();
  const auto totals = sum_over_sites<SurfaceSums>(
      cpu, kind.sites.samples().count(), members, [&](std::int64_t i, std::int64_t m, SurfaceSums& sums) {
        add_extent(shapes.position(i, m), weights[i] * shapes.tangents(i, m).area(), sums);
      });
  for (const SurfaceSums& sums : totals) found.push_back(constraint_of(kind, sums));
  return found;
}

void measure_group(Cpu cpu, const SurfaceKind& kind, const PlacedShapes& placed, SampledShapes& shapes,
                   const TetherPoints& anchors, std::span<MembraneMeasures> measures) {
  const std::int64_t members = placed.group().count;
  assert(static_cast<std::int64_t>(measures.size()) == members);
  shapes.sample(cpu, placed, kind.sites.at_samples(), SurfaceDerivative::value);
  shapes.sample_first(cpu, placed, kind.sites.at_samples());
  if (kind.bends()) shapes.sample_second(cpu, placed, kind.sites.at_samples());

  const auto totals = sum_over_sites<SurfaceSums>(cpu, kind.sites.samples().count(), members,
                                                  AddSite(kind, placed, shapes, anchors));
  for (std::int64_t m = 0; m < members; ++m) {
    const SurfaceSums& sums = totals[m];
    MembraneMeasures& measure = measures[m];
    set_measures(sums, placed.origin(m), measure);
    measure.constraint_energy = constraint_of(kind, sums).energy;
  }
}

} // namespace corral::structure::radial

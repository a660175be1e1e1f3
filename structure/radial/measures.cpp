#include "structure/radial/measures.hpp"

#include "structure/radial/elasticity.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cassert>

namespace corral::structure::radial {

namespace {

/// Integrals over a part of a membrane's sites.
struct SurfaceSums {
  double volume = 0, area = 0;
  std::array<double, 3> open{};   ///< of n
  std::array<double, 3> first{};  ///< of x (x . n), four times that of x over the volume
  std::array<double, 6> second{}; ///< of x x (x . n), five times that over the volume
  double elastic = 0, bending = 0, tether = 0, stretch = 0;
  double widest = 0, narrowest = HUGE_VAL; ///< area ratios

  SurfaceSums& operator+=(const SurfaceSums& other) {
    volume += other.volume;
    area += other.area;
    for (std::size_t d = 0; d < first.size(); ++d) {
      open[d] += other.open[d];
      first[d] += other.first[d];
    }
    for (std::size_t d = 0; d < second.size(); ++d) second[d] += other.second[d];
    elastic += other.elastic;
    bending += other.bending;
    tether += other.tether;
    stretch = std::max(stretch, other.stretch);
    widest = std::max(widest, other.widest);
    narrowest = std::min(narrowest, other.narrowest);
    return *this;
  }
};

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

/// `area`: outwards, of the site [m2].
void add_extent(const Vector& x, const Vector& area, SurfaceSums& sums) {
  const double through = x.dot(area);
  sums.volume += through / 3;
  sums.area += area.norm();
  for (std::size_t d = 0; d < 3; ++d) {
    sums.open[d] += area[static_cast<Eigen::Index>(d)];
    sums.first[d] += through * x[static_cast<Eigen::Index>(d)];
  }
  const double products[] = {x[0] * x[0], x[1] * x[1], x[2] * x[2], x[0] * x[1], x[0] * x[2], x[1] * x[2]};
  for (std::size_t d = 0; d < sums.second.size(); ++d) sums.second[d] += through * products[d];
}

/// The integrals of a volume from those over its surface, by Gauss' theorem.
void set_moments(const SurfaceSums& sums, const Vector& origin, MembraneMeasures& measures) {
  const double volume = sums.volume;
  Vector centre = Vector::Zero(); // from the origin
  if (volume != 0) centre = Vector(sums.first[0], sums.first[1], sums.first[2]) / (4 * volume);
  const double products[] = {centre[0] * centre[0], centre[1] * centre[1], centre[2] * centre[2],
                             centre[0] * centre[1], centre[0] * centre[2], centre[1] * centre[2]};
  for (std::size_t d = 0; d < 6; ++d) measures.second_moments[d] = sums.second[d] / 5 - volume * products[d];
  for (std::size_t d = 0; d < 3; ++d) {
    const auto axis = static_cast<Eigen::Index>(d);
    measures.centroid[d] = origin[axis] + centre[axis];
  }
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
    const Material& material = kind_.material;
    const RestSite& rest = kind_.reference.at_sample(i);
    const double weight = kind_.sites.sample_weights()[i];
    const Tangents tangents = shapes_.tangents(i, m);
    const SurfaceTensor metric = tangents.metric();
    const Strain strain(rest.metric.g, metric);
    add_extent(shapes_.position(i, m), weight * tangents.area(), sums);
    sums.elastic += weight * rest.area * law_at(material, strain.i1, strain.i2).energy;
    const auto [larger, smaller] = principal_stretches(rest.metric.g, metric);
    sums.stretch = std::max(sums.stretch, larger);
    sums.widest = std::max(sums.widest, larger * smaller);
    sums.narrowest = std::min(sums.narrowest, larger * smaller);
    if (kind_.bends()) {
      const Curvature curvature(tangents, shapes_.bends(i, m));
      const double h = curvature.mean - rest.mean_curvature;
      sums.bending += weight * curvature.area * 2 * material.bending_modulus * h * h;
    }
    if (anchors_.pull())
      sums.tether += weight * rest.area * material.tether_stiffness / 2 *
                     anchors_.distance(kind_, placed_, shapes_, i, m).squaredNorm();
  }

private:
  const SurfaceKind& kind_;
  const PlacedShapes& placed_;
  const SampledShapes& shapes_;
  const TetherPoints& anchors_;
};

} // namespace

Constraint::Constraint(const SurfaceKind& kind, double volume, double area, const Vector& all)
    : pressure(kind.material.volume_stiffness * (volume / kind.reference.volume() - 1)),
      tension(kind.material.area_stiffness * (area / kind.reference.area() - 1) + kind.material.tension),
      energy((pressure * (volume - kind.reference.volume()) +
              (tension - kind.material.tension) * (area - kind.reference.area())) / 2 +
             kind.material.tension * area),
      open(all) {}

std::vector<Constraint> constraints(Cpu cpu, const SurfaceKind& kind, const PlacedShapes& placed,
                                    const SampledShapes& shapes) {
  const std::int64_t members = placed.group().count;
  std::vector<Constraint> found;
  found.reserve(static_cast<std::size_t>(members));
  if (!kind.constrained()) {
    const Constraint none(kind, kind.reference.volume(), kind.reference.area(), Vector::Zero());
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
    measure = {};
    measure.volume = sums.volume;
    measure.area = sums.area;
    set_moments(sums, placed.origin(m), measure);
    measure.elastic_energy = sums.elastic;
    measure.bending_energy = sums.bending;
    measure.constraint_energy = constraint_of(kind, sums).energy;
    measure.tether_energy = sums.tether;
    measure.longest_stretch = sums.stretch;
    measure.largest_area_ratio = sums.widest;
    measure.least_area_ratio = sums.narrowest;
  }
}

} // namespace corral::structure::radial

#include "structure/placing/build.hpp"

#include "structure/radial/radial_membranes.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"
#include "structure/surfaces/shapes.hpp"
#include "structure/triangles/triangle_membranes.hpp"

#include <map>
#include <span>
#include <utility>

namespace corral::structure {

const run::ParticleKind vertex_kind{.name = "vertices", .one = "vertex", .keeps_order = true};
const run::ParticleKind site_kind{.name = "sites", .one = "site", .keeps_order = true};

namespace {

using geometry::Vector;

/// The membranes of one surface, from all groups.
struct OfSurface {
  std::vector<geometry::Placement> places;
  std::vector<const std::vector<ImmersedGroup::PathPoint>*> paths;
  struct Pulled {
    const Pull* pull;
    std::int64_t membrane; ///< of this surface
  };
  std::vector<Pulled> pulled;
};

OfSurface gather(const Immersed& setup, std::size_t surface) {
  OfSurface all;
  for (std::size_t g = 0; g < setup.groups.size(); ++g) {
    const ImmersedGroup& group = setup.groups[g];
    if (group.surface != surface) continue;
    for (const geometry::Placement& at : setup.places[g]) {
      for (const Pull& pull : setup.pulls)
        if (pull.group == g) all.pulled.push_back({&pull, static_cast<std::int64_t>(all.places.size())});
      all.places.push_back(at);
      all.paths.push_back(group.path.empty() ? nullptr : &group.path);
    }
  }
  return all;
}

/// Membranes of the kinds, in turn: radial ones share what depends on their numbers of sites alone.
class Maker {
public:
  std::unique_ptr<Membranes> make(const SurfaceModel& kind, const SurfaceShape& shape, std::int64_t count) {
    if (kind.representation == Representation::triangles)
      return std::make_unique<TriangleMembranes>(shape.start, shape.triangles, kind.material, count, shape.reference);
    const std::vector<Vector>& rest = shape.reference.empty() ? shape.start : shape.reference;
    std::array<std::vector<double>, 3> x;
    for (const Vector& point : rest)
      for (std::size_t d = 0; d < 3; ++d) x[d].push_back(point[d]);
    return std::make_unique<RadialMembranes>(Cpu{}, sites(static_cast<std::int64_t>(rest.size()), kind.sites),
                                             ConstPoints{x[0].data(), x[1].data(), x[2].data()}, kind.material, count,
                                             kind.forces);
  }

private:
  std::shared_ptr<const radial::SphereSites> sites(std::int64_t data, std::int64_t samples) {
    auto& found = made_[{data, samples}];
    if (!found) found = std::make_shared<const radial::SphereSites>(Cpu{}, data, samples);
    return found;
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::shared_ptr<const radial::SphereSites>> made_;
};

std::vector<Vector> placed(const SurfaceShape& shape, const std::vector<geometry::Placement>& places) {
  std::vector<Vector> x;
  x.reserve(places.size() * shape.start.size());
  for (const geometry::Placement& at : places)
    for (const Vector& point : shape.start) x.push_back(at(point));
  return x;
}

} // namespace

void build(const Immersed& setup, const Grid& grid, run::Registry& registry, Built& built) {
  Maker maker;
  for (const Representation r : {Representation::triangles, Representation::radial}) {
    Population* population = nullptr;
    std::int64_t number = 0;
    for (std::size_t s = 0; s < setup.surfaces.size(); ++s) {
      const SurfaceModel& kind = setup.surfaces[s];
      OfSurface all = gather(setup, s);
      const auto count = static_cast<std::int64_t>(all.places.size());
      number += count;
      if (kind.representation != r || count == 0) continue;
      if (!population)
        population = &built.populations.emplace_back(registry, r == Representation::triangles ? vertex_kind : site_kind,
                                                     grid);
      const SurfaceShape shape = make_shape(kind);
      const std::vector<Vector> x = placed(shape, all.places);
      const std::int64_t first = population->markers(), each = static_cast<std::int64_t>(shape.start.size());
      auto membranes = maker.make(kind, shape, count);
      if (kind.material.tether_stiffness > 0) built.anchors.hold(*membranes, x, std::move(all.paths));
      for (const OfSurface::Pulled& p : all.pulled)
        built.pulls.hold(*p.pull, first + p.membrane * each,
                         std::span(x).subspan(static_cast<std::size_t>(p.membrane * each), shape.start.size()));
      population->add(std::move(membranes), s, number - count, x, shape.triangles);
    }
    if (population) population->finish();
  }
  built.anchors.set(Cpu{}, 0);
}

} // namespace corral::structure

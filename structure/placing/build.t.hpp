#pragma once

/// Membranes of build.hpp, for either processor.

#include "structure/placing/build.hpp"
#include "structure/radial/device/radial_membranes.hpp"
#include "structure/radial/radial_membranes.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"
#include "structure/surfaces/shapes.hpp"
#include "structure/triangles/triangle_membranes.hpp"

#include <corral/error.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace corral::structure {

namespace placing {

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

OfSurface gather(const Immersed& setup, std::size_t surface);

/// All points of a shape at all places.
std::vector<Vector> placed(const SurfaceShape& shape, const std::vector<geometry::Placement>& places);

/// Membranes of the kinds, in turn: radial ones share what depends on their numbers of sites alone.
template <Execution E> class Maker {
public:
  std::unique_ptr<Membranes<E>> make(const SurfaceModel& kind, const SurfaceShape& shape, std::int64_t count) {
    if (kind.representation == Representation::triangles)
      return std::make_unique<TriangleMembranes<E>>(shape.start, shape.triangles, kind.material, count, shape.reference);
    return radial(kind, shape, count);
  }

private:
  std::unique_ptr<Membranes<E>> radial(const SurfaceModel& kind, const SurfaceShape& shape, std::int64_t count) {
    const std::vector<Vector>& rest = shape.reference.empty() ? shape.start : shape.reference;
    std::array<std::vector<double>, 3> x;
    for (const Vector& point : rest)
      for (std::size_t d = 0; d < 3; ++d) x[d].push_back(point[d]);
    const ConstPoints reference{x[0].data(), x[1].data(), x[2].data()};
    const auto data = static_cast<std::int64_t>(rest.size());
    const std::shared_ptr<const radial::SphereSites> made = sites(data, kind.sites);
    if constexpr (std::same_as<E, Cpu>) {
      return std::make_unique<RadialMembranes>(Cpu{}, made, reference, kind.material, count, kind.forces);
    } else {
      auto& there = sent_[{data, kind.sites}];
      if (!there) there = std::make_shared<const radial::DeviceSites>(*made);
      return std::make_unique<DeviceRadialMembranes>(*made, there, reference, kind.material, count, kind.forces);
    }
  }
  std::shared_ptr<const radial::SphereSites> sites(std::int64_t data, std::int64_t samples) {
    auto& found = made_[{data, samples}];
    if (!found) found = std::make_shared<const radial::SphereSites>(Cpu{}, data, samples);
    return found;
  }
  using Numbers = std::pair<std::int64_t, std::int64_t>;
  std::map<Numbers, std::shared_ptr<const radial::SphereSites>> made_;
  std::map<Numbers, std::shared_ptr<const radial::DeviceSites>> sent_; ///< to a device
};

} // namespace placing

template <Execution E>
void build(E execution, const Immersed& setup, const fluid::Domain& domain, run::Registry& registry, Built<E>& built) {
  placing::Maker<E> maker;
  for (const Representation r : {Representation::triangles, Representation::radial}) {
    Population<E>* population = nullptr;
    std::int64_t number = 0;
    for (std::size_t s = 0; s < setup.surfaces.size(); ++s) {
      const SurfaceModel& kind = setup.surfaces[s];
      placing::OfSurface all = placing::gather(setup, s);
      const auto count = static_cast<std::int64_t>(all.places.size());
      number += count;
      if (kind.representation != r || count == 0) continue;
      if (!population)
        population = &built.populations.emplace_back(registry, r == Representation::triangles ? vertex_kind : site_kind,
                                                     domain);
      const SurfaceShape shape = make_shape(kind);
      const std::vector<placing::Vector> x = placing::placed(shape, all.places);
      const std::int64_t first = population->markers(), each = static_cast<std::int64_t>(shape.start.size());
      auto membranes = maker.make(kind, shape, count);
      if (kind.material.tether_stiffness > 0) built.anchors.hold(*membranes, x, std::move(all.paths));
      for (const placing::OfSurface::Pulled& p : all.pulled)
        built.pulls.hold(*p.pull, first + p.membrane * each,
                         std::span(x).subspan(static_cast<std::size_t>(p.membrane * each), shape.start.size()));
      population->add(std::move(membranes), s, number - count, x, shape.triangles);
    }
    if (population) population->finish();
  }
  built.anchors.set(execution, 0);
}

} // namespace corral::structure

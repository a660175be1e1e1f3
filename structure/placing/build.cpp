#include "structure/placing/build.t.hpp"

namespace corral::structure {

const run::ParticleKind vertex_kind{.name = "vertices", .one = "vertex", .keeps_order = true};
const run::ParticleKind site_kind{.name = "sites", .one = "site", .keeps_order = true};

placing::OfSurface placing::gather(const Immersed& setup, std::size_t surface) {
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

std::vector<Vector> placing::placed(const SurfaceShape& shape, const std::vector<geometry::Placement>& places) {
  std::vector<Vector> x;
  x.reserve(places.size() * shape.start.size());
  for (const geometry::Placement& at : places)
    for (const Vector& point : shape.start) x.push_back(at(point));
  return x;
}

template void build(Cpu, const Immersed&, const fluid::Domain&, run::Registry&, Built<Cpu>&);

} // namespace corral::structure

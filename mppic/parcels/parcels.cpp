#include "mppic/parcels/parcels.hpp"

#include <vector>

namespace corral::mppic {

namespace {
constexpr run::Use state = run::Use::saved | run::Use::shown;
} // namespace

Parcels::Parcels(run::Registry& registry, const SolidsModel& solids, bool warm)
    : set(registry.declare_set(parcel_kind)), ranks(set, registry.grid(), between_centres),
      position(set.declare_vector_column("position", "m", "where the parcel is", state)),
      velocity(set.declare_vector_column("velocity", "m/s", "of the parcel", state)),
      volume(set.declare_column("volume", "m3", "of all particles that the parcel stands for", state)),
      diameter(set.declare_column("diameter", "m", "of its particles", state)),
      drag(set.declare_column("drag_rate", "1/s", "drag over mass and slip velocity", state)),
      id(set.declare_ids("id", "permanent number of the parcel", state)), rho_(solids.rho), densities_(registry.memory()) {
  if (warm) temperature = &set.declare_column("temperature", "K", "of its particles", state);
  if (solids.several.empty()) return;
  solid = &set.declare_integers("solid", "number of its solid, from 0 in the order of the blocks [solid.NAME]", state);
  if (!solids.densities_differ()) return;
  std::vector<double> densities;
  for (const SolidMaterial& s : solids.several) densities.push_back(s.rho);
  densities_ = {densities, registry.memory()};
}

ParcelsView Parcels::view() const {
  const auto [x, y, z] = run::pointers(position);
  const auto [u, v, w] = run::pointers(velocity);
  return {.count = size(),
          .position = {x, y, z},
          .velocity = {u, v, w},
          .drag = drag.data(),
          .volume = volume.data(),
          .diameter = diameter.data(),
          .solid = solid ? solid->data() : nullptr,
          .density = density()};
}

Positions<double> Parcels::positions() const {
  return corral::positions(position[0]->data(), position[1]->data(), position[2]->data(), size());
}

} // namespace corral::mppic

#include "mppic/parcels/parcels.hpp"

namespace corral::mppic {

namespace {
constexpr run::Use state = run::Use::saved | run::Use::shown;
} // namespace

Parcels::Parcels(run::Registry& registry, bool warm)
    : set(registry.declare_set(parcel_kind)),
      position(set.declare_vector_column("position", "m", "where the parcel is", state)),
      velocity(set.declare_vector_column("velocity", "m/s", "of the parcel", state)),
      volume(set.declare_column("volume", "m3", "of all particles that the parcel stands for", state)),
      diameter(set.declare_column("diameter", "m", "of its particles", state)),
      drag(set.declare_column("drag_rate", "1/s", "drag over mass and slip velocity", state)),
      id(set.declare_ids("id", "permanent number of the parcel", state)) {
  if (warm) temperature = &set.declare_column("temperature", "K", "of its particles", state);
}

Positions<double> Parcels::positions() const {
  return corral::positions(position[0]->data(), position[1]->data(), position[2]->data(), size());
}

} // namespace corral::mppic

#pragma once

#include "run/state/registry.hpp"

#include <corral/views.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

/// The driver's set of particles.
inline const run::ParticleKind parcel_kind{.name = "parcels", .one = "parcel"};

/// Their columns, declared in the registry.
struct Parcels {
  /// With temperatures where they are `warm`.
  explicit Parcels(run::Registry& registry, bool warm = false);

  std::int64_t size() const { return set.size(); }
  Positions<double> positions() const;
  std::array<const double*, 3> places() const { return {position[0]->data(), position[1]->data(), position[2]->data()}; }

  run::ParticleSet& set;
  run::Components position; ///< [m]
  run::Components velocity; ///< [m/s]
  Array<double>& volume;    ///< of all particles of a parcel [m3]
  Array<double>& diameter;  ///< of a particle [m]
  Array<double>& drag;      ///< drag over mass and slip velocity, at the end of the last step [1/s]
  Array<std::uint64_t>& id; ///< permanent
  Array<double>* temperature = nullptr; ///< [K]; null where nothing is warm
};

} // namespace corral::mppic

#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/seeds/earlier_bed.hpp"
#include "run/ranks/shared_set.hpp"
#include "run/state/registry.hpp"

#include <corral/host_device.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

/// What each parcel's particles have of their solid, a density for instance: a value, good while its parcels live.
struct ParcelProperty {
  double all = 0;                   ///< of all parcels, where `solid` is null
  const std::int32_t* solid = nullptr; ///< number of the solid of each parcel
  const double* of_solid = nullptr; ///< of each solid

  CORRAL_HOST_DEVICE double operator[](std::int64_t i) const {
    return solid ? of_its_solid(i) : all;
  }
  /// The same where `solid` is not null.
  CORRAL_HOST_DEVICE double of_its_solid(std::int64_t i) const { return of_solid[solid[i]]; }
};

/// The same for loops that vectorise: they don't ask of every parcel whether there are several solids.
struct PropertyOfAll {
  double all;
  CORRAL_HOST_DEVICE explicit PropertyOfAll(const ParcelProperty& of) : all(of.all) {}
  CORRAL_HOST_DEVICE double operator[](std::int64_t) const { return all; }
};
struct PropertyOfSolids {
  ParcelProperty of;
  CORRAL_HOST_DEVICE double operator[](std::int64_t i) const { return of.of_its_solid(i); }
};

/// Calls f(property) with the one that fits.
template <class F> void with_property(const ParcelProperty& property, const F& f) {
  if (property.solid) f(PropertyOfSolids{property});
  else f(PropertyOfAll{property});
}

/// What loops see of Parcels: a value, good while none of them comes or goes.
struct ParcelsView {
  std::int64_t count;
  double *position[3], *velocity[3]; ///< [m], [m/s]
  double* drag;                      ///< D [1/s]
  const double *volume, *diameter;   ///< [m3], [m]
  const std::int32_t* solid;         ///< number of its solid; null where there is one
  ParcelProperty density;            ///< [kg/m3]
};

/// The order of a step: parcels between eight cells' centres lie together. They share the points of a trilinear map of cells, and
/// the group in which they return to isotropy.
inline constexpr std::array<Offset, 3> between_centres{Offset::half, Offset::half, Offset::half};

/// Their columns, declared in the registry.
struct Parcels {
  /// With temperatures where they are `warm`.
  explicit Parcels(run::Registry& registry, const SolidsModel& solids = {}, bool warm = false);

  std::int64_t size() const { return set.size(); }
  std::int64_t total() const { return set.total(); } ///< of all ranks
  Positions<double> positions() const;
  ParcelsView view() const;
  std::array<const double*, 3> places() const { return {position[0]->data(), position[1]->data(), position[2]->data()}; }

  run::ParticleSet& set;
  run::SharedSet ranks;     ///< among which they are shared out, where there are several
  run::Components position; ///< [m]
  run::Components velocity; ///< [m/s]
  Array<double>& volume;    ///< of all particles of a parcel [m3]
  Array<double>& diameter;  ///< of a particle [m]
  Array<double>& drag;      ///< drag over mass and slip velocity, at the end of the last step [1/s]
  Array<std::uint64_t>& id; ///< permanent
  Array<std::int32_t>* solid = nullptr; ///< number of its solid; null where there is one
  Array<double>* temperature = nullptr; ///< [K]; null where nothing is warm

  ParcelProperty density() const {
    return solid && !densities_.empty() ? ParcelProperty{rho_, solid->data(), densities_.data()} : ParcelProperty{rho_};
  }

private:
  double rho_;
  Array<double> densities_; ///< of the solids, empty where all have one
};

} // namespace corral::mppic

#pragma once

#include "fluid/domain.hpp"
#include "run/state/registry.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace corral::mppic {

/// The driver's set of particles.
inline const run::ParticleKind parcel_kind{.name = "parcels", .one = "parcel"};

/// What a case takes from the checkpoint of another run: its parcels in the order of their numbers there, and what gas and
/// contact were about to do. A registry holds them, so that they are read as they were saved.
struct EarlierBed {
  /// As the other run declared them: `several` solids, temperatures where it was `warm`.
  EarlierBed(const Grid& grid, bool several, bool warm, const std::array<fluid::SideKind, 6>& sides);
  EarlierBed(const EarlierBed&) = delete;
  EarlierBed& operator=(const EarlierBed&) = delete;

  std::int64_t size() const { return set.size(); }
  /// Number in this case of the solid that a parcel is of.
  std::int32_t solid_of(std::int64_t i) const { return solids[solid ? static_cast<std::size_t>((*solid)[i]) : 0]; }

  Grid grid; ///< there
  run::Registry state;
  run::ParticleSet& set;
  run::Components position, velocity; ///< [m], [m/s]
  Array<double>&volume, &diameter;    ///< of all particles of a parcel [m3], of one of them [m]
  Array<std::uint64_t>& id;
  Array<std::int32_t>* solid = nullptr; ///< by its number there; null where there was one
  Array<double>* temperature = nullptr; ///< [K]; null where nothing was warm

  struct Fields {
    run::Components gas_velocity;                                 ///< [m/s]
    run::Components contact_acceleration, friction_acceleration; ///< w and its part by friction [m/s2]
    std::array<fluid::SideKind, 6> sides;                         ///< those of the box there
  };
  Fields fields;

  std::vector<std::int32_t> solids;   ///< number in this case of each solid there
  std::vector<std::int64_t> by_number; ///< places of the parcels in ascending order of their ids
  Array<double> fraction;             ///< solids fraction that they give the cells of this case, as parcels are mapped [-]
};

/// The parcels of one solid of the case among those that are taken.
struct EarlierSolids {
  int solid = 0;                 ///< number in SolidsModel::several
  std::int64_t parcels = 0;
  double volume = 0;             ///< of all of them [m3]
  double largest_parcel = 0;     ///< volume of its solids [m3]
  double largest_diameter = 0;   ///< [m]
  double particles = 0;          ///< that they stand for
  double by_diameter = 0;        ///< sum of volume/d [m2]
  double by_diameter_squared = 0; ///< sum of volume/d^2 [m]
};

/// What a case begins with beside its seeds.
struct Start {
  std::string place{};     ///< directory of the checkpoint; empty where it is not read, for the run goes on from its own
  std::int64_t step = 0;
  std::string time{};      ///< simulated there [s]
  bool same_cells = true;  ///< here as there; else fields are taken to other cells, by volume
  bool takes_gas = false;  ///< velocities of the gas are those there
  double temperature = 300; ///< of parcels that had none there [K]
  std::vector<EarlierSolids> solids{};
  std::shared_ptr<const EarlierBed> bed{}; ///< until it has begun

  std::int64_t parcels() const {
    std::int64_t all = 0;
    for (const EarlierSolids& s : solids) all += s.parcels;
    return all;
  }
};

} // namespace corral::mppic

#pragma once

#include "mppic/seeds/sizes.hpp"
#include "run/random.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace corral::mppic {

/// A box along the axes, from its lower to its upper corner [m].
struct Box {
  std::array<double, 3> low{};
  std::array<double, 3> high{};

  double volume() const { return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]); } ///< [m3]
};

/// The box that the grid covers.
Box domain(const Grid&);

/// The part of `region` inside the grid. Throws Error where there is none.
Box clipped(const Box& region, const Grid&);

/// Where the parcels of a region lie.
enum class Arrangement : std::uint8_t {
  random,       ///< anywhere, independently
  stratified,   ///< one at random in each of `parcels` equal slices along `axis`
  cells,        ///< as many in each cell as its share of the region's volume gives, at random within it
  lattice,      ///< `lattice` points across the region, the first at half a pitch
  cell_lattice, ///< `lattice` points across each cell, those inside the region
};

/// How a region of the domain is filled at the start.
struct Seeding {
  Box region; ///< its part inside the domain counts
  Arrangement arrangement = Arrangement::random;
  std::int64_t parcels = 0;                     ///< random, stratified, cells
  int axis = 2;                                 ///< stratified: 0, 1 or 2
  std::array<std::int64_t, 3> lattice{1, 1, 1}; ///< lattice, cell_lattice: points per direction
  double jitter = 0; ///< lattices: largest random displacement per direction [m], at most half the pitch
  /// Exactly one of the two is given: the region's solids fraction [-], kept to round-off whatever sizes are drawn,
  /// or the mean number of particles in a parcel.
  std::optional<double> solids_fraction = {};
  std::optional<double> particles_per_parcel = {};
};

/// Parcels that fill the region with `per_cell` of them in each cell, to the nearest whole number; at most 2^63 - 1.
std::int64_t parcels_by_cell(const Grid&, const Box& region, double per_cell);

/// Parcels such that a cell at close packing holds `per_cell` of them: the choice of the statistical weight that
/// does not depend on how densely the region starts.
std::int64_t parcels_at_packing(const Grid&, const Box& region, double per_cell, double solids_fraction,
                                double theta_cp);

/// Points of a lattice along one axis: `count` of them, number i at start + (first + i + 1/2) pitch [m].
struct LatticeLine {
  double start = 0, pitch = 0;
  std::int64_t first = 0, count = 0;

  double at(std::int64_t i) const { return start + (static_cast<double>(first + i) + 0.5) * pitch; }
};

bool is_lattice(const Seeding&);
/// The points along each axis; those of the lattice are their products. Throws Error as `seed_count` does.
std::array<LatticeLine, 3> lattice_lines(const Grid&, const Seeding&);

/// Parcels as they start, one value each.
struct Seeds {
  std::array<Array<double>, 3> position; ///< x, y, z [m], inside the region
  Array<double> diameter;                ///< of the particles [m]
  Array<double> weight;                  ///< particles that a parcel stands for [-], not necessarily whole

  std::int64_t size() const { return diameter.size(); }
};

/// Parcels that `seed` makes, counted without making any; what is beyond 2^63 counts as 2^63 - 1. Throws Error where
/// the seeding makes no sense.
std::int64_t seed_count(const Grid&, const Seeding&);

/// Mean volume of the solids in a parcel [m3]; 0 where the seeding makes no parcels. Throws Error as `seed_count` does.
double parcel_volume(const Grid&, const Seeding&, const SizeDistribution&);

/// Those of the parcels of a seeding that one of several processes makes.
struct SeedShare {
  std::int64_t begin = 0, end = 0;               ///< their numbers
  std::function<double(double mine)> total = {}; ///< of all processes
};

/// Makes the parcels; number i draws from `random` as parcel `first_id + i` at step 0. Sizes weighted by number give
/// all parcels one weight, sizes weighted by mass one volume. Throws Error as `seed_count` does.
Seeds seed(Cpu, const Grid&, const Seeding&, const SizeDistribution&, const run::Random&, std::uint64_t first_id);
/// Those of a share alone: collective.
Seeds seed(Cpu, const Grid&, const Seeding&, const SizeDistribution&, const run::Random&, std::uint64_t first_id, const SeedShare&);

} // namespace corral::mppic

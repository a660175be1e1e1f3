#pragma once

#include "mppic/seeds/seeding.hpp"

#include <corral/grid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace corral::mppic {

/// What each slab of cells across one axis has of something, from slab `first` on [-]; the slabs beyond have nothing.
struct Shares {
  std::int64_t first = 0;
  std::vector<double> values;

  double at(std::int64_t slab) const {
    return slab < first || slab >= end() ? 0 : values[slab - first];
  }
  std::int64_t end() const { return first + static_cast<std::int64_t>(values.size()); }
};

/// Solids laid out over the grid as a product: cell (i, j, k) holds amount x_i y_j z_k.
struct ProductLayout {
  double amount = 0;
  std::array<Shares, 3> shares;
};

/// How a seed's parcels are taken to lie in its region.
enum class Placing : std::uint8_t {
  even,     ///< as much everywhere: what any arrangement means
  as_placed ///< lattices point by point, without their jitter; what is drawn at random evenly, as it is on average
};

/// The solids fraction that a seed gives the cells, as parcels are mapped to them (trilinearly; at walls the share that
/// falls outside counts inside), so that it is `solids_fraction` at the start but for what is random.
ProductLayout layout(const Grid&, const Seeding&, const SizeDistribution&, Placing);

/// What an interval of an axis [m] covers of each slab, 0 to 1.
Shares covered(const Axis&, double low, double high);

/// A cell and what it holds.
struct Fullest {
  double total = 0;
  std::array<std::int64_t, 3> cell{};
  std::vector<std::size_t> layouts; ///< those that have a part in it, by their number
};

/// The cell in which the layouts add up to most, the first of equals up to round-off. Neighbours that hold the same are
/// looked at once, and none that could not hold more: fast for millions of cells and many layouts.
Fullest fullest_cell(const std::vector<ProductLayout>& layouts);

} // namespace corral::mppic

#pragma once

#include <corral/host_device.hpp>

#include <cstdint>

namespace corral::fluid {

/// Bits of a cell's six faces: lower and upper x, y, z.
struct FaceBits {
  unsigned positive = 0; ///< b > 0
  unsigned outside = 0;  ///< on a boundary
  unsigned itself = 0;   ///< of a thin periodic axis: the cell is its own neighbour
};

/// Which coefficients are 0, counted over cells.
struct PressurePattern {
  std::uint64_t hash = 0;
  std::int64_t closed = 0;   ///< faces between two cells with b = 0, each counted twice
  std::int64_t pins = 0;     ///< boundary faces and diagonals above 0
  std::int64_t blocked = 0;  ///< cells without any coefficient
  std::int64_t unpinned = 0; ///< cells that are not blocked and have no diagonal
  bool operator==(const PressurePattern&) const = default;

  CORRAL_HOST_DEVICE PressurePattern& operator+=(const PressurePattern& other) {
    hash += other.hash;
    closed += other.closed;
    pins += other.pins;
    blocked += other.blocked;
    unpinned += other.unpinned;
    return *this;
  }

  /// `diagonal`: whether the cell's is above 0.
  CORRAL_HOST_DEVICE void add(std::int64_t cell, bool diagonal, const FaceBits& f) {
    const unsigned open = f.positive & ~f.itself;
    closed += count(~(f.positive | f.outside | f.itself) & 63);
    pins += count(f.positive & f.outside) + (diagonal ? 1 : 0);
    blocked += !diagonal && open == 0 ? 1 : 0;
    unpinned += !diagonal && open != 0 ? 1 : 0;
    hash += mix(static_cast<std::uint64_t>(cell) * 128 + (diagonal ? 64 : 0) + open);
  }

  /// Connected, since no two neighbours are parted: one part, pinned or not.
  bool connected() const { return closed == 0 && blocked == 0; }
  bool whole() const { return connected() && pins == 0; }
  /// Whether cells must be told apart by the part that they belong to.
  bool has_parts() const { return !connected() && (blocked > 0 || unpinned > 0); }

private:
  CORRAL_HOST_DEVICE static int count(unsigned bits) {
    int found = 0;
    for (; bits != 0; bits &= bits - 1) ++found;
    return found;
  }
  CORRAL_HOST_DEVICE static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u; // splitmix64, Steele et al. 2014
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
};

} // namespace corral::fluid

#pragma once

#include "fluid/lattice/collision.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid::lattice {

/// Cells of a row at a time: their populations stay in the nearest cache between two visits of memory.
inline constexpr int block_cells = 64;
inline constexpr int vector_cells = 8; ///< of these, as many as are computed with at once, and as a line of a cache has doubles

template <class Set, class A> struct Block {
  alignas(64) A g[Set::count][block_cells];
  alignas(64) A force[3][block_cells];
  alignas(64) A u[3][block_cells];
  alignas(64) A excess[block_cells];
  alignas(64) A rho[block_cells], shared[block_cells]; ///< scratch
};

/// Cells that follow each other, whose populations meet nothing on their way: where each is read, at the first cell.
template <class Set, class T> struct Arrivals {
  std::array<const T*, Set::count> from;
};

/// And where it goes. Places of a cell are no other cell's.
template <class Set, class T> struct Stretch : Arrivals<Set, T> {
  std::array<T*, Set::count> to;
  std::int64_t ahead = 0;        ///< so many values on lie those that will be asked for next

  Stretch at(std::int64_t cell) const {
    Stretch s = *this;
    for (int q = 0; q < Set::count; ++q) s.from[q] += cell, s.to[q] += cell;
    return s;
  }
};

/// What a step does in each cell.
template <class A> struct Rule {
  Collision collision;
  Relaxation<A> relaxation;
  bool forces; ///< whether some act in the cells at hand: else those in the block are not looked at
};

/// Lets the first n cells of a block collide; u and excess are those that the collision saw. Compiled in a file for each set.
template <class Set, class A> void collide(Block<Set, A>&, int n, const Rule<A>&);
/// Finds u and excess, and leaves populations alone.
template <class Set, class A> void look(Block<Set, A>&, int n);
template <class Set, class T, class A> void look(const Arrivals<Set, T>&, Block<Set, A>&, int n); ///< of what arrives there
/// The same collision of n cells of a stretch, block_cells at most, by their forces in the block; u goes there.
template <class Set, class T, class A> void collide(const Stretch<Set, T>&, Block<Set, A>&, int n, const Rule<A>&);

} // namespace corral::fluid::lattice

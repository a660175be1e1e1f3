#pragma once

#include "fluid/lattice/collision.hpp"

namespace corral::fluid::lattice {

/// Cells of a row at a time: their populations stay in the nearest cache between two visits of memory.
inline constexpr int block_cells = 64;

template <class Set, class A> struct Block {
  alignas(64) A g[Set::count][block_cells];
  alignas(64) A force[3][block_cells];
  alignas(64) A u[3][block_cells];
  alignas(64) A excess[block_cells];
};

/// What a step does in each cell.
template <class A> struct Rule {
  Collision collision;
  Relaxation<A> relaxation;
};

/// Lets the first n cells of a block collide; u and excess are those that the collision saw. Compiled in a file for each set.
template <class Set, class A> void collide(Block<Set, A>&, int n, const Rule<A>&);
/// Finds u and excess, and leaves populations alone.
template <class Set, class A> void look(Block<Set, A>&, int n);

} // namespace corral::fluid::lattice

#pragma once

#include "mppic/case/setup.hpp"

namespace corral::mppic {

/// How fast what a seed holds comes to be along gravity before it meets something.
struct Fall {
  int axis = 0;
  double height = 0; ///< [m] that it falls, what is left to settle by included
  double speed = 0;  ///< [m/s] with what it starts with; no more than the terminal velocity of its largest grains
};

/// Of a seed of the case: down to the floor, or to the highest seed that lies below it. Along periodic axes nothing is met.
Fall fall_of(const Setup&, const Seed&);

/// Cells that solids may fall through in a step of fixed length before they meet something. Dropped and laid beds on cells
/// of 2.5 to 20 mm, in steps of 1 to 10 ms, land up to this as in adaptive steps (docs/validation/landing.md).
constexpr double most_cells_fallen = 0.5;

} // namespace corral::mppic

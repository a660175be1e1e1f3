#pragma once

#include "fluid/faces.hpp"

/// Loops for checks and for sums in one variable: neither Catch2 nor a plain variable takes several threads.
namespace corral::test {

/// Calls f(fluid::Face) for every face with normal d, one after another.
template <class F> void each_face_in_turn(const Grid& grid, int d, F f) {
  run_with_threads(1, [&] { fluid::for_each_face(Cpu{}, grid, d, [&f](const fluid::Face& face) { f(face); }); });
}

/// Calls f(fluid::Cell) for every cell, one after another.
template <class F> void each_cell_in_turn(const Grid& grid, F f) {
  run_with_threads(1, [&] { fluid::for_each_cell(Cpu{}, grid, [&f](const fluid::Cell& cell) { f(cell); }); });
}

} // namespace corral::test

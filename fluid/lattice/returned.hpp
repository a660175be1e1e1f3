#pragma once

#include <corral/vector_loops.hpp>

/// What sides make of a population of weight w and velocity c that returns from them, at their velocity u (sides.hpp).
namespace corral::fluid::lattice {

/// Component d of a population's velocity as a wall sees it. A wall that slides carries the mass of half a layer along, from link to
/// link. Where it slides from one wall to another that has to end: in an edge with one of these, `ends` (bit s: side s), it does not
/// count what is along its normal.
CORRAL_INLINED int along_wall(int side, unsigned ends, int d, int c) { return d != side / 2 && (ends >> 2 * d & 3) != 0 ? 0 : c; }

/// The momentum of a wall that moves (Ladd 1994), to be added.
template <class C> CORRAL_INLINED double given_by_wall(double w, const C& c, double ux, double uy, double uz) {
  return 6 * w * (c[0] * ux + c[1] * uy + c[2] * uz);
}

/// Twice what is even of the equilibrium at the density at rest, from which the population is taken.
template <class C> CORRAL_INLINED double even_at_outlet(double w, const C& c, double ux, double uy, double uz) {
  const double cu = c[0] * ux + c[1] * uy + c[2] * uz;
  const double square = ux * ux + uy * uy + uz * uz;
  return w * (9 * cu * cu - 3 * square);
}

} // namespace corral::fluid::lattice

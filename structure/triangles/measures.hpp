#pragma once

#include "structure/surfaces/membranes.hpp"
#include "structure/triangles/connectivity.hpp"
#include "structure/triangles/in_plane.hpp"
#include "structure/triangles/reference.hpp"
#include "structure/triangles/strain_energy.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace corral::structure {

/// Sums over triangles, and over vertices, that measures are made of.
struct ShapeSums {
  double volume = 0, area = 0;                 ///< [m3], [m2]
  std::array<double, 3> first{};               ///< of the volume about the first vertex [m4]
  std::array<double, 6> second{};              ///< xx yy zz xy xz yz [m5]
  double elastic = 0, bending = 0, tether = 0; ///< energies [J]
  double longest = 0;                          ///< square of the largest stretch of a side [-]
  double widest = 0, narrowest = HUGE_VAL;     ///< squares of the largest and least area ratio of a triangle [-]
};

/// How bending counts in sums: of hinges over triangles, of vertices over those. Those over triangles read the normals of
/// hinges, and set what vertices need.
struct BendingSums {
  BendingLaw law = BendingLaw::none;
  double modulus = 0;                                ///< k_b of a hinge or kappa [J]
  double *normals = nullptr, *areas = nullptr; ///< as `set_normals` leaves them
};

/// sums[c] of everything that stands on triangles; exact for the polyhedron: a triangle spans a tetrahedron with the
/// membrane's first vertex.
template <Execution E>
void sum_triangles(E, std::int64_t membranes, const MembraneView& membrane, const ReferenceView& reference,
                   const StrainEnergy& strain_energy, const BendingSums& bending, Array<ShapeSums>& parts,
                   ShapeSums* sums);
/// sums[c] of everything that stands on vertices.
template <Execution E>
void sum_vertices(E, std::int64_t membranes, const MembraneView& membrane, const ReferenceView& reference,
                  const BendingSums& bending, const TetherSprings& tethers, Array<ShapeSums>& parts, ShapeSums* sums);

/// measures[c], what these sums say. Without volume the centroid is the membrane's first vertex.
template <Execution E>
void set_measures(E, std::int64_t membranes, const MembraneView& membrane, const ShapeSums* of_triangles,
                  const ShapeSums* of_vertices, const ExtentPenalty& penalty, MembraneMeasures* measures);

/// Principal Cauchy tensions of each triangle, force per deformed length [N/m]: larger[c triangles + t] >= smaller[...].
/// In principal axes T_i = (2/J) (W1 l_i^2 + W2 J^2). 0 where a triangle has no area.
template <Execution E>
void set_tensions(E, std::int64_t membranes, const MembraneView& membrane, const double* metric,
                  const StrainEnergy& strain_energy, double* larger, double* smaller);

/// ratios[c triangles + t] = J, area over its own in the reference shape [-].
template <Execution E>
void set_area_ratios(E, std::int64_t membranes, const MembraneView& membrane, const double* metric, double* ratios);

/// H[c vertices + v] of bending.hpp, 1/R on a sphere [1/m]; `normals` and `areas` as `set_normals` leaves them.
template <Execution E>
void set_mean_curvatures(E, std::int64_t membranes, const MembraneView& membrane, const double* normals,
                         const double* areas, double* H);

} // namespace corral::structure

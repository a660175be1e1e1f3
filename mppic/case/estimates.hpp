#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/seeds/occupancy.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace corral::mppic {

/// What the case comes to, a line each: box, seeds, inlets of solids, parcels, memory, time step, warnings.
std::vector<std::string> describe(const Setup&);
/// The same, and what each of some ranks has and sends.
std::vector<std::string> describe_for(const Setup&, int ranks);

/// Memory that a run of the case takes at its peak [bytes], for the parcels that it starts with.
struct MemoryNeed {
  double cells = 0, parcels = 0;
  double total() const;
};

/// Of one of the ranks, estimated from the numbers of cells and parcels, without making either.
MemoryNeed memory_needed(const Setup&);

/// What the models that a case asks for beside the plain step take of a cell, a face and a parcel [bytes].
struct ModelBytes {
  double cell = 0, face = 0, parcel = 0;

  ModelBytes& operator+=(const ModelBytes& other) {
    cell += other.cell, face += other.face, parcel += other.parcel;
    return *this;
  }
};
ModelBytes bytes_of_models(const Setup&, Memory memory = Memory::host);

/// Cells along each axis; a double each, as below.
using Extents = std::array<double, 3>;
Extents extents(const Setup&);
inline double product(const Extents& n) { return n[0] * n[1] * n[2]; }
double face_count(const Extents&);

/// Points of a multigrid solver's grids.
struct SolverPoints {
  double stored = 0;  ///< of all, ghosts included
  double of_sums = 0; ///< of the coarser ones, in plain order
};
SolverPoints solver_points(Extents cells);

/// Parcels at the start. A double: what a case asks for may be more than can be counted.
double parcels_at_start(const Setup&);

/// What the case's seeds give the cell that they fill the most, and which of the seeds do.
Fullest fullest_start(const Setup&, Placing);

/// Superficial velocity of an inlet's gas where and when it is fastest [m/s].
inline double fastest_gas(const fluid::Inlet& inlet) {
  return fluid::middle_velocity(inlet) * inlet.schedule.largest();
}

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

#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/parcels/parcels.hpp"
#include "mppic/parcels/solid_books.hpp"
#include "run/state/books.hpp"

namespace corral::mppic {

/// Appends the parcels of all seeds, in the case's order, and counts them as created.
void seed_parcels(Cpu, const Setup& setup, const Grid& grid, run::Books& books, SolidBooks& solid_books, Parcels& parcels);

/// The gas velocity at time 0: as given, or so that with the seeds' velocities no volume flows; what inlets give on their
/// faces. `sums` are those of the seeds.
void start_gas(Cpu, const Setup& setup, const fluid::Domain& domain, const FaceSums& sums, Flow& flow);

} // namespace corral::mppic

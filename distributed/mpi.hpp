#pragma once

#include "distributed/ranks.hpp"

#include <mpi.h>

/// The one header of this room that knows MPI: for hosts that have a communicator.
namespace corral::distributed {

struct Ranks::Communicator {
  explicit Communicator(MPI_Comm of); ///< duplicates it; collective
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
};

/// Ranks with a communicator of their own, of the processes of this one, in its order. Collective. The host may free
/// its own.
Ranks ranks_of(MPI_Comm);

/// What `ranks` speak over, for calls of MPI's and PETSc's; it lives as long as they do.
inline MPI_Comm communicator_of(const Ranks& ranks) { return ranks.communicator().comm; }

} // namespace corral::distributed

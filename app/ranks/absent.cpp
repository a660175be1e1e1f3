/// Of a command that is built without MPI.

#include "app/ranks/started.hpp"

#include <corral/error.hpp>

#include <string>

namespace corral::app {

std::shared_ptr<const distributed::Team> started_team() {
  if (const int processes = started_processes(); processes > 1)
    throw Error("started as one of " + std::to_string(processes) + " processes (this corral does not run over ranks: each of them would "
                "run all of the case) start it without mpirun, or build it with -DCORRAL_DISTRIBUTED=ON");
  return nullptr;
}

} // namespace corral::app

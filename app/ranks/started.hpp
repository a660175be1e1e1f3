#pragma once

#include "distributed/team.hpp"

#include <memory>

namespace corral::app {

/// The processes that this one was started with, as by mpirun; null where it is alone. Throws Error where there are others and this
/// corral does not run over ranks. Once in a program, first of all; what it starts ends with the last copy.
std::shared_ptr<const distributed::Team> started_team();

/// How many processes mpirun, or a queue in its place, has started; 1 where nobody says so.
int started_processes();

} // namespace corral::app

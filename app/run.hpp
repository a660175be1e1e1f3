#pragma once

#include "distributed/team.hpp"
#include "run/driver.hpp"

#include <memory>
#include <vector>

namespace corral::app {

/// What `main` of a program with these drivers does: the whole command, its arguments, its answers and its exit status
/// (0 done, 1 the run failed, 2 bad input or usage, 3 interrupted). Call it first of all, and once: the standard streams
/// become its own, and signals while it runs. `drivers` is called once; where it finds no memory, that is said, too. `team`, where
/// there is one, is called before it, and gives the processes that run together (app/ranks/started.hpp).
int run(int argc, char** argv, std::vector<run::DriverKind> (*drivers)(),
        std::shared_ptr<const distributed::Team> (*team)() = nullptr);

} // namespace corral::app

#pragma once

#include "run/driver.hpp"

#include <vector>

namespace corral::app {

/// What `main` of a program with these drivers does: the whole command, its arguments, its answers and its exit status
/// (0 done, 1 the run failed, 2 bad input or usage, 3 interrupted). Call it first of all, and once: the standard streams
/// become its own, and signals while it runs. `drivers` is called once; where it finds no memory, that is said, too.
int run(int argc, char** argv, std::vector<run::DriverKind> (*drivers)());

} // namespace corral::app

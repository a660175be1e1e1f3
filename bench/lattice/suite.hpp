#pragma once

#include "bench/maps.hpp"

namespace corral::bench {

/// `--suite lattice`: what a cell of the lattice Boltzmann fluid costs beside a copy of memory, and what bodies add.
OtherSuite lattice_suite();

} // namespace corral::bench

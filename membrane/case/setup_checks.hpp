#pragma once

#include "membrane/setup/setup.hpp"

namespace corral::membrane {

/// What only a whole case can be asked: whether it fits into memory, its grid is one that the solver takes, its step is
/// stable, and its membranes find their places, which are put into it. Adds the first problem found.
void check_setup(MembraneSetup& setup, const run::Settings& settings, run::Problems& problems);

/// Its last part: sizes of membranes, paths, pulls, places.
void check_membranes(MembraneSetup& setup, const run::Settings& settings, run::Problems& problems);

/// Share by which a lattice fluid inside a surface becomes denser under its tension gamma: 2 gamma/(R rho c^2), c the speed of
/// sound.
double yields_to_tension(const MembraneSetup&, const structure::SurfaceModel&);

} // namespace corral::membrane

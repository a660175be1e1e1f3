#pragma once

#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <filesystem>

namespace corral::app {

/// Writes all that is saved of the two registries into an HDF5 file, laid out by the base standard of openPMD 1.1: fields
/// as meshes with their staggering, sets of particles as species, units as powers of SI's. What the standard has no
/// place for stands under /corral/state and /corral/loop: numbers, tables, connectivity. Values are those of memory,
/// bit for bit. Throws Error.
void write_state(const std::filesystem::path& file, const run::Registry& state, const run::Registry& loop,
                 const run::Clock& clock);

/// Reads it into registries that were declared alike. Throws Error where the file lacks something or holds it in
/// another shape; some of it may have been read by then.
void read_state(const std::filesystem::path& file, run::Registry& state, run::Registry& loop);

} // namespace corral::app

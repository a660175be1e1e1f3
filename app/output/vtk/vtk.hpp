#pragma once

#include "run/state/registry.hpp"

#include <filesystem>

namespace corral::app {

/// Writes the `shown` fields as VTK ImageData (.vti), at the cells' centres: means over the cell where their points lie
/// elsewhere, vectors as vectors. `time` [s] stands in the file as TimeValue.
void write_fields(const std::filesystem::path& path, const run::Registry& registry, double time);

/// Writes a set of particles as VTK PolyData (.vtp): points from the vector column "position", the other `shown`
/// columns as point data, vector columns as vectors. A set with triangles is written as these, with what stands on them
/// as cell data; otherwise all points are in one poly-vertex cell, which is what makes viewers draw them. Throws Error
/// where the set has no position column.
void write_particles(const std::filesystem::path& path, const run::ParticleSet& set, double time);

} // namespace corral::app

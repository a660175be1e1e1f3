#pragma once

#include "run/registry.hpp"

#include <filesystem>

namespace corral::app {

/// Writes the `shown` fields as VTK ImageData (.vti): cell fields as they are, face fields averaged to the cells as
/// vectors. `time` [s] stands in the file as TimeValue.
void write_fields(const std::filesystem::path& path, const run::Registry& registry, double time);

/// Writes the parcels as VTK PolyData (.vtp): points from the vector column "position", the other `shown` columns as
/// point data, vector columns as vectors, all points in one poly-vertex cell, which is what makes viewers draw them.
/// Throws Error where the registry has no position column.
void write_parcels(const std::filesystem::path& path, const run::Registry& registry, double time);

} // namespace corral::app

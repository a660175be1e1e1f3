#pragma once

#include "tests/state/runs.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace corral::test {

/// Directories of the shipped cases, in alphabetical order.
std::vector<std::filesystem::path> shipped_cases();

/// One of them with `overrides`, "section.key=value" each. Membranes get coarser grids and fewer points: what a run
/// hands on does not depend on how many there are.
Runs shipped(const std::filesystem::path& directory, const std::vector<std::string>& overrides = {});

/// Everything at once, small: gas that comes and goes, solids that do so in every step, through inlets above the bed and in
/// it, a schedule, an adaptive step, the audit.
Runs busy_bed();

/// Walls that slide, pulls, repulsion, tethers on a path, two surfaces of triangles and one of radial functions, random
/// places, an adaptive step, with `overrides`.
Runs busy_membranes(const std::vector<std::string>& overrides = {});

} // namespace corral::test

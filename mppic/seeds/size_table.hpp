#pragma once

#include "mppic/seeds/sizes.hpp"
#include "run/case/problems.hpp"

#include <filesystem>
#include <optional>

namespace corral::mppic {

/// Reads a size distribution: one "diameter, cumulative share" a line, the diameter with an optional unit (metres
/// without), the share from 0 to 1 or with %; '#' starts a comment. The points are those of
/// SizeDistribution::table. Whatever is wrong is added to `problems` with its line, and nothing is returned.
std::optional<SizeDistribution> read_size_table(const std::filesystem::path& file, Weighting weighting,
                                                run::Problems& problems);

} // namespace corral::mppic

#pragma once

#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace corral::app {

/// What a file is to hold.
struct Shown {
  bool fields = false;
  std::vector<const run::ParticleSet*> sets{};
};

/// Writes what is `shown` as an HDF5 file by openPMD (openpmd/iteration_file.hpp): the fields where their points lie, the
/// columns of the sets, and under /corral/state triangles and what stands on them. The same state is the same bytes, and
/// the file appears whole or not at all. `series`: how the files of its series are called, "" where it stands alone.
/// Throws Error, also where a set has no position column.
void write_shown(const std::filesystem::path& path, const run::Registry& registry, const Shown& shown,
                 const run::Clock& clock, const std::string& series = "");

} // namespace corral::app

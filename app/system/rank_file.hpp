#pragma once

#include "app/system/checksum.hpp"
#include "run/ranks/rank_file.hpp"
#include "run/state/registry.hpp"

namespace corral::app {

/// A plain file that is there, through the system's calls of this folder. Throws as `cannot_read` and `cannot_write`.
std::unique_ptr<run::RankFile> open_rank_file(const std::filesystem::path& path, run::Access access);

/// As these ranks make them together, of a file that they have written; this process where there are none.
Checksums checksums_by(run::Registry::Source* ranks);

} // namespace corral::app

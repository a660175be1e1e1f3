#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

/// The first bytes of an HDF5 file that has no manifest: text, which HDF5 leaves to applications (the user block), with
/// the checksum of all that follows. HDF5 trusts what it reads, and must not meet what a disk has damaged.
namespace corral::app::seal {

inline constexpr std::size_t bytes = 512;

/// The seal of what the file holds behind it now; `bytes` long. Throws Error where it cannot be read.
std::string of(const std::filesystem::path& file);
/// Whether a file begins as a sealed one does. Throws where it cannot be read.
bool begins(const std::filesystem::path& file);
/// Throws Error where the file has none, or another than its bytes deserve.
void require(const std::filesystem::path& file);

} // namespace corral::app::seal

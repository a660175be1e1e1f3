#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// 32 hexadecimal digits that any change of the bytes changes (XXH3, 128 bits): against faults, not against malice.
std::string checksum(std::string_view bytes);

/// Of each `block` bytes of the first `bytes` of a file without those before `from`, the last block shorter. Throws Error
/// where it cannot be read or ends before.
std::vector<std::string> checksums(const std::filesystem::path& file, std::size_t bytes, std::size_t block,
                                   std::size_t from = 0);

/// Who makes them: this process, or ranks that share the work.
using Checksums =
    std::function<std::vector<std::string>(const std::filesystem::path& file, std::size_t bytes, std::size_t block, std::size_t from)>;

/// One of them all: the checksum of those of the blocks.
std::string checksum_of(const std::filesystem::path& file, std::size_t bytes, std::size_t from = 0, const Checksums& by = checksums);

/// [bytes]. Throws Error where it is not a file.
std::size_t size_of(const std::filesystem::path& file);

} // namespace corral::app

/// The first bytes of an HDF5 file that has no manifest: text, which HDF5 leaves to applications (the user block), with
/// the checksum of all that follows. HDF5 trusts what it reads, and must not meet what a disk has damaged.
namespace corral::app::seal {

inline constexpr std::size_t bytes = 512;

/// The seal of what the file holds behind it now; `bytes` long. Throws Error where it cannot be read.
std::string of(const std::filesystem::path& file, const Checksums& by = checksums);
/// Whether a file begins as a sealed one does. Throws where it cannot be read.
bool begins(const std::filesystem::path& file);
/// Throws Error where the file has none, or another than its bytes deserve.
void require(const std::filesystem::path& file);

} // namespace corral::app::seal

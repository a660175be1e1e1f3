#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace corral::run {

/// A file of results that is there, as a rank reaches it from its machine: whoever runs a loop hands over how. Calls throw Error
/// that says which file, and why.
class RankFile {
public:
  virtual ~RankFile() = default;
  virtual void write(std::int64_t offset, std::span<const std::byte>) = 0;
  /// Throws where the file ends before.
  virtual void read(std::int64_t offset, std::span<std::byte>) = 0;
  virtual std::int64_t size() const = 0; ///< [bytes]
  /// Digits that any change of these bytes changes: `checksum_digits` of them. Throws as `read`.
  virtual std::string checksum(std::int64_t offset, std::int64_t bytes) = 0;
  /// Others find what was written; on the disk, if so, when it returns.
  virtual void close(bool on_disk) = 0;
};

inline constexpr std::size_t checksum_digits = 32;

enum class Access : std::uint8_t { read, write };
using OpenRankFile = std::function<std::unique_ptr<RankFile>(const std::filesystem::path&, Access)>;

} // namespace corral::run

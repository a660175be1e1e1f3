#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// What a checkpoint consists of and belongs to: the file `manifest` in its directory, lines of text, the last of which
/// is the checksum of all others. Nothing of a checkpoint is parsed before its manifest has been found right.
struct Manifest {
  static constexpr std::size_t block = std::size_t{1} << 20; ///< [bytes] of each checksum of a part

  /// A file beside the manifest.
  struct Part {
    std::string name{};
    std::size_t bytes = 0;
    std::vector<std::string> blocks{}; ///< checksums
  };
  /// The beginning of a table among the results, which grows as the run goes on.
  struct Table {
    std::string name{};
    std::size_t bytes = 0;
    std::string checksum{};
  };
  /// What a file that the case names held.
  struct Input {
    std::string key{}; ///< "surface.cell.file"
    std::string checksum{};
  };

  std::int64_t step = 0;
  std::string time{}; ///< simulated [s], as log.csv has it
  std::vector<Part> parts{};
  std::vector<Table> tables{};
  std::vector<Input> inputs{};

  std::string text() const;
  /// Throws Error where the text is not whole, or of another version.
  static Manifest parse(std::string_view text);

  static Part part_of(const std::filesystem::path& file);
  /// Throws Error that names the first part of `directory` that is not as it was written.
  void verify(const std::filesystem::path& directory) const;
};

} // namespace corral::app

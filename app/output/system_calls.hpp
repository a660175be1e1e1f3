#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

/// The system's calls on open files, carried out whole: interrupted ones again, short ones to their end. Each returns
/// the system's error, 0 where there was none.
namespace corral::app::system_calls {

[[nodiscard]] int write_at(int descriptor, std::size_t offset, std::string_view bytes);
/// EIO where the file ends before.
[[nodiscard]] int read_at(int descriptor, std::size_t offset, char* data, std::size_t bytes);
[[nodiscard]] int cut(int descriptor, std::size_t size);
/// What was written is on the disk when it returns. File systems that cannot say so are believed.
[[nodiscard]] int sync(int descriptor);
/// The same for the names in a directory.
[[nodiscard]] int sync_directory(const std::filesystem::path& directory);
/// The same for what a file holds.
[[nodiscard]] int sync_file(const std::filesystem::path& file);

} // namespace corral::app::system_calls

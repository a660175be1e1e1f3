#pragma once

#include <corral/array.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace corral::geometry {

/// A file's name and what it holds.
struct FileBytes {
  std::string name;
  std::string_view bytes;
};

/// The largest file that is read [bytes]: lines and bytes are counted in 32 bits. Also what tells STL's two kinds
/// apart, see `is_binary_stl`.
inline constexpr std::int64_t largest_file = (std::int64_t{1} << 32) - 2;

/// All of a plain file, as it is when it is opened. Throws Error where there is none, or it cannot be read or is too
/// large.
Array<char> read_bytes(const std::filesystem::path& file);

/// What a message may show of a file's bytes: at most 40 of them, in quotes, with \xNN for what is not printable ASCII.
std::string cited(std::string_view bytes);

} // namespace corral::geometry

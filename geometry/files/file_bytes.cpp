#include "geometry/files/file_bytes.hpp"

#include <corral/error.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace corral::geometry {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) { throw Error(file.string() + ":1: " + why); }

} // namespace

Array<char> read_bytes(const fs::path& file) {
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  if (status.type() == fs::file_type::not_found) refuse(file, "does not exist (a surface file is expected)");
  if (code) refuse(file, "cannot be looked at (" + code.message() + ")");
  if (fs::is_directory(status)) refuse(file, "is a directory (a surface file is expected) name the file in it");
  if (!fs::is_regular_file(status)) refuse(file, "is not a plain file (a surface file is expected)");
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, std::string("cannot be read (") + std::strerror(errno) + ")");
  const auto size = static_cast<std::int64_t>(fs::file_size(file, code));
  if (code) refuse(file, "cannot be looked at (" + code.message() + ")");
  if (size > largest_file)
    refuse(file, "has " + std::to_string(size) + " bytes (at most " + std::to_string(largest_file) +
                     " are read) write a binary file, or fewer triangles");
  Array<char> bytes(size);
  if (size > 0) in.read(bytes.data(), size);
  if (in.bad()) refuse(file, std::string("cannot be read (") + std::strerror(errno) + ")");
  bytes.resize(size > 0 ? in.gcount() : 0);
  return bytes;
}

std::string cited(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "'";
  for (const char c : bytes.substr(0, 40)) {
    const auto b = static_cast<unsigned char>(c);
    if (b >= 0x20 && b < 0x7f) text += c;
    else (((text += "\\x") += digits[b >> 4]) += digits[b & 15]);
  }
  return text + (bytes.size() > 40 ? "...'" : "'");
}

} // namespace corral::geometry

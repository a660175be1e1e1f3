#pragma once

#include "geometry/files/file_bytes.hpp"

#include <corral/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace corral::geometry {

/// Goes through a binary file number by number, and knows the byte. What lies beyond the end throws an Error that names
/// file and byte.
class ByteReader {
public:
  ByteReader(const FileBytes& file, std::size_t at, std::endian order = std::endian::little)
      : file_(file), at_(at), order_(order) {}

  template <class T> T number(std::string_view what) {
    need(sizeof(T), what);
    char bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes[i] = file_.bytes[at_ + (order_ == std::endian::native ? i : sizeof(T) - 1 - i)];
    at_ += sizeof(T);
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
  void skip(std::size_t bytes, std::string_view what) {
    need(bytes, what);
    at_ += bytes;
  }

  std::int64_t place() const { return static_cast<std::int64_t>(at_); } ///< bytes before the next number
  std::int64_t bytes_left() const { return static_cast<std::int64_t>(file_.bytes.size() - at_); }
  std::string_view rest() const { return file_.bytes.substr(at_); }

  [[noreturn]] void refuse(std::int64_t place, const std::string& why) const {
    throw Error(file_.name + ":byte " + std::to_string(place) + ": " + why);
  }

private:
  void need(std::size_t bytes, std::string_view what) const {
    if (bytes > file_.bytes.size() - at_)
      refuse(place(), "the file ends here (" + std::string(what) + " is missing) it may have been cut off");
  }

  FileBytes file_;
  std::size_t at_; // at most the file's size
  std::endian order_;
};

} // namespace corral::geometry

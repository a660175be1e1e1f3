#include "app/system/checksum.hpp"

#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "app/system/system_calls.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace corral::app {

namespace fs = std::filesystem;

std::string checksum(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  std::string text;
  for (const XXH64_hash_t half : {hash.high64, hash.low64})
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[(half >> shift) & 15U];
  return text;
}

std::size_t size_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) cannot_read(file, errno);
  if (!S_ISREG(status.st_mode)) throw UsageError(file.string() + " is not a file (but a directory, a pipe or a device)");
  return static_cast<std::size_t>(status.st_size);
}

std::vector<std::string> checksums(const fs::path& file, std::size_t bytes, std::size_t block, std::size_t from) {
  Descriptor open;
  if (const int code = system_calls::open_plain(open, file, O_RDONLY)) cannot_read(file, code);
  std::string buffer(std::min(block, bytes), '\0');
  std::vector<std::string> all;
  for (std::size_t begin = from; begin < bytes; begin += block) {
    const std::size_t n = std::min(block, bytes - begin);
    if (const int code = system_calls::read_at(open.number(), begin, buffer.data(), n)) cannot_read(file, code);
    all.push_back(checksum({buffer.data(), n}));
  }
  return all;
}

std::string checksum_of(const fs::path& file, std::size_t bytes, std::size_t from, const Checksums& by) {
  std::string all;
  for (const std::string& one : by(file, bytes, std::size_t{1} << 20, from)) all += one;
  return checksum(all);
}

} // namespace corral::app

namespace corral::app::seal {

namespace {

constexpr std::string_view begin =
    "corral output 1\nHDF5 by the openPMD standard after these 512 bytes, XXH3 of the checksums of each MiB: ";

std::string first_bytes(const std::filesystem::path& file) {
  Descriptor open;
  std::string text(bytes, '\0');
  if (const int code = system_calls::open_plain(open, file, O_RDONLY)) cannot_read(file, code);
  if (const int code = system_calls::read_at(open.number(), 0, text.data(), bytes)) cannot_read(file, code);
  return text;
}

} // namespace

std::string of(const std::filesystem::path& file, const Checksums& by) {
  std::string text = std::string(begin) + checksum_of(file, size_of(file), bytes, by) + "\n";
  text.resize(bytes, '\0');
  return text;
}

bool begins(const std::filesystem::path& file) {
  return size_of(file) >= bytes && first_bytes(file).starts_with(begin);
}

void require(const std::filesystem::path& file) {
  const std::size_t size = size_of(file);
  const std::string found = size < bytes ? "" : first_bytes(file);
  if (!found.starts_with(begin))
    throw Error(file.string() +
                " is no output file of corral (it does not begin with \"corral output 1\") read it with h5dump");
  if (found != of(file)) throw Error(file.string() + " is damaged (its bytes are not those that were written)");
}

} // namespace corral::app::seal

#include "app/openpmd/seal.hpp"

#include "app/command/descriptor.hpp"
#include "app/openpmd/checksum.hpp"
#include "app/output/system_calls.hpp"

#include <corral/error.hpp>

#include <fcntl.h>

#include <string_view>

namespace corral::app::seal {

namespace {

constexpr std::string_view begin =
    "corral output 1\nHDF5 by the openPMD standard after these 512 bytes, XXH3 of the checksums of each MiB: ";

std::string first_bytes(const std::filesystem::path& file) {
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(bytes, '\0');
  return open.number() >= 0 && system_calls::read_at(open.number(), 0, text.data(), bytes) == 0 ? text : "";
}

} // namespace

std::string of(const std::filesystem::path& file) {
  std::string text = std::string(begin) + checksum_of(file, size_of(file), bytes) + "\n";
  text.resize(bytes, '\0');
  return text;
}

void require(const std::filesystem::path& file) {
  const std::size_t size = size_of(file);
  const std::string found = first_bytes(file);
  if (size < bytes || !found.starts_with(begin))
    throw Error(file.string() +
                " is no output file of corral (it does not begin with \"corral output 1\") read it with h5dump");
  if (found != of(file)) throw Error(file.string() + " is damaged (its bytes are not those that were written)");
}

} // namespace corral::app::seal

#include "app/openpmd/seal.hpp"

#include "app/command/descriptor.hpp"
#include "app/openpmd/checksum.hpp"
#include "app/output/output_file.hpp"
#include "app/output/system_calls.hpp"

#include <corral/error.hpp>

#include <fcntl.h>

#include <string_view>

namespace corral::app::seal {

namespace {

constexpr std::string_view begin =
    "corral output 1\nHDF5 by the openPMD standard after these 512 bytes, XXH3 of the checksums of each MiB: ";

std::string first_bytes(const std::filesystem::path& file) {
  Descriptor open;
  std::string text(bytes, '\0');
  if (const int code = system_calls::open(open, file, O_RDONLY)) cannot_read(file, code);
  if (const int code = system_calls::read_at(open.number(), 0, text.data(), bytes)) cannot_read(file, code);
  return text;
}

} // namespace

std::string of(const std::filesystem::path& file) {
  std::string text = std::string(begin) + checksum_of(file, size_of(file), bytes) + "\n";
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

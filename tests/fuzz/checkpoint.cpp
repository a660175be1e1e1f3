// Any bytes are a manifest, or are refused with Error; also those that end in a checksum that is right.
#include "app/checkpoint/checkpoints.hpp"
#include "app/system/checksum.hpp"

#include <corral/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

void read(const std::string& text) {
  using corral::app::Manifest;
  try {
    const Manifest manifest = Manifest::parse(text);
    if (Manifest::parse(manifest.text()).text() != manifest.text()) std::abort();
    manifest.verify("/nowhere");
  } catch (const corral::Error&) {
    // refused
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read(text);
  const std::string begun = "corral checkpoint 3\n" + text + "\n";
  read(begun + "end " + corral::app::checksum(begun) + "\n");
  return 0;
}

// Any bytes are a case, or are refused: with CaseError, each line of which names the file, and nothing else.
#include "app/case/case_file.hpp"
#include "app/drivers.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace corral;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const app::Case c = app::parse_case(text, "case.ini", "/nowhere", {}, app::drivers());
    const std::string used = app::used_ini(c);
    // What is used is the same case again.
    if (app::used_ini(app::parse_case(used, "used.ini", "/nowhere", {}, app::drivers())) != used) std::abort();
  } catch (const run::CaseError& e) {
    if (std::string_view(e.what()).substr(0, 9) != "case.ini:") std::abort();
  }
  return 0;
}

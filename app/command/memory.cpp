#include "app/command/memory.hpp"

#include "app/output/number.hpp"
#include "app/output/system_calls.hpp"
#include "run/memory_limit.hpp"
#include "run/out_of_memory.hpp"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace corral::app {

namespace {

// What the process may have of it.
std::string available_text() {
  const run::MemoryLimit limit = run::memory_limit();
  return std::isfinite(limit.bytes) ? limit.cause + " " + bytes_text(limit.bytes) : "there is no limit known";
}

std::terminate_handler usual_end = nullptr;

[[noreturn]] void end_with_words() {
  if (const std::exception_ptr error = std::current_exception()) {
    try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      [[maybe_unused]] const int ignored = system_calls::write(STDERR_FILENO, no_memory_at_all);
      ::_exit(1);
    } catch (...) { // the usual end tells of it
    }
  }
  if (usual_end) usual_end();
  std::abort();
}

} // namespace

void speak_without_memory() { usual_end = std::set_terminate(end_with_words); }

std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return rounded_text(bytes, 3) + " " + units[unit];
}

std::string out_of_memory_text(const std::bad_alloc& error, double expected_bytes) try {
  std::string why;
  if (const auto* known = dynamic_cast<const run::OutOfMemory*>(&error)) why = std::string(known->what()) + "; ";
  if (expected_bytes > 0) why += "the case takes about " + bytes_text(expected_bytes) + " at its start; ";
  return "out of memory (" + why + available_text() + ")" +
         (why.empty() ? "" : " take fewer cells or parcels, or a larger machine");
} catch (const std::bad_alloc&) {
  return "out of memory"; // short enough to need none
}

std::string reason_text(const std::exception& error) {
  const auto* memory = dynamic_cast<const std::bad_alloc*>(&error);
  return memory ? out_of_memory_text(*memory, 0) : error.what();
}

} // namespace corral::app

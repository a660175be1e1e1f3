#include "app/command/voices.hpp"

#include "app/output/system_calls.hpp"

#include <corral/error.hpp>

#include <cerrno>
#include <cstring>

namespace corral::app {

// Without stdio, which would keep what it cannot write and try again when the process ends.
void Console::answer(const std::string& text) {
  if (answer_ < 0 || failure_ != 0) return;
  failure_ = system_calls::write(answer_, text);
}

void Console::remark(const std::string& text) const {
  if (!remarks_) return;
  std::fputs(text.c_str(), remarks_);
  std::fflush(remarks_);
}

void Console::require_delivered() const {
  if (failure_ != 0 && failure_ != EPIPE) throw Error(undelivered(std::strerror(failure_)));
}

std::string undelivered(const std::string& why) {
  return "the answer could not be written (standard output is closed or full" + (why.empty() ? "" : ": " + why) + ")";
}

} // namespace corral::app

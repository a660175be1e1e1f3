#include "app/command/voices.hpp"

#include <corral/error.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

namespace corral::app {

// Without stdio, which would keep what it cannot write and try again when the process ends.
void Voices::answer(const std::string& text) {
  if (answer_ < 0 || failure_ != 0) return;
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t n = ::write(answer_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      failure_ = errno;
      return;
    }
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

void Voices::remark(const std::string& text) const {
  if (!remarks_) return;
  std::fputs(text.c_str(), remarks_);
  std::fflush(remarks_);
}

void Voices::require_heard() const {
  if (failure_ != 0 && failure_ != EPIPE) throw Error(unheard(std::strerror(failure_)));
}

std::string unheard(const std::string& why) {
  return "the answer could not be written (standard output is closed or full" + (why.empty() ? "" : ": " + why) + ")";
}

} // namespace corral::app

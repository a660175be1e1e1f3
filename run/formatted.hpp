#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace corral::run {

/// What std::printf would write, however long it is.
std::string formatted(const char* format, auto... values) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, values...)), '\0');
  std::snprintf(text.data(), text.size() + 1, format, values...);
  return text;
}

} // namespace corral::run

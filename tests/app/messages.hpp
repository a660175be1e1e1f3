#pragma once

#include <corral/error.hpp>

#include <string>
#include <string_view>

namespace corral::test {

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// The message of the Error that `work` throws, or "no error".
template <class Work> std::string message_of(Work&& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

} // namespace corral::test

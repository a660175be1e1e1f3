#pragma once

#include <corral/error.hpp>

#include <string>

namespace corral::test {

/// What the Error says that `f` throws.
template <class F> std::string message_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

} // namespace corral::test

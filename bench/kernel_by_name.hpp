#pragma once

#include "kernels/shipped.hpp"

#include <string_view>

namespace corral::bench {

/// Calls f(kernel) with the shipped kernel of that name; false where there is none.
template <class F> bool with_kernel(std::string_view name, F&& f) {
  if (name == kernels::Linear::name) f(kernels::Linear{});
  else if (name == kernels::Nearest::name) f(kernels::Nearest{});
  else return false;
  return true;
}

} // namespace corral::bench

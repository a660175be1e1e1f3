#pragma once

#include "kernels/shipped.hpp"

#include <string_view>
#include <type_traits>
#include <vector>

namespace corral::bench {

/// Calls f(kernel) with the shipped kernel of that name; false where there is none that the maps take.
template <class F> bool with_kernel(std::string_view name, F&& f) {
  bool known = false;
  kernels::with_kernel(name, [&](const auto& kernel) {
    if constexpr (kernels::Kernel<std::decay_t<decltype(kernel)>>) {
      f(kernel);
      known = true;
    }
  });
  return known;
}

/// All names that it knows.
inline std::vector<std::string_view> kernel_names() {
  std::vector<std::string_view> names;
  for (const std::string_view name : kernels::shipped_names)
    if (with_kernel(name, [](const auto&) {})) names.push_back(name);
  return names;
}

} // namespace corral::bench

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace corral::bench {

/// How a map is carried out. The one place where the engine's methods enter the benchmark.
enum class Method : std::uint8_t { automatic };

inline std::string_view name(Method) { return "automatic"; }
inline std::span<const Method> all_methods() {
  static constexpr std::array all{Method::automatic};
  return all;
}

} // namespace corral::bench

#pragma once

#include <array>
#include <cstddef>

namespace corral::kernels {

/// The name of a kernel that is one of a numbered family: numbered("bspline", 4) holds "bspline4". number: 0 to 999.
template <std::size_t N> constexpr std::array<char, N + 3> numbered(const char (&stem)[N], int number) {
  std::array<char, N + 3> text{};
  std::size_t end = 0;
  for (; stem[end] != '\0'; ++end) text[end] = stem[end];
  for (int unit = number >= 100 ? 100 : number >= 10 ? 10 : 1; unit > 0; unit /= 10)
    text[end++] = static_cast<char>('0' + number / unit % 10);
  return text;
}

} // namespace corral::kernels

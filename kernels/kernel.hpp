#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace corral::kernels {

/// A one-dimensional interpolation kernel phi(r), r the distance to a grid point in grid spacings.
///
/// `support` is the number of points that phi touches per axis; a kernel of even support covers the points around
/// the cell between two points, one of odd support the points around the nearest point.
/// `weights(r, w)` sets all `support` weights of an axis at once: w[j] = phi(r - (j - (support - 1)/2)), where
/// (integer division) r is in [0, 1] for even support (distance from the point below the particle) and in
/// [-1/2, 1/2] for odd support (distance from the nearest point). The weights sum to 1 unless the kernel says otherwise.
template <class K>
concept Kernel = requires(const K& kernel, double r, double* w) {
  { K::support } -> std::convertible_to<int>;
  { K::name } -> std::convertible_to<std::string_view>;
  { kernel(r) } -> std::convertible_to<double>;
  kernel.weights(r, w);
};

/// Whether the weights sum to 1 everywhere. A kernel whose weights don't says
/// `static constexpr bool sums_to_one = false`.
template <class K>
inline constexpr bool sums_to_one = [] {
  if constexpr (requires { K::sums_to_one; }) return K::sums_to_one;
  return true;
}();

/// Whether sum w[j] (distance to point j) = 0 everywhere, so that linear fields are read exactly. A kernel for which
/// this isn't so says `static constexpr bool first_moment_vanishes = false`.
template <class K>
inline constexpr bool first_moment_vanishes = [] {
  if constexpr (requires { K::first_moment_vanishes; }) return K::first_moment_vanishes;
  return true;
}();

/// The weights of a kernel written out, with z = 2 r - 1 where the support is even and 2 r where it is odd, from -1 to 1:
/// w[j] = sum_k even[j][k] z^2k + z sum_k odd[j][k] z^2k + of_root[j] sqrt(under_root[0] + under_root[1] z^2)
/// for j < (support + 1)/2; weight support - 1 - j is weight j at -z. Zeros where there is nothing. A kernel that has it,
/// of at most 16 points, says `WeightFormula formula() const`: interpolation on a GPU then evaluates weights where it needs them.
struct WeightFormula {
  static constexpr int most_stretches = 8, most_terms = 8;

  int terms = 0; ///< of even powers, and no fewer than of odd ones
  double even[most_stretches][most_terms] = {}, odd[most_stretches][most_terms] = {};
  double of_root[most_stretches] = {}, under_root[2] = {};
};

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

#pragma once

#include <corral/vector_loops.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

/// The velocities that populations of a lattice fluid move with, in cells a step. Population 0 rests; 2k - 1 and 2k move
/// oppositely. The speed of sound is 1/sqrt 3 in all sets. Weights and moments: Krueger et al., The Lattice Boltzmann
/// Method (2017), chapter 3.
namespace corral::fluid::lattice {

/// Calls f(i) for i = 0 to n - 1, where i is a constant: loops over populations become straight lines, and the loop over
/// cells around them one of vectors.
template <int n, class F> CORRAL_INLINED void unrolled(const F& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, i>{}), ...);
  }(std::make_integer_sequence<int, n>{});
}

constexpr int opposite(int q) { return q == 0 ? 0 : q % 2 == 1 ? q + 1 : q - 1; }

/// In the plane of x and y; z is thin.
struct D2Q9 {
  static constexpr std::string_view name = "D2Q9";
  static constexpr int axes = 2, count = 9;
  static constexpr std::array<std::array<int, 3>, count> c{
      {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}}};
  static constexpr double weight(int q) { return q == 0 ? 4. / 9 : q < 5 ? 1. / 9 : 1. / 36; }
};

namespace detail {
inline constexpr std::array<std::array<int, 3>, 27> cube{
    {{0, 0, 0},   {1, 0, 0},    {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},   {0, 0, -1},  {1, 1, 0},   {-1, -1, 0},
     {1, -1, 0},  {-1, 1, 0},   {1, 0, 1},  {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},  {0, 1, 1},   {0, -1, -1}, {0, 1, -1},
     {0, -1, 1},  {1, 1, 1},    {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {-1, 1, 1},  {1, -1, -1}}};
template <int n> constexpr std::array<std::array<int, 3>, n> first_of_cube() {
  std::array<std::array<int, 3>, n> c{};
  for (int q = 0; q < n; ++q) c[q] = cube[q];
  return c;
}
} // namespace detail

struct D3Q19 {
  static constexpr std::string_view name = "D3Q19";
  static constexpr int axes = 3, count = 19;
  static constexpr auto c = detail::first_of_cube<count>();
  static constexpr double weight(int q) { return q == 0 ? 1. / 3 : q < 7 ? 1. / 18 : 1. / 36; }
};

struct D3Q27 {
  static constexpr std::string_view name = "D3Q27";
  static constexpr int axes = 3, count = 27;
  static constexpr auto c = detail::first_of_cube<count>();
  static constexpr double weight(int q) { return q == 0 ? 8. / 27 : q < 7 ? 2. / 27 : q < 19 ? 1. / 54 : 1. / 216; }
};

/// The population of these components, each -1, 0 or 1.
template <class Set> constexpr int population(const std::array<int, 3>& c) {
  for (int q = 0; q < Set::count; ++q)
    if (Set::c[q] == c) return q;
  return -1;
}

/// c_q . (v_0, v_1, v_2), by additions alone.
template <class Set, int q, class A> CORRAL_INLINED A along(const A* v) {
  A sum = 0;
  bool first = true;
  unrolled<Set::axes>([&](auto d) __attribute__((always_inline)) {
    constexpr int c = Set::c[q][d];
    if constexpr (c != 0) {
      const A term = c > 0 ? v[d] : -v[d];
      sum = first ? term : sum + term;
      first = false;
    }
  });
  return sum;
}

} // namespace corral::fluid::lattice

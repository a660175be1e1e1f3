#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace corral::stokes {

/// What sources give at r = target - source, before periodic images. No factor 1/(8 pi mu) is in it.
enum class Sum : std::uint8_t {
  stokeslet, ///< u = f/r + (f.r) r/r^3, of a force f; strengths fx fy fz
  stresslet, ///< u = -6 (q.r)(n.r) r/r^5, of a double layer; strengths qx qy qz nx ny nz
  rotlet,    ///< u = t x r/r^3, of a torque t; strengths tx ty tz
  laplace    ///< phi = q/r, of a charge q
};
inline constexpr std::array all_sums{Sum::stokeslet, Sum::stresslet, Sum::rotlet, Sum::laplace};

constexpr std::string_view name(Sum sum) {
  constexpr std::array<std::string_view, 4> names{"stokeslet", "stresslet", "rotlet", "laplace"};
  return names[static_cast<std::size_t>(sum)];
}

/// What is asked for at targets.
enum class Result : std::uint8_t {
  velocity, ///< u, or the potential of a Laplace sum
  pressure, ///< of the same flow, by the same factor: a stokeslet has 2 f.r/r^3; rotlets and Laplace sums have none
  gradient  ///< d u_i/d x_l at place 3 i + l, or that of the potential
};
inline constexpr std::array each_result{Result::velocity, Result::pressure, Result::gradient};

inline constexpr int most_strengths = 6, most_results = 3 + 1 + 9;

/// Columns of a source's strength.
constexpr int strength_columns(Sum sum) { return sum == Sum::laplace ? 1 : sum == Sum::stresslet ? 6 : 3; }
/// Columns of a result; 0 where the sum has none.
constexpr int result_columns(Sum sum, Result result) {
  const int components = sum == Sum::laplace ? 1 : 3;
  if (result == Result::velocity) return components;
  if (result == Result::gradient) return 3 * components;
  return sum == Sum::stokeslet || sum == Sum::stresslet ? 1 : 0;
}

/// Columns that go to the grid: as many, the strengths themselves, or of a stresslet the symmetric q n + n q.
constexpr int far_columns(Sum sum) { return strength_columns(sum); }
/// Axes of a stresslet's columns: xx, yy, zz, xy, xz, yz.
inline constexpr std::array<std::array<std::size_t, 2>, 6> symmetric_axes{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
/// What of a source goes to the grid; strength(c) is its column c.
template <class V, class F> std::array<V, most_strengths> far_strengths(Sum sum, const F& strength) {
  std::array<V, most_strengths> to{};
  for (std::size_t c = 0; c < static_cast<std::size_t>(far_columns(sum)); ++c) {
    const auto [a, b] = symmetric_axes[c];
    to[c] = sum == Sum::stresslet ? strength(a) * strength(3 + b) + strength(b) * strength(3 + a) : strength(c);
  }
  return to;
}
/// Whether a result's mode is i times a real number of the sources' mode, and not that number.
constexpr bool turned(Sum sum, Result result) {
  const bool velocity = sum == Sum::stresslet || sum == Sum::rotlet;
  return result == Result::velocity ? velocity : !velocity;
}

/// Results decay as 1/r to this power.
constexpr int decay(Sum sum, Result result) {
  const int of_velocity = sum == Sum::stokeslet || sum == Sum::laplace ? 1 : 2;
  return result == Result::velocity ? of_velocity : of_velocity + 1;
}

/// How many columns all results have, or velocities alone, and where each begins among them.
constexpr int columns(Sum sum, bool all) {
  int n = 0;
  for (const Result r : each_result)
    if (all || r == Result::velocity) n += result_columns(sum, r);
  return n;
}
constexpr int first_column(Sum sum, Result result) {
  int n = 0;
  for (const Result r : each_result) {
    if (r == result) break;
    n += result_columns(sum, r);
  }
  return n;
}

/// Calls f.operator()<sum>() for the sum: code that is compiled for each.
template <class F> decltype(auto) with_sum(Sum sum, const F& f) {
  switch (sum) {
    case Sum::stresslet: return f.template operator()<Sum::stresslet>();
    case Sum::rotlet: return f.template operator()<Sum::rotlet>();
    case Sum::laplace: return f.template operator()<Sum::laplace>();
    default: return f.template operator()<Sum::stokeslet>();
  }
}

} // namespace corral::stokes

#pragma once

#include "tests/sanitized.hpp"

#include <corral/corral.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace corral::test {

/// Numbers that are the same on every platform (SplitMix64; Steele, Lea and Flood 2014).
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n)); }
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  bool coin() { return (bits() >> 63) != 0; }
  template <class V, std::size_t N> V pick(const std::array<V, N>& of) {
    return of[static_cast<std::size_t>(below(static_cast<std::int64_t>(N)))];
  }

private:
  std::uint64_t state_;
};

/// What a case has on its sides. `mixed` draws the sides and the signs of each axis.
enum class Sides { periodic, wall_plus, wall_minus, open, halo, mixed };
inline constexpr std::array all_sides{Sides::periodic, Sides::wall_plus, Sides::wall_minus,
                                      Sides::open,     Sides::halo,      Sides::mixed};

/// How an order's offsets are drawn.
enum class Offsets { zero, half, mixed };
inline constexpr std::array all_offsets{Offsets::zero, Offsets::half, Offsets::mixed};

/// `lattice`: multiples of 1/16 cell, so that weights are exact and ties, faces and the last face occur;
/// `anywhere`: any number, on a grid whose spacing no float can hold; `one_cell`: all in the last cell.
enum class Placement { lattice, anywhere, one_cell };
inline constexpr std::array all_placements{Placement::lattice, Placement::anywhere, Placement::one_cell};

inline constexpr std::array<std::array<std::int64_t, 3>, 7> all_shapes{
    {{1, 1, 1}, {1, 5, 4}, {7, 1, 3}, {2, 2, 2}, {5, 4, 3}, {3, 1, 1}, {9, 7, 5}}};
inline constexpr std::array<std::int64_t, 5> particle_counts{0, 1, 31, 33, 1000};

template <class T> struct Particles {
  std::vector<T> x, y, z;

  std::int64_t size() const { return static_cast<std::int64_t>(x.size()); }
  Positions<T> positions() const { return corral::positions(x.data(), y.data(), z.data(), size()); }
};

/// A grid of which the axes wear the given sides.
Grid make_grid(std::array<std::int64_t, 3> cells, Sides sides, Placement placement, Random& random);
std::array<Sign, 3> wall_signs(Sides sides, Random& random);
std::array<Offset, 3> offsets(Offsets offsets, Random& random);

/// Particles within the grid; some lie beyond it (wrapping on periodic axes) and some are not finite.
template <class T> Particles<T> make_particles(const Grid& grid, std::int64_t n, Placement placement, Random& random);

/// One field with memory of its own, `ghosts` points around it on every side, and `step` values between points.
template <class T> struct OwnedField {
  static constexpr std::int64_t ghosts = 4;

  OwnedField(const Grid& grid, Staggering staggering, std::array<Sign, 3> wall_sign, std::int64_t step, T fill = T(0))
      : view(field_view_with_ghosts<T>(grid, nullptr, staggering, ghosts)) {
    std::int64_t size = step;
    for (int d = 0; d < 3; ++d) size *= grid.points(staggering, d) + 2 * ghosts;
    values.assign(static_cast<std::size_t>(size), fill);
    for (auto& s : view.stride) s *= step;
    view.wall_sign = wall_sign;
    view.data = values.data() + ghosts * (view.stride[0] + view.stride[1] + view.stride[2]);
  }
  OwnedField(OwnedField&&) = default;

  std::vector<T> values;
  FieldView<T> view;
};

/// Calls f(value) for every point that a stencil may touch: the field's own, and ghosts beyond halo sides.
template <class T, class F> void for_each_reachable(const Grid& grid, const OwnedField<T>& field, F f) {
  std::array<std::int64_t, 3> first{}, last{};
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(d);
    const bool thin = axis.thin() && !on_face(field.view.staggering, d);
    first[d] = axis.low == Boundary::halo && !thin ? -field.ghosts : 0;
    last[d] = grid.points(field.view.staggering, d) - 1 + (axis.high == Boundary::halo && !thin ? field.ghosts : 0);
  }
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t i = first[0]; i <= last[0]; ++i) f(field.view(i, j, k));
}

/// A field of random values where stencils may read; elsewhere NaN, which no result may ever show.
template <class T>
OwnedField<T> random_field(const Grid& grid, Staggering staggering, std::array<Sign, 3> wall_sign, std::int64_t step,
                           Random& random) {
  OwnedField<T> field(grid, staggering, wall_sign, step, std::numeric_limits<T>::quiet_NaN());
  for_each_reachable(grid, field, [&](T& value) { value = static_cast<T>(random.uniform(-1, 1)); });
  return field;
}

template <class T> std::vector<T> random_column(std::int64_t n, Random& random) {
  std::vector<T> column(static_cast<std::size_t>(n));
  for (T& value : column) value = static_cast<T>(random.uniform(-1, 1));
  return column;
}

std::string describe(const Grid& grid);

} // namespace corral::test

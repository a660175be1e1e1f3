#pragma once

#include "tests/catch.hpp"

#include "distributed/domain.hpp"

#include <corral/grid.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::test {

/// Numbers that are the same on every rank (SplitMix64; Steele, Lea and Flood 2014).
inline double number(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// A domain and how it is cut.
struct Scene {
  std::string name;
  Grid whole;
  distributed::Cut cut;
};

/// Origins and spacings are no binary fractions.
inline Grid grid_of(std::array<std::int64_t, 3> cells, std::array<Boundary, 3> sides) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d)
    axes[d] = {cells[d], -0.37 + 0.1 * double(d), 0.0137 + 0.01 * double(d), sides[d], sides[d]};
  return Grid(axes);
}

/// Of as many ranks as there are: boxes and slabs, thick ranks and ranks of one cell, all kinds of sides, thin axes.
inline std::vector<Scene> scenes(int ranks) {
  constexpr Boundary p = Boundary::periodic, w = Boundary::wall, o = Boundary::open;
  std::vector<Scene> all{
      {"periodic", grid_of({12, 9, 8}, {p, p, p}), {}},
      {"closed", grid_of({12, 9, 8}, {w, o, w}), {}},
      {"slabs of a cell", grid_of({5, 6, ranks}, {p, w, p}), {{1, 1, ranks}, {}}},
      {"columns of a cell", grid_of({ranks, 5, 4}, {w, p, p}), {{ranks, 1, 1}, {}}},
      {"slabs of a cell between open sides", grid_of({3, ranks, 4}, {w, o, w}), {{1, ranks, 1}, {}}},
      {"flat", grid_of({9, 7, 1}, {w, p, p}), {}},
  };
  if (ranks == 4) {
    all.push_back({"unequal boxes", grid_of({10, 9, 6}, {p, w, p}), {{0, 0, 0}, {{{7, 3}, {8, 1}, {}}}}});
    all.push_back({"unequal slabs", grid_of({6, 5, 9}, {p, p, w}), {{0, 0, 0}, {{{6}, {5}, {1, 1, 6, 1}}}}});
  }
  return all;
}

/// Calls f(domain) for each of them.
template <class F> void each_domain(const F& f) {
  const distributed::Ranks ranks = distributed::Ranks::world();
  for (const Scene& scene : scenes(ranks.size())) {
    INFO(scene.name);
    f(distributed::Domain(ranks, scene.whole, scene.cut));
  }
}

/// What a point of a part's field stands for along an axis.
struct Image {
  std::int64_t point = -1; ///< of the whole; -1: of none
  int sign = 1;            ///< -1: mirrored by an odd number of walls
  bool dropped = false;    ///< it lies past an open side
};

/// Of point i, by going from image to image; beyond a side of the part that is the whole's own nothing stands for
/// anything.
inline Image image_along(const distributed::Domain& domain, Staggering s, int d, std::int64_t i) {
  const Axis &whole = domain.whole().axis(d), &part = domain.part().axis(d);
  if ((i < 0 && part.low != Boundary::halo) || (i >= domain.part().points(s, d) && part.high != Boundary::halo))
    return {};
  const std::int64_t n = domain.whole().points(s, d), twice_wall = on_face(s, d) ? 0 : -1;
  Image image{domain.begin(d) + i};
  while (image.point < 0 || image.point >= n) {
    const bool below = image.point < 0;
    if (whole.periodic()) {
      image.point += below ? n : -n;
    } else if ((below ? whole.low : whole.high) == Boundary::open) {
      return {-1, 1, true};
    } else {
      image.point = (below ? twice_wall : 2 * (n - 1) - twice_wall) - image.point;
      image.sign = -image.sign;
    }
  }
  return image;
}

/// Calls f(index in the part, index in the whole, or -1 for each axis along which there is no such point) for the
/// points of a field of the part, `around` of them beyond its sides.
template <class F> void each_point(const distributed::Domain& domain, Staggering s, std::int64_t around, const F& f) {
  const auto high = [&](int d) { return domain.part().points(s, d) + around; };
  for (std::int64_t k = -around; k < high(2); ++k)
    for (std::int64_t j = -around; j < high(1); ++j)
      for (std::int64_t i = -around; i < high(0); ++i)
        f(std::array{i, j, k}, std::array{image_along(domain, s, 0, i).point, image_along(domain, s, 1, j).point,
                                          image_along(domain, s, 2, k).point});
}

/// The sign that a field's value has there, 0 where the point stands for nothing, as past an open side.
inline int sign_of(const distributed::Domain& domain, Staggering s, const std::array<std::int64_t, 3>& at,
                   const std::array<Sign, 3>& signs) {
  int sign = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const Image image = image_along(domain, s, static_cast<int>(d), at[d]);
    sign *= image.dropped ? 0 : image.sign < 0 ? static_cast<int>(signs[d]) : 1;
  }
  return sign;
}

/// Whether a point lies beyond a side of the part that is the whole's own.
inline bool beyond_own_side(const distributed::Domain& domain, Staggering s, const std::array<std::int64_t, 3>& at) {
  for (int d = 0; d < 3; ++d) {
    const Image image = image_along(domain, s, d, at[static_cast<std::size_t>(d)]);
    if (image.point < 0 && !image.dropped) return true;
  }
  return false;
}

/// The number of a point of the whole, or -1.
inline std::int64_t point_number(const Grid& whole, Staggering s, const std::array<std::int64_t, 3>& at) {
  if (at[0] < 0 || at[1] < 0 || at[2] < 0) return -1;
  return at[0] + whole.points(s, 0) * (at[1] + whole.points(s, 1) * at[2]);
}

/// Whether this rank owns a point of its part.
inline bool owns(const distributed::Domain& domain, Staggering s, const std::array<std::int64_t, 3>& at) {
  for (int d = 0; d < 3; ++d)
    if (at[static_cast<std::size_t>(d)] < 0 || at[static_cast<std::size_t>(d)] >= domain.owned_points(s, d))
      return false;
  return true;
}

/// A field of a rank's part with its memory.
template <class T> struct RankField {
  RankField(const distributed::Domain& domain, Staggering s, std::int64_t ghosts, T value = T(0)) {
    std::int64_t n = 1;
    for (int d = 0; d < 3; ++d) n *= domain.part().points(s, d) + 2 * ghosts;
    memory.assign(static_cast<std::size_t>(n), value);
    view = field_view_with_ghosts(domain.part(), memory.data(), s, ghosts);
  }
  std::vector<T> memory;
  FieldView<T> view;
};

} // namespace corral::test

#pragma once

#include "fluid/pressure/pressure.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::test {

/// Numbers in [0, 1) that are the same everywhere: splitmix64.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1.0p-53;
  }

private:
  std::uint64_t state_;
};

/// What sort of pressure equation to make.
struct ProblemKind {
  std::string name;
  std::array<std::int64_t, 3> cells{};
  std::array<bool, 3> periodic{false, false, false};
  double contrast = 2;      ///< of the conductivity: noise below 100, from there a dense phase with bubbles
  bool open_top = false;    ///< outlet at the upper z side
  bool blocked = false;     ///< scattered blocked cells, and a blocked wall across the middle of z
  bool diagonal = false;    ///< on about half of the cells
  double flatness = 1;      ///< dx / dz
};

/// A pressure equation with its right-hand side, and plain loops over it that share nothing with the solver.
class Problem {
public:
  explicit Problem(const ProblemKind& kind) : kind_(kind), cells_(kind.cells) {
    Random random(static_cast<std::uint64_t>(cells_[0] * 7 + cells_[1] * 131 + cells_[2] * 17));
    const auto n = static_cast<std::size_t>(count());
    make_conductivity(random);
    for (std::size_t d = 0; d < 3; ++d) make_faces(d);
    if (kind.diagonal)
      for (std::size_t c = 0; c < n; ++c) diagonal_.push_back(eps_[c] > 0 && random() < 0.5 ? random() : 0.0);
    for (std::size_t c = 0; c < n; ++c) b_.push_back(random() - 0.3);
    find_parts();
  }

  const ProblemKind& kind() const { return kind_; }
  std::int64_t count() const { return cells_[0] * cells_[1] * cells_[2]; }
  const std::vector<double>& b() const { return b_; }
  std::vector<double>& b() { return b_; }
  std::vector<double>& face(std::size_t d) { return face_[d]; }
  fluid::FaceCoefficients coefficients() const {
    return {{face_[0].data(), face_[1].data(), face_[2].data()}, diagonal_.empty() ? nullptr : diagonal_.data()};
  }

  /// Calls f(axis, face, neighbour) for a cell's six faces; the neighbour is -1 beyond a boundary.
  template <class F> void for_each_face(std::int64_t cell, F&& f) const {
    const std::array<std::int64_t, 3> at = place(cell);
    for (std::size_t d = 0; d < 3; ++d)
      for (int side = 0; side < 2; ++side) {
        std::array<std::int64_t, 3> face = at, other = at;
        face[d] += side;
        other[d] += 2 * side - 1;
        if (kind_.periodic[d]) {
          face[d] %= cells_[d];
          other[d] = (other[d] + cells_[d]) % cells_[d];
        }
        const bool outside = other[d] < 0 || other[d] >= cells_[d];
        f(d, index(face, faces(d)), outside ? -1 : index(other, cells_));
      }
  }

  double row(const std::vector<double>& x, std::int64_t cell) const {
    double sum = diagonal_.empty() ? 0 : diagonal_[cell] * x[cell];
    for_each_face(cell, [&](std::size_t d, std::int64_t face, std::int64_t other) {
      sum += face_[d][face] * (x[cell] - (other < 0 ? 0 : x[other]));
    });
    return sum;
  }

  bool blocked(std::int64_t cell) const { return part_[cell] == blocked_part; }
  /// Per unpinned part of the grid, its cells.
  const std::vector<std::vector<std::int64_t>>& unpinned() const { return unpinned_; }

  void remove_means(std::vector<double>& values) const {
    for (const auto& part : unpinned_) {
      double sum = 0;
      for (const std::int64_t c : part) sum += values[c];
      for (const std::int64_t c : part) values[c] -= sum / static_cast<double>(part.size());
    }
    for (std::int64_t c = 0; c < count(); ++c)
      if (blocked(c)) values[c] = 0;
  }

private:
  static constexpr std::int64_t blocked_part = -1;

  std::array<std::int64_t, 3> place(std::int64_t cell) const {
    return {cell % cells_[0], cell / cells_[0] % cells_[1], cell / (cells_[0] * cells_[1])};
  }
  std::array<std::int64_t, 3> faces(std::size_t d) const {
    std::array<std::int64_t, 3> n = cells_;
    n[d] += kind_.periodic[d] ? 0 : 1;
    return n;
  }
  static std::int64_t index(const std::array<std::int64_t, 3>& at, const std::array<std::int64_t, 3>& n) {
    return at[0] + n[0] * (at[1] + n[1] * at[2]);
  }

  void make_conductivity(Random& random) {
    std::array<std::array<double, 4>, 6> bubbles{};
    for (auto& bubble : bubbles) bubble = {random(), random(), random(), 0.1 + 0.15 * random()};
    for (std::int64_t cell = 0; cell < count(); ++cell) {
      const std::array<std::int64_t, 3> at = place(cell);
      double eps = 1 / kind_.contrast + (1 - 1 / kind_.contrast) * random();
      if (kind_.contrast >= 100) {
        eps = 1 / kind_.contrast;
        for (const auto& bubble : bubbles) {
          double distance = 0;
          for (std::size_t d = 0; d < 3; ++d) {
            const double s = (static_cast<double>(at[d]) + 0.5) / static_cast<double>(cells_[d]) - bubble[d];
            if (cells_[d] > 1) distance += s * s;
          }
          if (distance < bubble[3] * bubble[3]) eps = 1;
        }
      }
      if (kind_.blocked && (random() < 0.2 || at[2] == cells_[2] / 2)) eps = 0;
      eps_.push_back(eps);
    }
  }

  void make_faces(std::size_t d) {
    const auto n = faces(d);
    face_[d].assign(static_cast<std::size_t>(n[0] * n[1] * n[2]), 0.0);
    const double scale = d == 2 ? kind_.flatness * kind_.flatness : 1.0;
    for (std::int64_t cell = 0; cell < count(); ++cell)
      for_each_face(cell, [&](std::size_t axis, std::int64_t face, std::int64_t other) {
        if (axis != d) return;
        const double own = eps_[cell];
        double& to = face_[d][face];
        if (other >= 0) {
          const double beyond = eps_[other];
          to = own > 0 && beyond > 0 ? scale * 0.5 * (own + beyond) : 0.0;
        } else if (d == 2 && kind_.open_top && face >= index({0, 0, cells_[2]}, n)) {
          to = scale * 2 * own;
        }
      });
  }

  /// By carrying the smallest index through open faces until nothing changes.
  void find_parts() {
    part_.resize(static_cast<std::size_t>(count()));
    for (std::int64_t c = 0; c < count(); ++c) part_[c] = c;
    std::vector<char> pinned(part_.size(), 0), open(part_.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::int64_t c = 0; c < count(); ++c)
        for_each_face(c, [&](std::size_t d, std::int64_t face, std::int64_t other) {
          if (face_[d][face] == 0 || other == c) return;
          open[c] = 1;
          if (other < 0 || part_[other] >= part_[c]) return;
          part_[c] = part_[other];
          changed = true;
        });
    }
    for (std::int64_t c = 0; c < count(); ++c) {
      const auto part = static_cast<std::size_t>(part_[c]);
      if (!diagonal_.empty() && diagonal_[c] > 0) pinned[part] = 1;
      for_each_face(c, [&](std::size_t d, std::int64_t face, std::int64_t other) {
        if (other < 0 && face_[d][face] > 0) pinned[part] = 1;
      });
    }
    std::vector<std::vector<std::int64_t>> members(part_.size());
    for (std::int64_t c = 0; c < count(); ++c)
      members[static_cast<std::size_t>(part_[c])].push_back(c);
    for (std::size_t p = 0; p < members.size(); ++p) {
      if (members[p].empty() || pinned[p]) continue;
      if (members[p].size() == 1 && !open[p])
        part_[p] = blocked_part;
      else
        unpinned_.push_back(members[p]);
    }
  }

  ProblemKind kind_;
  std::array<std::int64_t, 3> cells_;
  std::vector<double> eps_, diagonal_, b_;
  std::array<std::vector<double>, 3> face_;
  std::vector<std::int64_t> part_;
  std::vector<std::vector<std::int64_t>> unpinned_;
};

/// Round-off in one value of A x, where |x| <= largest: coefficients are at most 2, and along z flatness^2 more.
inline double round_off_of_product(const ProblemKind& kind, double largest) {
  return round_off(16) * 4 * (2 + kind.flatness * kind.flatness) * largest;
}

/// Problems of every sort that a case may pose.
inline std::vector<ProblemKind> problem_kinds() {
  using N = std::array<std::int64_t, 3>;
  using P = std::array<bool, 3>;
  const P none{false, false, false}, x{true, false, false}, xy{true, true, false}, all{true, true, true};
  //      name                         cells          periodic contrast open blocked diagonal flatness
  return {{"even, closed", N{16, 16, 16}, none},
          {"odd, closed", N{15, 9, 21}, none},
          {"prime, closed", N{17, 13, 19}, none},
          {"prime, open top", N{17, 13, 19}, none, 2, true},
          {"long, open top", N{7, 5, 61}, none, 2, true},
          {"thin y, open top", N{24, 1, 31}, none, 2, true},
          {"thin x and y", N{1, 1, 37}, none, 2, true},
          {"thin z, closed", N{23, 20, 1}, none},
          {"thin periodic y", N{15, 1, 45}, {false, true, false}, 2, true},
          {"flat cells", N{16, 16, 24}, none, 2, true, false, false, 10},
          {"tall cells, closed", N{16, 18, 8}, none, 2, false, false, false, 0.1},
          {"flat and odd", N{13, 11, 17}, none, 2, false, false, false, 10},
          {"blocked, closed", N{14, 12, 16}, none, 2, false, true},
          {"blocked, open top", N{13, 12, 15}, none, 2, true, true},
          {"blocked, 1000:1", N{16, 12, 16}, none, 1000, true, true},
          {"periodic x", N{16, 10, 12}, x, 2, true},
          {"periodic, odd x", N{15, 10, 12}, x, 2, true},
          {"periodic x y, prime", N{13, 11, 16}, xy},
          {"periodic, even", N{8, 12, 16}, all},
          {"periodic, odd", N{9, 7, 15}, all},
          {"periodic of two", N{2, 2, 9}, all},
          {"1000:1, closed", N{24, 24, 24}, none, 1000},
          {"1000:1, open top", N{20, 25, 27}, none, 1000, true},
          {"1000:1, periodic", N{16, 16, 16}, xy, 1000, true},
          {"1000:1, flat", N{15, 16, 17}, none, 1000, true, false, false, 10},
          {"diagonal", N{17, 16, 15}, none, 2, false, false, true},
          {"diagonal, blocked", N{17, 16, 15}, none, 2, false, true, true},
          {"diagonal, 1000:1", N{16, 17, 15}, x, 1000, false, false, true}};
}

} // namespace corral::test

#pragma once

#include <corral/array.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace corral::bench {

/// A pressure equation of the kind that a fluidised bed poses each step: in a cube of n^3 cells, gas volume fraction
/// eps = 1 in the freeboard (z > 0.6) and in 24 spherical bubbles, and a dense phase elsewhere; b_f is the mean of
/// eps over the two cells, with closed walls and either a closed or an open top.
class BubblingBed {
public:
  enum class Top { closed, open };

  /// `dense`: eps of the dense phase, or 0 for a noisy one in [0.36, 0.46]; the rest of the bed is at 1.
  BubblingBed(std::int64_t n, Top top, double dense) : n_(n), dense_(dense), eps_(n * n * n), rhs_(n * n * n) {
    for (std::uint64_t b = 0; b < bubbles_.size(); ++b)
      bubbles_[b] = {random(4 * b), random(4 * b + 1), 0.5 * random(4 * b + 2), 0.04 + 0.08 * random(4 * b + 3)};
    for (std::int64_t k = 0, c = 0; k < n; ++k)
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < n; ++i, ++c) {
          const double x = centre(i), y = centre(j), z = centre(k);
          eps_[c] = eps(x, y, z, c);
          rhs_[c] = random(777 + static_cast<std::uint64_t>(c)) - 0.5 +
                    std::sin(2 * std::numbers::pi * x) * std::cos(std::numbers::pi * z);
        }
    for (int d = 0; d < 3; ++d) fill_faces(d, top);
  }

  std::array<std::int64_t, 3> cells() const { return {n_, n_, n_}; }
  std::array<const double*, 3> faces() const { return {face_[0].data(), face_[1].data(), face_[2].data()}; }
  const double* rhs() const { return rhs_.data(); }

private:
  struct Bubble {
    double x, y, z, radius;
  };

  /// In [0, 1): splitmix64.
  static double random(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1.0p-53;
  }

  double centre(std::int64_t i) const { return (static_cast<double>(i) + 0.5) / static_cast<double>(n_); }

  double eps(double x, double y, double z, std::int64_t cell) const {
    if (z > 0.6) return 1.0;
    for (const Bubble& b : bubbles_)
      if ((x - b.x) * (x - b.x) + (y - b.y) * (y - b.y) + (z - b.z) * (z - b.z) < b.radius * b.radius) return 1.0;
    return dense_ > 0 ? dense_ : 0.36 + 0.1 * random(static_cast<std::uint64_t>(cell));
  }

  void fill_faces(int d, Top top) {
    const std::int64_t step = d == 0 ? 1 : d == 1 ? n_ : n_ * n_;
    std::array<std::int64_t, 3> faces{n_, n_, n_};
    ++faces[d];
    Array<double>& to = face_[d];
    to.resize(faces[0] * faces[1] * faces[2], 0.0);
    for (std::int64_t f = 0; f < to.size(); ++f) {
      const std::array<std::int64_t, 3> at{f % faces[0], f / faces[0] % faces[1], f / (faces[0] * faces[1])};
      const std::int64_t above = at[0] + n_ * (at[1] + n_ * at[2]);
      if (at[d] > 0 && at[d] < n_) to[f] = 0.5 * (eps_[above - step] + eps_[above]);
      if (d == 2 && at[d] == n_ && top == Top::open) to[f] = 2 * eps_[above - step];
    }
  }

  std::int64_t n_;
  double dense_;
  std::array<Bubble, 24> bubbles_{};
  Array<double> eps_, rhs_;
  std::array<Array<double>, 3> face_;
};

} // namespace corral::bench

#pragma once

#include "fluid/domain.hpp"
#include "mppic/contact/complementarity.hpp"
#include "tests/engine/cases.hpp"
#include "tests/fluid/face_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

/// Random inequalities with kinks, and their solutions by brute force.
namespace corral::test {

inline fluid::Domain closed_box(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic) {
  std::array<fluid::SideKind, 6> sides{};
  std::array<double, 3> size{};
  for (std::size_t d = 0; d < 3; ++d) {
    sides[2 * d] = sides[2 * d + 1] = periodic[d] ? fluid::SideKind::periodic : fluid::SideKind::free_slip;
    size[d] = static_cast<double>(cells[d]);
  }
  return {fluid::Domain::make_grid(cells, {0, 0, 0}, size, sides), sides, {}};
}

/// r = w + s x, and from x = k on c (1 - k/x) more: a kink with a steep, concave rise behind it, as contact has.
struct Kinked {
  const double *w, *s, *kink, *c; ///< per cell; c = 0 makes the law linear

  CORRAL_HOST_DEVICE mppic::Complementarity::Value at(std::int64_t i, double x) const {
    if (x < kink[i]) return {w[i] + s[i] * x, s[i]};
    return {w[i] + s[i] * x + c[i] * (1 - kink[i] / x), s[i] + c[i] * kink[i] / (x * x)};
  }
  CORRAL_HOST_DEVICE double root(std::int64_t i, double a, double sum) const {
    double low = 0, high = std::max(0.0, (sum - w[i]) / (a + s[i])); // without the kink's part it would be here
    while (high > 0) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (a * middle + at(i, middle).r < sum ? low : high) = middle;
    }
    return high;
  }
  CORRAL_HOST_DEVICE double beyond(std::int64_t i, double x, double e, double a) const {
    const double over = x + e - kink[i];
    return x < kink[i] && over > 0 ? kink[i] + over * (a + s[i]) / (a + at(i, kink[i]).slope) : x + e;
  }
};

/// A random problem on a grid, and its matrix as a list of pairs.
struct RandomInequality {
  fluid::Domain domain;
  fluid::FaceArrays b;
  std::vector<double> w, s, kink, c;
  struct Pair {
    std::int64_t below, above;
    double b;
  };
  std::vector<Pair> pairs;

  static constexpr double least_slope = 0.05;

  RandomInequality(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, double contrast, double blocked, bool kinks,
          unsigned seed)
      : domain(closed_box(cells, periodic)), b(fluid::make_face_arrays(domain.grid())) {
    Random random(seed);
    for (auto& values : b)
      for (double& value : values)
        value = std::pow(contrast, random.uniform(-0.5, 0.5)) * (random.uniform(0, 1) < blocked ? 0 : 1);
    for (int d = 0; d < 3; ++d)
      each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
        double& value = b[d][f.index];
        if (f.boundary()) value = 0;
        if (value > 0 && f.below != f.above) pairs.push_back({f.below, f.above, value});
      });
    for (std::int64_t i = 0; i < domain.grid().cells(); ++i) {
      w.push_back(random.uniform(-1, 1));
      s.push_back(random.uniform(least_slope, 1));
      kink.push_back(random.uniform(0.01, 0.5));
      c.push_back(kinks ? random.uniform(0, 3) : 0);
    }
  }
  Kinked law() const { return {w.data(), s.data(), kink.data(), c.data()}; }
  std::int64_t size() const { return domain.grid().cells(); }

  std::vector<double> F(const Array<double>& x) const {
    std::vector<double> f(static_cast<std::size_t>(size()));
    for (std::int64_t i = 0; i < size(); ++i) f[i] = law().at(i, x[i]).r;
    for (const Pair& p : pairs) {
      f[p.below] += p.b * (x[p.below] - x[p.above]);
      f[p.above] += p.b * (x[p.above] - x[p.below]);
    }
    return f;
  }
  /// Projected Gauss-Seidel until nothing changes any more.
  Array<double> brute_force() const {
    std::vector<std::vector<std::pair<std::int64_t, double>>> beside(static_cast<std::size_t>(size()));
    for (const Pair& p : pairs) {
      beside[p.below].emplace_back(p.above, p.b);
      beside[p.above].emplace_back(p.below, p.b);
    }
    Array<double> x(size(), 0.0);
    for (int sweep = 0; sweep < 100'000; ++sweep) {
      double change = 0, largest = 0;
      for (std::int64_t i = 0; i < size(); ++i) {
        double a = 0, sum = 0;
        for (const auto& [j, value] : beside[i]) a += value, sum += value * x[j];
        const double next = law().root(i, a, sum);
        change = std::max(change, std::abs(next - x[i]));
        largest = std::max(largest, x[i] = next);
      }
      if (change <= 4e-16 * largest) break;
    }
    return x;
  }
};

} // namespace corral::test

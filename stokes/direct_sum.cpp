#include "stokes/direct_sum.hpp"

#include "stokes/far/mode-inl.hpp"
#include "stokes/near/pair-inl.hpp"
#include "stokes/sums/spheres.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>

namespace corral::stokes {
namespace {

namespace plain = HWY_NAMESPACE;
using Real = long double;
using Complex = std::complex<Real>;
constexpr Real pi = std::numbers::pi_v<Real>;

/// exp(-x^2) is below the accuracy from here on.
Real negligible_from(double accuracy) { return std::sqrt(-std::log(static_cast<Real>(accuracy))); }

struct Sizes {
  Real xi, cut_off, K;
};
Sizes sizes(const DirectSum& direct) {
  const Real x = negligible_from(direct.accuracy);
  const Real xi = direct.xi > 0 ? direct.xi : 5 / std::ranges::min(direct.box.edge);
  return {xi, x / xi + 2 * direct.radius, 2 * xi * x};
}

void add_spheres(Real xi, Real radius, const Real* r, const Real* f, Real* out) {
  const Real square = plain::dot(r, r), apart = std::sqrt(square);
  const SpherePair<Real> pair = xi > 0 ? near_spheres(xi, radius, apart) : spheres(radius, apart);
  const Real pull = square > 0 ? (pair.along - pair.across) * plain::dot(r, f) / square : 0;
  for (std::size_t i = 0; i < 3; ++i) out[i] += pair.across * f[i] + pull * r[i];
}

/// What a source does at a distance, screened by xi; all of it where xi is 0.
void add_pair(const DirectSum& direct, Real xi, const Real* r, const std::array<double, most_strengths>& strength,
              Real* out) {
  Real s[most_strengths];
  std::copy(strength.begin(), strength.end(), s);
  if (direct.radius > 0) return add_spheres(xi, direct.radius, r, s, out);
  plain::RadialValues<Real> values{};
  const auto f = radial<Real>(xi, std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
  std::copy(f.begin(), f.end(), values.of);
  values.square = 2 * xi * xi;
  with_sum(direct.sum, [&]<Sum sum>() {
    direct.all_results ? plain::add_pair<sum, true>(r, values, s, out) : plain::add_pair<sum, false>(r, values, s, out);
  });
}

/// Of a source and its images.
void add_near(const DirectSum& direct, const std::array<Real, 3>& apart,
              const std::array<double, most_strengths>& strength, Real* out) {
  const auto [xi, cut_off, K] = sizes(direct);
  std::array<std::int64_t, 3> low{}, high{};
  for (std::size_t d = 0; d < 3; ++d) {
    const Real edge = direct.box.edge[d];
    low[d] = static_cast<std::int64_t>(std::ceil((-cut_off - apart[d]) / edge));
    high[d] = static_cast<std::int64_t>(std::floor((cut_off - apart[d]) / edge));
  }
  for (std::int64_t k = low[2]; k <= high[2]; ++k)
    for (std::int64_t j = low[1]; j <= high[1]; ++j)
      for (std::int64_t i = low[0]; i <= high[0]; ++i) {
        const Real r[3]{apart[0] + static_cast<Real>(i) * direct.box.edge[0],
                        apart[1] + static_cast<Real>(j) * direct.box.edge[1],
                        apart[2] + static_cast<Real>(k) * direct.box.edge[2]};
        if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] <= cut_off * cut_off) add_pair(direct, xi, r, strength, out);
      }
}

/// Sums over pairs: of near fields, or in free space of all.
void add_pairs(const DirectSum& direct, std::span<const std::array<double, 3>> sources,
               std::span<const std::array<double, most_strengths>> strengths,
               std::span<const std::array<double, 3>> targets, std::vector<long double>& results) {
  const std::size_t out = results.size() / std::max<std::size_t>(targets.size(), 1);
  for_each_chunk(Cpu{}, static_cast<std::int64_t>(targets.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t)
      for (std::size_t i = 0; i < sources.size(); ++i) {
        std::array<Real, 3> apart{};
        for (std::size_t d = 0; d < 3; ++d) apart[d] = static_cast<Real>(targets[t][d]) - sources[i][d];
        if (direct.box.periodic[0])
          add_near(direct, apart, strengths[i], results.data() + out * t);
        else
          add_pair(direct, 0, apart.data(), strengths[i], results.data() + out * t);
      }
  });
}

/// exp(-i k y) of every point along an axis, for modes 0 to n.
std::vector<Complex> phases(std::span<const std::array<double, 3>> points, std::size_t axis, const Box& box,
                            std::int64_t n) {
  std::vector<Complex> all;
  for (const auto& point : points)
    for (std::int64_t m = 0; m <= n; ++m) {
      const Real turns = static_cast<Real>(m) * ((static_cast<Real>(point[axis]) - box.origin[axis]) / box.edge[axis]);
      all.push_back(std::polar<Real>(1, -2 * pi * (turns - std::floor(turns))));
    }
  return all;
}

struct Phases {
  std::array<std::vector<Complex>, 3> of;
  std::array<std::int64_t, 3> n;
  Phases(std::span<const std::array<double, 3>> points, const Box& box, const std::array<std::int64_t, 3>& modes)
      : n(modes) {
    for (std::size_t d = 0; d < 3; ++d) of[d] = phases(points, d, box, n[d]);
  }
  Complex operator()(std::size_t point, const std::array<std::int64_t, 3>& mode) const {
    Complex product = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t m = std::abs(mode[d]);
      const Complex& z = of[d][point * static_cast<std::size_t>(n[d] + 1) + static_cast<std::size_t>(m)];
      product *= mode[d] < 0 ? std::conj(z) : z;
    }
    return product;
  }
};

} // namespace

std::vector<long double> DirectSum::operator()(std::span<const std::array<double, 3>> sources,
                                               std::span<const std::array<double, most_strengths>> strengths,
                                               std::span<const std::array<double, 3>> targets) const {
  if (box.periodic[0] != box.periodic[1] || box.periodic[0] != box.periodic[2])
    throw Error("a direct sum along some periodic axes (there is one for all or none)");
  const Sizes sum_sizes = sizes(*this);
  const Real split = sum_sizes.xi, K = sum_sizes.K;
  const auto out = static_cast<std::size_t>(columns(sum, all_results)), in = static_cast<std::size_t>(far_columns(sum));
  std::vector<long double> results(out * targets.size(), 0);
  add_pairs(*this, sources, strengths, targets, results);
  if (!box.periodic[0]) return results;
  std::array<std::int64_t, 3> n{};
  for (std::size_t d = 0; d < 3; ++d) n[d] = static_cast<std::int64_t>(K * box.edge[d] / (2 * pi));
  const Phases of_sources(sources, box, n), of_targets(targets, box, n);
  std::vector<std::array<Real, most_strengths>> far;
  for (const auto& s : strengths)
    far.push_back(far_strengths<Real>(sum, [&](std::size_t c) { return static_cast<Real>(s[c]); }));
  // Modes of one half, of which the others are the conjugates.
  const std::int64_t modes = (n[0] + 1) * (2 * n[1] + 1) * (2 * n[2] + 1);
  std::vector<std::vector<Complex>> of_modes(static_cast<std::size_t>(modes));
  const auto mode_of = [&](std::int64_t m) {
    return std::array<std::int64_t, 3>{m % (n[0] + 1), m / (n[0] + 1) % (2 * n[1] + 1) - n[1],
                                       m / (n[0] + 1) / (2 * n[1] + 1) - n[2]};
  };
  for_each_chunk(Cpu{}, modes, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t m = begin; m < end; ++m) {
      const auto number = mode_of(m);
      Real k[3], square = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        k[d] = 2 * pi * static_cast<Real>(number[d]) / box.edge[d];
        square += k[d] * k[d];
      }
      if (square == 0 || square > K * K) continue;
      Real parts[2][most_strengths]{}, to[2][most_results];
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const Complex phase = of_sources(i, number);
        for (std::size_t c = 0; c < in; ++c) {
          parts[0][c] += far[i][c] * phase.real();
          parts[1][c] += far[i][c] * phase.imag();
        }
      }
      const Real g = square / (4 * split * split), weight = (number[0] == 0 ? 1 : 2) / static_cast<Real>(box.volume());
      const Real shell = sphere_mode<Real>(radius * std::sqrt(square));
      const Real laplace = weight * 4 * pi * std::exp(-g) / square * shell * shell;
      const plain::Mode<Real> mode{{k[0], k[1], k[2]}, square, laplace, laplace * 2 * (1 + g) / square};
      for (std::size_t part = 0; part < 2; ++part)
        with_sum(sum, [&]<Sum s>() {
          all_results ? plain::far_mode<s, true>(mode, parts[part], to[part])
                      : plain::far_mode<s, false>(mode, parts[part], to[part]);
        });
      auto& amplitudes = of_modes[static_cast<std::size_t>(m)];
      for (const Result r : each_result)
        for (int c = 0; c < result_columns(sum, r) && amplitudes.size() < out; ++c) {
          const auto f = static_cast<std::size_t>(first_column(sum, r) + c);
          const Complex z(to[0][f], to[1][f]);
          amplitudes.push_back(turned(sum, r) ? Complex(0, 1) * z : z);
        }
    }
  });
  Real charge = 0; // the near field of a potential has a mean
  for (const auto& s : far) charge += sum == Sum::laplace ? s[0] : 0;
  const Real mean = pi * charge / (split * split * static_cast<Real>(box.volume()));
  for_each_chunk(Cpu{}, static_cast<std::int64_t>(targets.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t) {
      results[out * t] -= mean;
      for (std::int64_t m = 0; m < modes; ++m) {
        const auto& amplitudes = of_modes[static_cast<std::size_t>(m)];
        if (amplitudes.empty()) continue;
        const Complex phase = std::conj(of_targets(t, mode_of(m)));
        for (std::size_t c = 0; c < out; ++c) results[out * t + c] += (amplitudes[c] * phase).real();
      }
    }
  });
  return results;
}

} // namespace corral::stokes

#include "stokes/accuracy/errors.hpp"

#include "stokes/far/mode-inl.hpp"
#include "stokes/near/pair-inl.hpp"
#include "stokes/sums/spheres.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace corral::stokes {
namespace {

namespace plain = HWY_NAMESPACE;

constexpr double pi = std::numbers::pi;

/// The mean of f(strength) over strengths of length 1 along the axes; q and n of a stresslet each.
template <class F> double mean_over_strengths(Sum sum, const F& f) {
  double total = 0;
  const int first = sum == Sum::laplace ? 1 : 3, second = sum == Sum::stresslet ? 3 : 1;
  for (int i = 0; i < first; ++i)
    for (int j = 0; j < second; ++j) {
      std::array<double, most_strengths> s{};
      s[static_cast<std::size_t>(i)] = 1;
      if (second == 3) s[static_cast<std::size_t>(3 + j)] = 1;
      total += f(s.data());
    }
  return total / (first * second);
}

double square_of(const ErrorScale& e, const double* results) {
  double sum = 0;
  for (int c = 0, f = first_column(e.sum, e.result); c < result_columns(e.sum, e.result); ++c, ++f)
    sum += results[f] * results[f];
  return sum;
}

/// The mean square of a pair's near field.
double near_square(const ErrorScale& e, double xi, double r) {
  if (e.radius > 0) {
    const SpherePair<long double> pair = near_spheres<long double>(xi, e.radius, r);
    return static_cast<double>((2 * pair.across * pair.across + pair.along * pair.along) / 3);
  }
  plain::RadialValues<double> values{};
  const auto f = radial(xi, r);
  for (std::size_t i = 0; i < f.size(); ++i) values.of[i] = f[i];
  values.square = 2 * xi * xi;
  const double apart[3]{r, 0, 0};
  return mean_over_strengths(e.sum, [&](const double* s) {
    double results[most_results]{};
    with_sum(e.sum, [&]<Sum sum>() { plain::add_pair<sum, true>(apart, values, s, results); });
    return square_of(e, results);
  });
}

/// The mean square of a mode of the far field, times the volume's square.
double mode_square(const ErrorScale& e, double xi, double k) {
  const double g = k * k / (4 * xi * xi);
  const double ka = std::max(1.0, e.radius * k); // sin(ka)^2 swings
  const double laplace = 4 * pi * std::exp(-g) / (k * k) / (ka * ka);
  const plain::Mode<double> mode{{k, 0, 0}, k * k, laplace, laplace * 2 * (1 + g) / (k * k)};
  return mean_over_strengths(e.sum, [&](const double* s) {
    double results[most_results]{};
    const auto from = far_strengths<double>(e.sum, [&](std::size_t c) { return s[c]; });
    with_sum(e.sum, [&]<Sum sum>() { plain::far_mode<sum, true>(mode, from.data(), results); });
    return square_of(e, results);
  });
}

/// By Simpson's rule.
template <class F> double integral(double from, double to, const F& f) {
  constexpr int intervals = 40;
  const double h = (to - from) / intervals;
  double sum = f(from) + f(to);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
  return sum * h / 3;
}

double in_units(const ErrorScale& e, double square) {
  return std::sqrt(square) * std::pow(e.length(), decay(e.sum, e.result));
}

/// Of modes from K to `end`, each times weight(k): the mean square over the box of one source's, and the square of what
/// they come to together.
template <class F> double mode_squares(const ErrorScale& e, double xi, double K, double end, const F& weight) {
  const auto shell = [](double k) { return k * k / (2 * pi * pi); };
  const auto size = [&](double k) { return std::sqrt(mode_square(e, xi, k)) * weight(k); };
  const double spread = integral(K, end, [&](double k) { return shell(k) * size(k) * size(k); }) / e.volume;
  const double together = integral(K, end, [&](double k) { return shell(k) * size(k); });
  return spread + together * together / static_cast<double>(e.sources);
}

/// The logarithm of a Kaiser-Bessel window's transform at k [radians per spacing], but for a factor of its own; where
/// the transform swings, of how far.
double log_transform(int P, double beta, double k) {
  const double square = beta * beta - 0.25 * P * P * k * k;
  if (square <= 1) return -0.5 * std::log(std::max(1.0, -square));
  const double root = std::sqrt(square);
  return root - std::log(2 * root);
}

/// The mean over directions of the squares of a mode's aliases, of spread and interpolation.
double alias_square(double k, const std::array<double, 3>& spacing, int P, double beta) {
  constexpr int directions = 6;
  double sum = 0;
  for (const double h : spacing)
    for (int i = 0; i < directions; ++i) {
      const double along = k * h * (i + 0.5) / directions;
      sum += std::exp(2 * (log_transform(P, beta, 2 * pi - along) - log_transform(P, beta, along)));
    }
  return 2 * sum / directions;
}

} // namespace

double ErrorScale::length() const { return std::cbrt(volume); }

double near_error(const ErrorScale& e, double xi, double cut_off) {
  const double over_box =
      integral(cut_off, cut_off + 4 / xi, [&](double r) { return 4 * pi * r * r * near_square(e, xi, r); });
  return in_units(e, over_box / e.volume + near_square(e, xi, cut_off) / static_cast<double>(e.sources));
}

double far_error(const ErrorScale& e, double xi, double K) {
  return in_units(e, mode_squares(e, xi, K, K + 8 * xi, [](double) { return 1.0; }));
}

double window_error(const ErrorScale& e, double xi, double K, const std::array<double, 3>& spacing, int P,
                    double beta) {
  const double first = 2 * pi / e.length();
  return in_units(e, mode_squares(e, xi, first, std::max(K, 2 * first),
                                  [&](double k) { return std::sqrt(alias_square(k, spacing, P, beta)); }));
}

} // namespace corral::stokes

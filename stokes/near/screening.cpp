#include "stokes/near/screening.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace corral::stokes {
namespace {

using Series = std::vector<long double>;
constexpr std::size_t most_terms = 48;

/// Chebyshev coefficients of f(s), s in [-1, 1], from its values at the zeros of the polynomial after the last.
template <class F> Series chebyshev(const F& f) {
  const auto angle = [](std::size_t i) {
    return std::numbers::pi_v<long double> * (static_cast<long double>(i) + 0.5L) / most_terms;
  };
  Series values, series;
  for (std::size_t i = 0; i < most_terms; ++i) values.push_back(f(std::cos(angle(i))));
  for (std::size_t n = 0; n < most_terms; ++n) {
    long double sum = 0;
    for (std::size_t i = 0; i < most_terms; ++i) sum += values[i] * std::cos(static_cast<long double>(n) * angle(i));
    series.push_back(sum * (n == 0 ? 1 : 2) / most_terms);
  }
  return series;
}

/// Without the last terms, which together are below `error`.
void shorten(Series& series, long double error) {
  long double rest = std::abs(series.back());
  while (series.size() > 2 && rest < error) {
    series.pop_back();
    rest += std::abs(series.back());
  }
}

/// In powers of s/scale, from the lowest up.
Series powers(const Series& series, long double scale) {
  const std::size_t size = series.size();
  Series sum(size, 0), last(size, 0), now(size, 0), next(size, 0); // of T_(n-1), T_n, T_(n+1)
  now[0] = 1;
  for (std::size_t n = 0; n < size; ++n) {
    for (std::size_t k = 0; k < size; ++k) sum[k] += series[n] * now[k];
    for (std::size_t k = 0; k < size; ++k)
      next[k] = (n == 0 ? 1 : 2) * (k > 0 ? now[k - 1] : 0) - (n == 0 ? 0 : last[k]);
    last = now;
    now = next;
  }
  long double power = 1;
  for (long double& c : sum) {
    c *= power;
    power *= scale;
  }
  return sum;
}

} // namespace

Screening::Screening(double most, double error) : centre_(2.5) {
  stretch_ = 1 + 2 * centre_ / most;
  pull_ = (stretch_ + 1) * centre_;
  const auto erfcx = [](long double x) { return std::erfc(x) * std::exp(x * x); };
  Series p = chebyshev([&](long double y) { return erfcx(std::max(pull_ / (stretch_ - y) - centre_, 0.0L)); });
  Series q = chebyshev([](long double s) { return std::exp2(s / 2); });
  shorten(p, error * erfcx(most));
  shorten(q, error / 2);
  p = powers(p, 1);
  q = powers(q, 2);
  degree_ = static_cast<int>(std::max(p.size(), q.size())) - 1;
  coefficients_.resize(2 * (degree_ + 1), 0.0);
  for (std::size_t k = 0; k < p.size(); ++k)
    coefficients_[2 * (degree_ - static_cast<std::int64_t>(k))] = static_cast<double>(p[k]);
  for (std::size_t k = 0; k < q.size(); ++k)
    coefficients_[2 * (degree_ - static_cast<std::int64_t>(k)) + 1] = static_cast<double>(q[k]);
}

} // namespace corral::stokes

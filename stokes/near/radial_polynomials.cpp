#include "stokes/near/radial_polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace corral::stokes {
namespace {

using Series = std::vector<long double>;
/// Taylor's series about t = T/2 in s = 2 t/T - 1, of which what is left out counts nowhere. All derivatives of F_n are
/// F_(n+1), F_(n+2), ... with alternating signs: on the left, where the function is largest, no term cancels another.
Series taylor(const RegularPart<long double>& part, long double T) {
  const long double half = T / 2, e = std::exp(-half);
  const std::size_t terms = 40 + static_cast<std::size_t>(3 * half);
  std::vector<long double> F(part.order + terms);
  boys<long double>(half, F);
  Series series;
  long double power = 1; // (-T/2)^k/k!
  for (std::size_t k = 0; k < terms; ++k) {
    if (k > 0) power *= -half / static_cast<long double>(k);
    series.push_back(part.unit * power * (part.boys * F[part.order + k] + part.gauss * e));
  }
  return series;
}

/// T_n in powers of s.
Series chebyshev(std::size_t n) {
  Series before{1}, now{0, 1};
  if (n == 0) return before;
  for (std::size_t i = 1; i < n; ++i) {
    Series next(now.size() + 1, 0);
    for (std::size_t k = 0; k < now.size(); ++k) next[k + 1] = 2 * now[k];
    for (std::size_t k = 0; k < before.size(); ++k) next[k] -= before[k];
    before = std::exchange(now, next);
  }
  return now;
}

/// Lowers the degree as long as what is left out is below `error` on [-1, 1], or lost in the round-off of doubles: each time by
/// the multiple of a Chebyshev polynomial that takes the highest power away.
void economise(Series& series, long double error) {
  long double size = 0;
  for (const long double c : series) size += std::abs(c);
  error = std::max(error, 1e-17L * size);
  for (long double lost = 0; series.size() > 2; series.pop_back()) {
    const long double c = std::ldexp(series.back(), 2 - static_cast<int>(series.size())); // T_n begins with 2^(n-1) s^n
    lost += std::abs(c);
    if (lost > error) return;
    const Series of_degree = chebyshev(series.size() - 1);
    for (std::size_t k = 0; k < series.size(); ++k) series[k] -= c * of_degree[k];
  }
}

} // namespace

RadialPolynomials::RadialPolynomials(const RadialSet& needed, double xi, double cut_off, double error)
    : xi_(xi), cut_off_(cut_off) {
  const long double T = static_cast<long double>(xi) * xi * cut_off * cut_off;
  std::vector<Series> all;
  for (std::size_t f = 0; f < radial_functions; ++f) {
    if (!needed[f]) continue;
    const auto function = static_cast<Radial>(f);
    const int power = singular_power(function) == 0 ? 3 : singular_power(function);
    all.push_back(taylor(regular_part<long double>(function, xi), T));
    economise(all.back(), error / std::pow(cut_off, power - 1));
    degree_ = std::max(degree_, static_cast<int>(all.back().size()) - 1);
  }
  functions_ = static_cast<int>(all.size());
  coefficients_.resize(static_cast<std::int64_t>(all.size()) * (degree_ + 1));
  coefficients_.fill(0);
  for (std::size_t f = 0; f < all.size(); ++f)
    for (std::size_t k = 0; k < all[f].size(); ++k)
      coefficients_[(degree_ - static_cast<std::int64_t>(k)) * functions_ + static_cast<std::int64_t>(f)] = static_cast<double>(all[f][k]);
}

} // namespace corral::stokes

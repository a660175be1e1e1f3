#include "stokes/near/screening.hpp"

#include "stokes/near/series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace corral::stokes {
namespace {

constexpr std::size_t most_terms = 48;

/// Without the last terms, which together are below `error`.
void shorten(Series& series, long double error) {
  long double rest = std::abs(series.back());
  while (series.size() > 2 && rest < error) {
    series.pop_back();
    rest += std::abs(series.back());
  }
}

} // namespace

Screening::Screening(double most, double error) : centre_(2.5) {
  stretch_ = 1 + 2 * centre_ / most;
  pull_ = (stretch_ + 1) * centre_;
  const auto erfcx = [](long double x) { return std::erfc(x) * std::exp(x * x); };
  Series p =
      chebyshev(most_terms, [&](long double y) { return erfcx(std::max(pull_ / (stretch_ - y) - centre_, 0.0L)); });
  Series q = chebyshev(most_terms, [](long double s) { return std::exp2(s / 2); });
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

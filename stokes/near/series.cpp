#include "stokes/near/series.hpp"

namespace corral::stokes {

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

} // namespace corral::stokes

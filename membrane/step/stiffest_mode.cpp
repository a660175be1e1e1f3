#include "membrane/step/stiffest_mode.t.hpp"

namespace corral::membrane {

/// By bisection: x is above all eigenvalues where all pivots of the matrix less x are negative.
TopOfTridiagonal top_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const std::size_t n = diagonal.size();
  double low = diagonal[0], high = diagonal[0];
  for (std::size_t i = 0; i < n; ++i) {
    const double reach = (i > 0 ? std::abs(beside[i - 1]) : 0) + (i + 1 < n ? std::abs(beside[i]) : 0);
    low = std::max(low, diagonal[i]), high = std::max(high, diagonal[i] + reach);
  }
  for (int halvings = 0; halvings < 60; ++halvings) {
    const double x = 0.5 * (low + high);
    double pivot = diagonal[0] - x;
    for (std::size_t i = 1; i < n && pivot < 0; ++i) pivot = diagonal[i] - x - beside[i - 1] * beside[i - 1] / pivot;
    (pivot < 0 ? high : low) = x;
  }
  // The last component of the eigenvector is what leads out of the matrix.
  double before = 0, now = 1, square = 1;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double next = ((high - diagonal[i]) * now - (i > 0 ? beside[i - 1] * before : 0)) / beside[i];
    before = std::exchange(now, next);
    square += now * now;
  }
  return {high, std::abs(beside[n - 1] * now) / std::sqrt(square)};
}

template class StiffestMode<Cpu>;

} // namespace corral::membrane

#include "tests/catch.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

/// Kernels that have a formula: it is what `weights` evaluates.
namespace corral::kernels {
namespace {

template <class K> constexpr bool has_formula = requires(const K& kernel) { kernel.formula(); };

template <class K> double largest_difference(const K& kernel) {
  const WeightFormula f = kernel.formula();
  double worst = 0;
  for (int i = 0; i <= 64; ++i) {
    const double r = i / 64.0 - (K::support % 2 == 1 ? 0.5 : 0.0);
    double expected[K::support];
    kernel.weights(r, expected);
    for (int j = 0; j < K::support; ++j) {
      const int stretch = std::min(j, K::support - 1 - j);
      const double in_cell = K::support % 2 == 0 ? 2 * r - 1 : 2 * r, z = j == stretch ? in_cell : -in_cell;
      double even = 0, odd = 0;
      for (int k = WeightFormula::most_terms - 1; k >= 0; --k) {
        even = even * z * z + f.even[stretch][k];
        odd = odd * z * z + f.odd[stretch][k];
        if (k >= f.terms && (f.even[stretch][k] != 0 || f.odd[stretch][k] != 0)) return HUGE_VAL;
      }
      if (2 * stretch + 1 == K::support && odd != 0) return HUGE_VAL; // the middle is its own mirror image
      const double weight = even + z * odd + f.of_root[stretch] * std::sqrt(f.under_root[0] + f.under_root[1] * z * z);
      worst = std::max(worst, std::abs(weight - expected[j]));
    }
  }
  return worst;
}

} // namespace

TEST_CASE("a kernel's formula gives its weights") {
  int with_formula = 0;
  for_each_of(ShippedKernels{}, [&](const auto& kernel) {
    if constexpr (has_formula<std::decay_t<decltype(kernel)>>) {
      INFO(kernel.name);
      CHECK(largest_difference(kernel) < 1e-15);
      ++with_formula;
    }
  });
  CHECK(with_formula == 34); // 15 windows and as many exponentials, nearest, linear, roma3, peskin4
  CHECK_FALSE(has_formula<KaiserBessel<8, 16>>); // more terms than it has place for
  CHECK(largest_difference(KaiserBessel<8, 15>{}) < 1e-15);
}

} // namespace corral::kernels

#include "tests/kernels/offsets.hpp"

#include <numbers>
#include <optional>

/// The moments that define the kernels, over all offsets, in float and double.
namespace corral::test {
namespace {

/// What is true of a kernel; M_k = sum over the points of weight times distance^k.
struct Moments {
  std::optional<double> first_at_most = {};  ///< largest |M1|, met to three digits; none: M1 = 0
  std::array<double, 2> second = {};         ///< smallest and largest M2, to three digits
  std::optional<double> second_exactly = {}; ///< M2 everywhere
  bool third_vanishes = false;               ///< M3 = 0
  std::optional<double> squares = {};        ///< sum of the weights' squares everywhere
  double squares_known_to = 0;               ///< digits given by the source
  bool even_as_odd = false;                  ///< points of even and odd index sum to 1/2 each
};

struct Range {
  double low = 1e300, high = -1e300;
  void add(double x) { low = std::min(low, x), high = std::max(high, x); }
};

template <class T, class K> void require_moments(const K& kernel, const Moments& expected) {
  INFO(std::string(K::name) << (sizeof(T) == 4 ? ", float" : ", double"));
  Range moment[4], squares, even;
  for_each_offset<T, K>([&](T r) {
    const auto w = weights_at(kernel, r);
    double m[4] = {}, square = 0, even_sum = 0;
    for (int j = 0; j < K::support; ++j) {
      const auto weight = static_cast<double>(w[j]);
      for (int k = 0; k < 4; ++k) m[k] += weight * std::pow(distance<K>(static_cast<double>(r), j), k);
      square += weight * weight;
      if (j % 2 == 0) even_sum += weight;
    }
    for (int k = 0; k < 4; ++k) moment[k].add(m[k]);
    squares.add(square);
    even.add(even_sum);
  });
  // Weights err by a few eps each; |distance|^k is at most (support / 2)^k.
  const double eps = round_off<T>(K::support), reach = 0.5 * K::support;
  const auto always = [](const Range& range, double value, double tolerance) {
    CHECK(range.low >= value - tolerance);
    CHECK(range.high <= value + tolerance);
  };
  always(moment[0], 1, eps);
  if (expected.first_at_most) {
    CHECK(std::abs(moment[1].high - *expected.first_at_most) < 5e-4);
    CHECK(std::abs(moment[1].low + *expected.first_at_most) < 5e-4);
  } else {
    always(moment[1], 0, eps * reach);
  }
  if (expected.second_exactly) {
    always(moment[2], *expected.second_exactly, eps * reach * reach);
  } else {
    CHECK(std::abs(moment[2].low - expected.second[0]) < 5e-4);
    CHECK(std::abs(moment[2].high - expected.second[1]) < 5e-4);
  }
  if (expected.third_vanishes) always(moment[3], 0, eps * reach * reach * reach);
  if (expected.squares) always(squares, *expected.squares, eps + expected.squares_known_to);
  if (expected.even_as_odd) always(even, 0.5, eps);
  // Where a property isn't claimed, the kernel doesn't have it: otherwise the table would say too little.
  if (!expected.third_vanishes) CHECK(moment[3].high - moment[3].low > 1e-4);
  if (!expected.squares) CHECK(squares.high - squares.low > 1e-4);
  if (!expected.even_as_odd) CHECK(even.high - even.low > 1e-4);
}

template <class K> void require_moments_in_both_precisions(const K& kernel, const Moments& expected) {
  require_moments<float>(kernel, expected);
  require_moments<double>(kernel, expected);
}

} // namespace

TEST_CASE("Immersed-boundary kernels have the moments that define them") {
  using namespace kernels;
  require_moments_in_both_precisions(Linear{}, {.second = {0, 0.25}});
  require_moments_in_both_precisions(Roma3{}, {.second = {0.25, 1. / 3}, .squares = 0.5});
  require_moments_in_both_precisions(Peskin4{}, {.second = {0.5, 0.543}, .squares = 0.375, .even_as_odd = true});
  require_moments_in_both_precisions(
      Cosine4{}, {.first_at_most = 0.0213, .second = {0.5, 0.543}, .squares = 0.375, .even_as_odd = true});
  require_moments_in_both_precisions(Ib5{}, {.second_exactly = (38 - std::sqrt(69.)) / 60,
                                             .third_vanishes = true,
                                             .squares = 0.392548,
                                             .squares_known_to = 1e-6});
  require_moments_in_both_precisions(Ib6{}, {.second_exactly = 59. / 60 - std::sqrt(29.) / 20,
                                             .third_vanishes = true,
                                             .squares = 0.325778,
                                             .squares_known_to = 1e-6,
                                             .even_as_odd = true});
}

TEST_CASE("B-splines of n points have a second moment of n/12") {
  using namespace kernels;
  require_moments_in_both_precisions(BSpline<3>{}, {.second_exactly = 3. / 12});
  require_moments_in_both_precisions(BSpline<4>{}, {.second_exactly = 4. / 12, .third_vanishes = true});
  require_moments_in_both_precisions(BSpline<5>{}, {.second_exactly = 5. / 12, .third_vanishes = true});
  require_moments_in_both_precisions(BSpline<6>{}, {.second_exactly = 6. / 12, .third_vanishes = true});
}

TEST_CASE("Smoothing evens out the second moment where the first vanishes") {
  using namespace kernels;
  using std::numbers::pi;
  require_moments_in_both_precisions(SmoothedRoma3{}, {.second_exactly = 7. / 12 - pi / (9 * std::sqrt(3.))});
  require_moments_in_both_precisions(SmoothedPeskin4{}, {.second_exactly = 1 - pi / 8, .even_as_odd = true});
  require_moments_in_both_precisions(SmoothedCosine4{}, {.second = {0.600, 0.613}, .even_as_odd = true});
}

TEST_CASE("What a kernel says of its sum and first moment is so") {
  for_each_kernel([]<class K>(const K& kernel) {
    double worst_sum = 0, worst_moment = 0;
    for_each_offset<double, K>([&](double r) {
      const auto w = weights_at(kernel, r);
      double sum = 0, moment = 0;
      for (int j = 0; j < K::support; ++j) {
        sum += w[j];
        moment += w[j] * distance<K>(r, j);
      }
      worst_sum = std::max(worst_sum, std::abs(sum - 1));
      worst_moment = std::max(worst_moment, std::abs(moment));
    });
    const double eps = round_off(K::support);
    CHECK((worst_sum <= eps) == kernels::sums_to_one<K>);
    if (kernels::sums_to_one<K>) CHECK((worst_moment <= eps * K::support) == kernels::first_moment_vanishes<K>);
    if (!kernels::sums_to_one<K>) CHECK_FALSE(kernels::first_moment_vanishes<K>); // though wide windows come close
  });
}

} // namespace corral::test

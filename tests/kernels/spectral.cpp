#include "tests/kernels/offsets.hpp"

#include <numbers>
#include <utility>

/// The windows of spectral methods against their formulas.
namespace corral::test {
namespace {

using kernels::ExponentialSemicircle, kernels::KaiserBessel;

/// The largest error of the polynomials, over all points of the support.
template <class T = double, class K> double polynomial_error(const K& kernel) {
  double worst = 0;
  for_each_offset<T, K>([&](T r) {
    const auto w = weights_at(kernel, r);
    for (int j = 0; j < K::support; ++j) {
      const double phi = kernel.exact(distance<K>(static_cast<double>(r), j));
      worst = std::max(worst, std::abs(static_cast<double>(w[j]) - phi));
    }
  });
  return worst;
}

/// What polynomials may add to the error of a window's transforms.
double polynomial_share(double error) { return std::max(0.3 * error, 1e-14); }

/// Calls f(integral_constant P) for P = 2 to 16.
template <class F> void for_each_width(F f) {
  [&]<int... From2>(std::integer_sequence<int, From2...>) { (f(std::integral_constant<int, From2 + 2>{}), ...); }
  (std::make_integer_sequence<int, 15>{});
}

/// I0(x), the mean of exp(x cos t) over the circle; the trapezoidal rule converges faster than any power.
double bessel_i0(double x) {
  constexpr int points = 200;
  double sum = 0;
  for (int i = 0; i < points; ++i) sum += std::exp(x * std::cos(2 * std::numbers::pi * i / points)) / points;
  return sum;
}

/// The integral of phi(r) cos(k r), by Simpson's rule.
template <class K> double transform_by_quadrature(const K& kernel, double k) {
  constexpr int pieces = 4000;
  const double h = double(K::support) / pieces;
  double sum = 0;
  for (int i = 0; i <= pieces; ++i) {
    const double r = -0.5 * K::support + i * h;
    sum += (i == 0 || i == pieces ? 1 : i % 2 == 0 ? 2 : 4) * h / 3 * kernel.exact(r) * std::cos(k * r);
  }
  return sum;
}

} // namespace

TEST_CASE("Kaiser-Bessel's default degree is the smallest that meets its error") {
  for_each_width([](auto width) {
    constexpr int P = width, degree = kernels::kaiser_bessel_degree(width);
    const double target = polynomial_share(kaiser_bessel_errors[P - 2]);
    INFO("P = " << P);
    CHECK(polynomial_error(KaiserBessel<P>{}) < target);
    CHECK(polynomial_error(KaiserBessel<P, degree - 1>{}) > 0.99 * target);
    CHECK(polynomial_error<float>(KaiserBessel<P>{}) < target + round_off<float>(degree));
  });
}

TEST_CASE("Kaiser-Bessel of the papers' degree has the papers' error") {
  const auto require_error = [](auto width, double error) {
    INFO("P = " << int(width));
    const KaiserBessel<width, kernels::papers_degree(width)> kernel(2.5 * width);
    CHECK(polynomial_error(kernel) == Approx(error).epsilon(0.05)); // two digits are known
  };
  require_error(std::integral_constant<int, 4>{}, 1.6e-3);
  require_error(std::integral_constant<int, 6>{}, 2.6e-4);
  require_error(std::integral_constant<int, 8>{}, 8.1e-6);
  require_error(std::integral_constant<int, 10>{}, 6.4e-7);
  require_error(std::integral_constant<int, 12>{}, 1.8e-9);
  require_error(std::integral_constant<int, 14>{}, 4.1e-11);
  require_error(std::integral_constant<int, 16>{}, 2.5e-11);
  CHECK(kernels::papers_degree(7) == 5);
  CHECK(kernels::papers_degree(11) == 8);
  CHECK(kernels::papers_degree(13) == 9);
}

TEST_CASE("The exponential of semicircle's default degree is the smallest that meets its error") {
  for_each_width([](auto width) {
    constexpr int P = width, degree = kernels::exponential_semicircle_degree(width);
    const double target = polynomial_share(exponential_semicircle_errors[P - 2]);
    INFO("P = " << P);
    CHECK(polynomial_error(ExponentialSemicircle<P>{}) < target);
    CHECK(polynomial_error(ExponentialSemicircle<P, degree - 1>{}) > 0.99 * target);
    CHECK(polynomial_error<float>(ExponentialSemicircle<P>{}) < target + round_off<float>(degree));
  });
}

TEST_CASE("exact is the formula") {
  double worst = 0;
  for (const double r : {0.0, 0.3, -1.7, 3.2, 4.0}) {
    const double x = r / 4, root = std::sqrt(1 - x * x);
    worst = std::max(worst, std::abs(KaiserBessel<8>{}.exact(r) - bessel_i0(2.34 * 8 * root) / bessel_i0(2.34 * 8)));
    worst = std::max(worst, std::abs(KaiserBessel<8>(15).exact(r) - bessel_i0(15 * root) / bessel_i0(15)));
    worst = std::max(worst, std::abs(ExponentialSemicircle<8>{}.exact(r) - std::exp(2.3 * 8 * (root - 1))));
    worst = std::max(worst, std::abs(ExponentialSemicircle<8>(12).exact(r) - std::exp(12 * (root - 1))));
  }
  CHECK(worst <= round_off(200));
  CHECK(ExponentialSemicircle<2>{}.beta() == Approx(4));
  CHECK(ExponentialSemicircle<3>{}.beta() == Approx(6.3));
  CHECK(ExponentialSemicircle<4>{}.beta() == Approx(8.92));
  CHECK(KaiserBessel<8>{}.exact(4.001) == 0);
  CHECK(ExponentialSemicircle<8>{}.exact(-4.001) == 0);
}

TEST_CASE("Polynomials follow a beta of one's own") {
  CHECK(polynomial_error(KaiserBessel<8, 14>(15)) < 1e-13);
  CHECK(polynomial_error(KaiserBessel<7, 14>(22)) < 1e-13);
  CHECK(polynomial_error(ExponentialSemicircle<12, 14>(40)) < 1e-13);
  CHECK(std::abs(KaiserBessel<8>(15)(2.0) - KaiserBessel<8>{}(2.0)) > 0.01);
}

TEST_CASE("Kaiser-Bessel's transform is the integral, and the mean of its weights' sum") {
  const KaiserBessel<8> kernel(20);
  const double width = kernel.transform(0);
  double worst = 0, sums = 0;
  for (const double k : {0.0, 0.5, 2.0, 4.9, 5.0, 5.1, 7.5}) // beta = k a at 5
    worst = std::max(worst, std::abs(kernel.transform(k) - transform_by_quadrature(kernel, k)));
  CHECK(worst < 1e-10 * width); // Simpson's rule
  for_each_offset<double, KaiserBessel<8>>([&](double r) {
    double sum = 0;
    for (const double w : weights_at(kernel, r)) sum += w;
    sums = std::max(sums, std::abs(sum - width));
  });
  CHECK(sums < 10 * std::exp(-2.5 * 8) * 8);
}

} // namespace corral::test

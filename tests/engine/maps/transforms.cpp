#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/kernels/offsets.hpp"

#include <corral/corral.hpp>
#include <corral/kernels/shipped.hpp>

#include <complex>
#include <numbers>
#include <vector>

/// Non-uniform discrete Fourier transforms of twofold oversampling, by a window and by direct sums.
namespace corral::test {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr int modes = 48, points = 2 * modes, particles = 400;

/// exp(i 2 pi n / points), for any n.
Complex root(int n) {
  static const std::vector<Complex> all = [] {
    std::vector<Complex> roots;
    for (int i = 0; i < points; ++i) roots.push_back(std::polar(1.0, 2 * pi * i / points));
    return roots;
  }();
  return all[static_cast<std::size_t>((n % points + points) % points)];
}

double difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) error += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(error / size);
}

/// Particles with complex values on one periodic axis of `points` cells; the transforms by direct sums.
struct Problem {
  std::vector<double> x, middle = std::vector<double>(particles, 0.5), real, imaginary;
  std::vector<Complex> value, of_modes, to_particles; ///< type 1, and type 2 of the numbers below

  Problem() {
    Random random(3);
    for (int p = 0; p < particles; ++p) {
      x.push_back(random.uniform(0, points));
      real.push_back(random.uniform(-0.5, 0.5));
      imaginary.push_back(random.uniform(-0.5, 0.5));
      value.emplace_back(real.back(), imaginary.back());
    }
    for (int k = -modes / 2; k < modes / 2; ++k) {
      Complex sum = 0;
      for (int p = 0; p < particles; ++p) sum += value[at(p)] * wave(-k, p);
      of_modes.push_back(sum);
    }
    for (int p = 0; p < particles; ++p) {
      Complex sum = 0;
      for (int k = -modes / 2; k < modes / 2; ++k) sum += coefficient(k) * wave(k, p);
      to_particles.push_back(sum);
    }
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Complex wave(int k, int p) const { return std::polar(1.0, 2 * pi * k * x[at(p)] / points); }
  Complex coefficient(int k) const { return value[at(k + modes / 2)]; }
};

/// The integral of phi(r) cos(2 pi k r / points), r = P/2 sin t: the window's root becomes a cosine.
template <class K> double transform(const K& kernel, int k) {
  constexpr int pieces = 400;
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    const double t = pi * ((i + 0.5) / pieces - 0.5), r = 0.5 * K::support * std::sin(t);
    sum += kernel.exact(r) * std::cos(2 * pi * k * r / points) * 0.5 * K::support * std::cos(t) * pi / pieces;
  }
  return sum;
}

/// The larger error of the transforms of types 1 and 2 by the window: spread or interpolated on faces, which lie at
/// whole numbers, and divided by the window's own transform.
template <class K> double error_of_transforms(const Problem& of, const K& kernel) {
  const Grid grid({Axis{points}, Axis{}, Axis{}});
  CellOrder<double> order(grid);
  order.sort(Cpu{}, positions(of.x.data(), of.middle.data(), of.middle.data(), particles));
  std::vector<double> re(points), im(points), read_re(particles), read_im(particles);
  const auto field = [&](std::vector<double>& values) { return field_view(grid, values.data(), Staggering::face_x); };
  std::vector<double> window;
  for (int k = -modes / 2; k < modes / 2; ++k) window.push_back(transform(kernel, k));

  spread(Cpu{}, order, kernel,
         {{{of.real.data(), particles}, field(re)}, {{of.imaginary.data(), particles}, field(im)}});
  std::vector<Complex> found(modes), read;
  for (int k = -modes / 2; k < modes / 2; ++k)
    for (int i = 0; i < points; ++i)
      found[Problem::at(k + modes / 2)] +=
          Complex(re[Problem::at(i)], im[Problem::at(i)]) * root(-k * i) / window[Problem::at(k + modes / 2)];

  for (int i = 0; i < points; ++i) {
    Complex sum = 0;
    for (int k = -modes / 2; k < modes / 2; ++k)
      sum += of.coefficient(k) * root(k * i) / window[Problem::at(k + modes / 2)];
    re[Problem::at(i)] = sum.real();
    im[Problem::at(i)] = sum.imag();
  }
  interpolate(Cpu{}, order, kernel,
              {{field(re), {read_re.data(), particles}}, {field(im), {read_im.data(), particles}}});
  for (int p = 0; p < particles; ++p) read.emplace_back(read_re[Problem::at(p)], read_im[Problem::at(p)]);
  return std::max(difference(found, of.of_modes), difference(read, of.to_particles));
}

template <int P> using KaiserBessel = kernels::KaiserBessel<P>; // with their default degrees
template <int P> using ExponentialSemicircle = kernels::ExponentialSemicircle<P>;

template <template <int> class Window> void require_errors(const std::array<double, 15>& expected) {
  const Problem problem;
  const auto require = [&]<int P>(std::integral_constant<int, P>) {
    const double error = error_of_transforms(problem, Window<P>{}), known = expected[P - 2];
    INFO("P = " << P << ", error " << error << ", known " << known);
    CHECK(error < 1.2 * known);
    if (known > 1e-13) CHECK(error > known / 1.2); // below, it is round-off
  };
  [&]<int... From2>(std::integer_sequence<int, From2...>) {
    (require(std::integral_constant<int, From2 + 2>{}), ...);
  }(std::make_integer_sequence<int, 15>{});
}

} // namespace

TEST_CASE("windows err in a twofold oversampled transform as docs/kernels.md says", "[values]") {
  require_errors<KaiserBessel>(kaiser_bessel_errors);
  require_errors<ExponentialSemicircle>(exponential_semicircle_errors);
}

TEST_CASE("windows by name take a beta") {
  const Problem problem;
  double by_default = 0, wide = 0;
  CHECK(kernels::with_kernel("kaiser_bessel8", [&](const auto& k) {
    if constexpr (requires { k.exact(0.0); }) by_default = error_of_transforms(problem, k);
  }));
  const auto measure = [&](const auto& k) { wide = error_of_transforms(problem, k); };
  CHECK(kernels::with_window("kaiser_bessel8", 2.5 * 8, measure));
  CHECK(wide > 20 * by_default);
  CHECK_FALSE(kernels::with_window("peskin4", 2.0, [](const auto&) {}));
  const double usual = kernels::default_beta("kaiser_bessel8");
  CHECK(usual == 2.34 * 8);
  CHECK(kernels::default_beta("exponential_semicircle16") == 2.3 * 16);
  CHECK(kernels::default_beta("peskin4") == 0);
  for (const double beta : {0.49 * usual, 2.01 * usual, 0.0, -usual, std::nan("")})
    CHECK_FALSE(kernels::with_window("kaiser_bessel8", beta, [](const auto&) {}));
  for (const double beta : {0.5 * usual, 2 * usual})
    CHECK(kernels::with_window("kaiser_bessel8", beta, [](const auto&) {}));
  CHECK_FALSE(kernels::with_window("kaiser_bessel17", 2.0, [](const auto&) {}));
}

TEST_CASE("on nodes of an axis of one cell a window counts with the sum of its weights") {
  const Grid grid({Axis{}, Axis{}, Axis{}});
  const double x = 0.3, one = 1;
  CellOrder<double> order(grid);
  order.sort(Cpu{}, positions(&x, &x, &x, 1));
  const kernels::KaiserBessel<8> window;
  const auto spread_to = [&](Staggering s, const auto& kernel) {
    double point = 0;
    spread(Cpu{}, order, kernel, {{{&one, 1}, field_view(grid, &point, s)}});
    return point;
  };
  CHECK(spread_to(Staggering::centre, window) == 1);
  CHECK(spread_to(Staggering::face_y, window) == Approx(window.transform(0)));
  CHECK(spread_to(Staggering::node, window) == Approx(std::pow(window.transform(0), 3)));
  CHECK(spread_to(Staggering::node, kernels::Ib6{}) == Approx(1));
}

} // namespace corral::test

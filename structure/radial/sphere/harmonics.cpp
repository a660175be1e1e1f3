#include "structure/radial/sphere/harmonics.hpp"

#include <cmath>

namespace corral::structure::radial {

namespace {

/// Of x + i y, real and imaginary parts of the powers; 0 for negative ones.
struct Powers {
  explicit Powers(double x, double y) {
    real[0] = 1;
    for (std::size_t m = 1; m < real.size(); ++m) {
      real[m] = x * real[m - 1] - y * imaginary[m - 1];
      imaginary[m] = x * imaginary[m - 1] + y * real[m - 1];
    }
  }
  double re(int m) const { return m < 0 ? 0 : real[m]; }
  double im(int m) const { return m < 0 ? 0 : imaginary[m]; }
  std::array<double, harmonic_degree + 1> real{}, imaginary{};
};

/// d^m P_l/dz^m of Legendre's polynomials, m up to l + 2.
struct Legendre {
  explicit Legendre(double z) {
    for (int m = 0; m < orders; ++m)
      for (int l = m; l <= harmonic_degree; ++l) {
        if (l == m) value[index(l, m)] = m == 0 ? 1 : (2 * m - 1) * value[index(l - 1, m - 1)];
        else {
          const double before = l - 2 >= m ? value[index(l - 2, m)] : 0;
          value[index(l, m)] = ((2 * l - 1) * z * value[index(l - 1, m)] - (l + m - 1) * before) / (l - m);
        }
      }
  }
  double operator()(int l, int m) const { return value[index(l, m)]; }

private:
  static constexpr int orders = harmonic_degree + 3;
  static std::size_t index(int l, int m) { return static_cast<std::size_t>(l * orders + m); }
  std::array<double, (harmonic_degree + 1) * orders> value{};
};

/// Of a function of space, in Cartesian components; second derivatives are xx, yy, zz, xy, xz, yz.
struct SpaceValues {
  double value;
  Direction first;
  std::array<double, 6> second;
};

double along(const Direction& a, const Direction& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double along(const std::array<double, 6>& h, const Direction& a, const Direction& b) {
  return h[0] * a[0] * b[0] + h[1] * a[1] * b[1] + h[2] * a[2] * b[2] + h[3] * (a[0] * b[1] + a[1] * b[0]) +
         h[4] * (a[0] * b[2] + a[2] * b[0]) + h[5] * (a[1] * b[2] + a[2] * b[1]);
}

/// Along a great circle, x cos t + e sin t, second derivatives bend by the one along x.
SiteValues on_sphere(const SpaceValues& f, const Direction& x, const Frame& frame) {
  const double outward = along(f.first, x);
  return {f.value,
          along(f.first, frame.first),
          along(f.first, frame.second),
          along(f.second, frame.first, frame.first) - outward,
          along(f.second, frame.first, frame.second),
          along(f.second, frame.second, frame.second) - outward};
}

/// Re or Im (x + i y)^m d^m P_l/dz^m, a polynomial that has no pole, and its factor to a mean square of 1.
SpaceValues harmonic(int l, int m, bool sine, const Powers& powers, const Legendre& legendre) {
  double square = m == 0 ? 2 * l + 1 : 2 * (2 * l + 1);
  for (int k = l - m + 1; k <= l + m; ++k) square /= k;
  const double scale = std::sqrt(square);
  const double a = sine ? powers.im(m) : powers.re(m);
  const double ax = m * (sine ? powers.im(m - 1) : powers.re(m - 1));
  const double ay = m * (sine ? powers.re(m - 1) : -powers.im(m - 1));
  const double axx = m * (m - 1) * (sine ? powers.im(m - 2) : powers.re(m - 2));
  const double axy = m * (m - 1) * (sine ? powers.re(m - 2) : -powers.im(m - 2));
  const double p = scale * legendre(l, m), p1 = scale * legendre(l, m + 1), p2 = scale * legendre(l, m + 2);
  return {a * p, {ax * p, ay * p, a * p1}, {axx * p, -axx * p, a * p2, axy * p, ax * p1, ay * p1}};
}

/// Calls f(l, m, sine) for each harmonic in order.
template <class F> void each_harmonic(F&& f) {
  for (int l = 0; l <= harmonic_degree; ++l)
    for (int m = 0; m <= l; ++m) {
      f(l, m, false);
      if (m > 0) f(l, m, true);
    }
}

} // namespace

std::array<SiteValues, harmonic_count> harmonics(const Direction& site, const Frame& frame) {
  const Powers powers(site[0], site[1]);
  const Legendre legendre(site[2]);
  std::array<SiteValues, harmonic_count> values;
  std::size_t next = 0;
  each_harmonic([&](int l, int m, bool sine) {
    values[next++] = on_sphere(harmonic(l, m, sine, powers, legendre), site, frame);
  });
  return values;
}

std::array<bool, harmonic_count> even_harmonics() {
  std::array<bool, harmonic_count> even{};
  std::size_t next = 0;
  // y and z change sign: powers of z by the parity of l + m, the imaginary part once more.
  each_harmonic([&](int l, int m, bool sine) { even[next++] = ((l + m) % 2 == 0) != sine; });
  return even;
}

} // namespace corral::structure::radial

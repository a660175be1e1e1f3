#include "stokes/far/cut_kernels.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace corral::stokes {
namespace {

constexpr double pi = std::numbers::pi;

/// F/(kappa^2 + q^2) times 4 pi, and -1/kappa times its derivative by kappa.
CutTransforms from(double F, double slope, double kappa, double square) {
  return {4 * pi * F / square, 4 * pi * (2 * F / (square * square) - slope / (kappa * square))};
}

CutTransforms one_free(double kappa, double q, double R) {
  if (kappa == 0) {
    const double laplace = 4 * pi * (1 - std::cos(q * R)) / (q * q);
    return {laplace, 2 * laplace / (q * q)};
  }
  const double decayed = std::exp(-kappa * R), s = std::sin(q * R), c = std::cos(q * R);
  const double edge = q / kappa * s - c;
  return from(1 + decayed * edge, -decayed * (R * edge + q * s / (kappa * kappa)), kappa, kappa * kappa + q * q);
}

CutTransforms two_free(double kappa, double q, double R) {
  const double J0 = ::j0(q * R), J1 = ::j1(q * R);
  if (kappa == 0) {
    const double q2 = q * q;
    return {4 * pi * (1 - J0) / q2, (8 * pi * (1 - J0) - 4 * pi * q * R * J1) / (q2 * q2)};
  }
  const double x = kappa * R, K0 = x < 600 ? std::cyl_bessel_k(0.0, x) : 0,
               K1 = x < 600 ? std::cyl_bessel_k(1.0, x) : 0;
  return from(1 + R * (q * J1 * K0 - kappa * J0 * K1), R * R * (kappa * J0 * K0 - q * J1 * K1), kappa,
              kappa * kappa + q * q);
}

CutTransforms three_free(double q, double R) {
  const double x = q * R, sinc = std::sin(x) / x, q2 = q * q;
  return {4 * pi * (1 - sinc) / q2, 4 * pi * (2 + std::cos(x) - 3 * sinc) / (q2 * q2)};
}

} // namespace

CutTransforms cut_transforms(int free_axes, double kappa, double q, double R) {
  if (free_axes == 1) return one_free(kappa, q, R);
  if (free_axes == 2) return two_free(kappa, q, R);
  if (free_axes == 3) return three_free(q, R);
  return {4 * pi / (kappa * kappa), 8 * pi / (kappa * kappa * kappa * kappa)};
}

std::array<double, 3> mean_factors(Sum sum, const SpectralBox& box, double xi) {
  if (sum != Sum::laplace && sum != Sum::stokeslet) return {};
  const double R = box.reach, V = box.volume(), period = box.period();
  std::array<double, 3> along{}; // of flows
  double laplace = 0;
  switch (box.free_axes()) {
    case 0: laplace = -pi / (xi * xi * V); break; // the near field's mean, without sign
    case 1:
      laplace = 2 * pi * R * R / V - 2 * pi * R / period;
      for (std::size_t d = 0; d < 3; ++d) along[d] = box.free[d] ? 0 : 2 * laplace;
      break;
    case 2: {
      const double lacking = std::log(R / period);
      laplace = pi * R * R / V - 2 * lacking / period;
      for (std::size_t d = 0; d < 3; ++d) along[d] = (box.free[d] ? -2 : -4) * (lacking - 0.5) / period;
      break;
    }
    default: laplace = 2 * pi * R * R / (3 * V) + 1 / R; along = {2 / R, 2 / R, 2 / R};
  }
  return sum == Sum::laplace ? std::array<double, 3>{laplace, 0, 0} : along;
}

} // namespace corral::stokes

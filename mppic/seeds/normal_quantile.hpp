#pragma once

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::mppic {

/// Share of the standard normal distribution below z.
CORRAL_HOST_DEVICE inline double normal_cdf(double z) { return 0.5 * std::erfc(-0.70710678118654752 * z); }

namespace normal_quantile_detail {
/// Quotient of two polynomials of degree 7 in r, highest coefficient first.
CORRAL_HOST_DEVICE inline double quotient(double r, const double (&over)[8], const double (&under)[8]) {
  double a = over[0];
  double b = under[0];
  for (int i = 1; i < 8; ++i) {
    a = a * r + over[i];
    b = b * r + under[i];
  }
  return a / b;
}
} // namespace normal_quantile_detail

/// z with normal_cdf(z) = p, p in (0, 1), to about 1e-16 relative: algorithm AS 241, PPND16 (Wichura 1988). One
/// uniform number gives one normal number, in order, which keeps truncation to an interval exact.
CORRAL_HOST_DEVICE inline double normal_quantile(double p) {
  using normal_quantile_detail::quotient;
  constexpr double middle_over[8] = {2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
                                     45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
                                     133.14166789178437745, 3.3871328727963666080};
  constexpr double middle_under[8] = {5226.4952788528545610, 28729.085735721942674, 39307.895800092710610,
                                      21213.794301586595867, 5394.1960214247511077, 687.18700749205790830,
                                      42.313330701600911252, 1.0};
  constexpr double near_over[8] = {7.74545014278341407640e-4, 2.27238449892691845833e-2, 0.241780725177450611770,
                                   1.27045825245236838258,    3.64784832476320460504,    5.76949722146069140550,
                                   4.63033784615654529590,    1.42343711074968357734};
  constexpr double near_under[8] = {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
                                    0.148103976427480074590,   0.689767334985100004550,   1.67638483018380384940,
                                    2.05319162663775882187,    1.0};
  constexpr double far_over[8] = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                                  2.65321895265761230930e-2, 0.296560571828504891230,   1.78482653991729133580,
                                  5.46378491116411436990,    6.65790464350110377720};
  constexpr double far_under[8] = {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
                                   7.86869131145613259100e-4,  1.48753612908506148525e-2, 0.136929880922735805310,
                                   0.599832206555887937690,    1.0};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) return q * quotient(0.180625 - q * q, middle_over, middle_under);
  const double r = std::sqrt(-std::log(q < 0.0 ? p : 1.0 - p));
  const double z = r <= 5.0 ? quotient(r - 1.6, near_over, near_under) : quotient(r - 5.0, far_over, far_under);
  return q < 0.0 ? -z : z;
}

} // namespace corral::mppic

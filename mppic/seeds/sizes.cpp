#include "mppic/seeds/sizes.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace corral::mppic {
namespace {

std::string metres(double d) { return run::write_number(d) + " m"; }

void require_positive(const char* what, double value) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw Error(std::string(what) + " " + run::write_number(value) + " (it must be positive and finite)");
  }
}

/// Beyond eight deviations the normal distribution has no share left in double precision.
constexpr double far = 8.0;

double cut(double z) { return std::clamp(z, -far, far); }

/// Quotient of two polynomials of degree 7 in r, highest coefficient first.
double quotient(double r, const double (&over)[8], const double (&under)[8]) {
  double a = over[0];
  double b = under[0];
  for (int i = 1; i < 8; ++i) {
    a = a * r + over[i];
    b = b * r + under[i];
  }
  return a / b;
}

} // namespace

double normal_cdf(double z) { return 0.5 * std::erfc(-0.70710678118654752 * z); }

double normal_quantile(double p) {
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

SizeDistribution SizeDistribution::one_size(double diameter) {
  require_positive("diameter", diameter);
  SizeDistribution sizes(Shape::table, Weighting::number);
  sizes.diameters_ = {diameter, diameter};
  sizes.shares_ = {0.0, 1.0};
  return sizes;
}

SizeDistribution SizeDistribution::normal(double mean, double deviation, SizeLimits limits, Weighting weighting) {
  require_positive("mean diameter", mean);
  require_positive("standard deviation", deviation);
  const double low = limits.minimum.value_or(mean - 3.0 * deviation);
  const double high = limits.maximum.value_or(mean + 3.0 * deviation);
  if (!(low > 0.0)) {
    throw Error("smallest diameter " + metres(low) + " (of a normal distribution, mean " + metres(mean) +
                ", deviation " + metres(deviation) + ") give a positive minimum");
  }
  return cut_normal(Shape::normal, weighting, mean, deviation, low, high);
}

SizeDistribution SizeDistribution::log_normal(double median, double ratio, SizeLimits limits, Weighting weighting) {
  require_positive("median diameter", median);
  if (!(ratio > 1.0) || !std::isfinite(ratio)) {
    throw Error("geometric deviation " + run::write_number(ratio) + " (a ratio of diameters, so it is above 1)");
  }
  const double width = std::log(ratio);
  const double low = limits.minimum.value_or(median * std::exp(-3.0 * width));
  const double high = limits.maximum.value_or(median * std::exp(3.0 * width));
  require_positive("smallest diameter", low);
  require_positive("largest diameter", high);
  return cut_normal(Shape::log_normal, weighting, std::log(median), width, std::log(low), std::log(high));
}

SizeDistribution SizeDistribution::cut_normal(Shape shape, Weighting weighting, double centre, double width,
                                              double low, double high) {
  SizeDistribution sizes(shape, weighting);
  sizes.centre_ = centre;
  sizes.width_ = width;
  sizes.z_low_ = cut((low - centre) / width);
  sizes.z_high_ = cut((high - centre) / width);
  const double least_share = 1e-9; // a range with less would be drawn from the distribution's last digits
  if (!(normal_cdf(sizes.z_high_) - normal_cdf(sizes.z_low_) > least_share)) {
    throw Error("no share of the sizes lies between the smallest and the largest diameter (" +
                metres(sizes.minimum()) + " and " + metres(sizes.maximum()) + ") widen the limits");
  }
  return sizes;
}

SizeDistribution SizeDistribution::table(std::vector<double> diameters, std::vector<double> shares,
                                         Weighting weighting) {
  if (diameters.size() != shares.size() || diameters.size() < 2) {
    throw Error("size table of " + std::to_string(diameters.size()) + " diameters and " +
                std::to_string(shares.size()) + " shares (it needs as many of each, at least 2)");
  }
  require_positive("diameter", diameters.front());
  for (std::size_t i = 1; i < diameters.size(); ++i) {
    require_positive("diameter", diameters[i]);
    if (!(diameters[i] > diameters[i - 1])) {
      throw Error("diameter " + metres(diameters[i]) + " after " + metres(diameters[i - 1]) + " (they must rise)");
    }
    if (!(shares[i] >= shares[i - 1])) {
      throw Error("cumulative share " + run::write_number(shares[i]) + " after " + run::write_number(shares[i - 1]) +
                  " (it never falls)");
    }
  }
  if (shares.front() != 0.0 || shares.back() != 1.0) {
    throw Error("cumulative shares from " + run::write_number(shares.front()) + " to " +
                run::write_number(shares.back()) + " (they go from 0 to 1)");
  }
  SizeDistribution sizes(Shape::table, weighting);
  sizes.diameters_ = std::move(diameters);
  sizes.shares_ = std::move(shares);
  return sizes;
}

double SizeDistribution::diameter_at(double z) const {
  const double value = centre_ + width_ * z;
  return shape_ == Shape::log_normal ? std::exp(value) : value;
}

double SizeDistribution::minimum() const { return shape_ == Shape::table ? sample(0.0) : diameter_at(z_low_); }

double SizeDistribution::maximum() const { return shape_ == Shape::table ? sample(1.0) : diameter_at(z_high_); }

double SizeDistribution::sample(double u) const {
  if (shape_ != Shape::table) {
    // Counted from the nearer end: close to 1 a share has no digits left for the upper tail.
    const double share = normal_cdf(z_high_) - normal_cdf(z_low_);
    const double z = u < 0.5 ? normal_quantile(normal_cdf(z_low_) + u * share)
                             : -normal_quantile(normal_cdf(-z_high_) + (1.0 - u) * share);
    return diameter_at(std::clamp(z, z_low_, z_high_));
  }
  // The first point above u, the first point at 1 for u = 1: intervals without a share are never drawn from.
  const auto above = std::min(std::upper_bound(shares_.begin(), shares_.end(), u),
                              std::lower_bound(shares_.begin(), shares_.end(), 1.0));
  const auto i = static_cast<std::size_t>(above - shares_.begin());
  const double part = (u - shares_[i - 1]) / (shares_[i] - shares_[i - 1]);
  return diameters_[i - 1] + part * (diameters_[i] - diameters_[i - 1]);
}

double SizeDistribution::moment(int k) const {
  double sum = 0;
  if (shape_ == Shape::table) { // d is uniform within each interval
    for (std::size_t i = 1; i < shares_.size(); ++i) {
      const double a = diameters_[i - 1];
      const double b = diameters_[i];
      const double mean = a == b    ? std::pow(a, k)
                          : k == -1 ? std::log(b / a) / (b - a)
                                    : (std::pow(b, k + 1) - std::pow(a, k + 1)) / ((k + 1) * (b - a));
      sum += (shares_[i] - shares_[i - 1]) * mean;
    }
    return sum;
  }
  double share = 0;
  constexpr int panels = 2048; // Simpson's rule; the integrand is smooth over at most 16 deviations
  for (int i = 0; i <= panels; ++i) {
    const double z = z_low_ + (z_high_ - z_low_) * i / panels;
    const double weight = (i == 0 || i == panels ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * std::exp(-0.5 * z * z);
    share += weight;
    sum += weight * std::pow(diameter_at(z), k);
  }
  return sum / share;
}

double SizeDistribution::number_moment(int k) const {
  // A share of mass is a number times d^3.
  return weighting_ == Weighting::number ? moment(k) : moment(k - 3) / moment(-3);
}

double SizeDistribution::largest_parcel() const {
  if (weighting_ == Weighting::mass) return 1;
  const double d = maximum();
  return d * d * d / number_moment(3);
}

double SizeDistribution::mean_particle_volume() const { return std::numbers::pi / 6.0 * number_moment(3); }

} // namespace corral::mppic

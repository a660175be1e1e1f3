#include "stokes/near/sphere_table.hpp"

#include "stokes/near/series.hpp"
#include "stokes/sums/spheres.hpp"

#include <bit>
#include <cmath>
#include <cstddef>

namespace corral::stokes {
namespace {

std::int64_t bin_of(double u) {
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(u) >> SphereTable::shift);
}
double start_of(std::int64_t bin) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(bin) << SphereTable::shift);
}

} // namespace

SphereTable::SphereTable(double xi, double radius, double cut_off, double error)
    : degree_(error >= 2e-7 ? Degree::three : Degree::seven), first_bin_(bin_of(least)) {
  const double end = std::max(std::pow(cut_off / (2 * radius), 2), least);
  const std::int64_t bins = bin_of(end) - first_bin_ + 1, terms = static_cast<std::int64_t>(degree_) + 1;
  coefficients_.resize(2 * terms * bins, 0.0);
  const long double a = radius;
  for (std::int64_t b = 0; b < bins; ++b) {
    const long double low = start_of(first_bin_ + b), high = start_of(first_bin_ + b + 1);
    const auto place = [&](long double y) { return 2 * a * std::sqrt(0.5L * (low + high + y * (high - low))); };
    const auto fit = [&](const auto& f, std::int64_t at) {
      const Series series = powers(chebyshev(static_cast<std::size_t>(terms), f), 1);
      for (std::int64_t k = 0; k < terms; ++k)
        coefficients_[2 * terms * b + at + terms - 1 - k] = static_cast<double>(series[static_cast<std::size_t>(k)]);
    };
    fit([&](long double y) { return near_spheres<long double>(xi, a, place(y)).across; }, 0);
    fit(
        [&](long double y) {
          const long double r = place(y);
          const SpherePair<long double> pair = near_spheres<long double>(xi, a, r);
          return (pair.along - pair.across) / (r * r);
        },
        terms);
  }
}

} // namespace corral::stokes

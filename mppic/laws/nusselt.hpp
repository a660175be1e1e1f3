#pragma once

#include <corral/error.hpp>
#include <corral/host_device.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace corral::mppic {

/// Heat transfer between gas and particles, by its Nusselt number. `nusselt_laws()` says of each what it is for.
enum class NusseltLaw : std::uint8_t {
  off, ///< nothing is warm
  constant,
  ranz_marshall,
  gunn, // the last one, for `with_nusselt_law`
};

struct NusseltLawEntry {
  NusseltLaw law;
  std::string_view name; ///< as case files write it
  std::string_view meaning;
  std::string_view source;
};

/// Every law, in the order of the enumerators.
std::span<const NusseltLawEntry> nusselt_laws();
std::vector<std::string> nusselt_law_names();
/// The law of that name. Throws Error where there is none.
NusseltLaw nusselt_law(std::string_view name);

/// A law and the gas it is used in.
struct NusseltModel {
  NusseltLaw law = NusseltLaw::off;
  double constant = 2;       ///< Nu of the law `constant` [-]
  double prandtl_third = 0.9; ///< cube root of mu c/k of the gas [-]

  /// Gas fractions and the Reynolds number that the law is made for.
  static constexpr double least_eps = 0.35, most_re = 1e5;
  bool has_range() const { return law == NusseltLaw::gunn; }
};

/// x^(1/5) for normal x > 0, within some units of round-off; inlined, so that loops that call it vectorise.
CORRAL_HOST_DEVICE inline double fifth_root(double x) {
  // A fifth of the exponent, with the first bits of the fraction, is a fifth of the logarithm within 4 %.
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = ((((bits >> 32) * 0x33333334u) >> 32) + 858123141u) << 32; // the product's upper half is a fifth
  double y;
  std::memcpy(&y, &bits, sizeof y);
  for (int halley = 0; halley < 3; ++halley) { // 4e-2 -> 1e-4 -> 2e-12 -> round-off
    const double y2 = y * y, y5 = y2 * y2 * y;
    y = y * (2.0 * y5 + 3.0 * x) / (3.0 * y5 + 2.0 * x);
  }
  return y;
}

/// Nu [-] at the gas fraction eps in (0, 1] and re = eps rho |u - u_p| d/mu >= 0. Finite and positive; Gunn's polynomials
/// keep the values that they have at the gas fraction of .35 below it.
template <NusseltLaw law> CORRAL_HOST_DEVICE inline double nusselt(const NusseltModel& model, double eps, double re) {
  if constexpr (law == NusseltLaw::constant) return model.constant;
  if constexpr (law == NusseltLaw::ranz_marshall) return 2.0 + 0.6 * std::sqrt(re) * model.prandtl_third;
  if constexpr (law == NusseltLaw::gunn) {
    const double e = eps < NusseltModel::least_eps ? NusseltModel::least_eps : eps > 1.0 ? 1.0 : eps;
    const double fifth = fifth_root(re > 1e-60 ? re : 1e-60); // 1e-12 at rest, next to 7 - 10 e + 5 e^2
    return (7.0 - 10.0 * e + 5.0 * e * e) * (1.0 + 0.7 * fifth * model.prandtl_third) +
           (1.33 - 2.4 * e + 1.2 * e * e) * fifth * std::sqrt(re) * model.prandtl_third;
  }
  return 0.0;
}

/// Calls f with the law as a compile-time constant, so that the choice stands outside the loop over parcels.
template <int first = 0, class F> decltype(auto) with_nusselt_law(NusseltLaw law, F&& f) {
  if (static_cast<int>(law) == first) return f(std::integral_constant<NusseltLaw, static_cast<NusseltLaw>(first)>{});
  if constexpr (first < static_cast<int>(NusseltLaw::gunn)) return with_nusselt_law<first + 1>(law, f);
  else throw Error("heat transfer law number " + std::to_string(static_cast<int>(law)) + " (no such law)");
}

/// Nu of the model's law, chosen at run time: for single values.
inline double nusselt(const NusseltModel& model, double eps, double re) {
  return with_nusselt_law(model.law, [&](auto law) { return nusselt<decltype(law)::value>(model, eps, re); });
}

} // namespace corral::mppic

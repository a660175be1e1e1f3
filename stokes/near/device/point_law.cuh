#pragma once

#include "stokes/near/device/call.hpp"
#include "stokes/sums/kind.hpp"
#include "stokes/sums/radial.hpp"

#include <corral/pairs.cuh>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::stokes::device {
__device__ __forceinline__ double multiply_add(double a, double b, double c) { return fma(a, b, c); }
} // namespace corral::stokes::device

#define CORRAL_PAIR_NAMESPACE device
#define CORRAL_PAIR_INLINE __device__ __forceinline__
#include "stokes/near/pair_formulas-inl.hpp"
#undef CORRAL_PAIR_NAMESPACE
#undef CORRAL_PAIR_INLINE

namespace corral::stokes::device {

/// Both polynomials by Horner's rule, of so many terms, or where that is 0, of as many as there are: known numbers of them are
/// read as constants by the multiplications themselves.
template <int known>
__device__ __forceinline__ void polynomials(const ScreenedNumbers& n, double y, double f, double& p, double& q) {
  p = n.coefficients[0], q = n.coefficients[1];
#pragma unroll
  for (int k = 1; k < (known > 0 ? known : n.terms); ++k) {
    p = fma(p, y, n.coefficients[static_cast<std::size_t>(2 * k)]);
    q = fma(q, f, n.coefficients[static_cast<std::size_t>(2 * k + 1)]);
  }
}

/// erfc(x) exp(x^2), exp(-x^2) and 1/r of a pair, x = xi r: as near_loops-inl.hpp finds them, with the device's 1/sqrt.
struct ScreenedPair {
  double erfcx, gauss, inverse;

  __device__ __forceinline__ ScreenedPair(const ScreenedNumbers& n, double square) {
    inverse = rsqrt(square);
    const double shifted = fma(n.xi, square * inverse, n.centre), y = fma(-n.pull, 1.0 / shifted, n.stretch);
    constexpr double shift = 0x1.8p52; // 1.5 2^52 + n ends in the whole number n
    const double exponent = n.exponent * square, whole = exponent + shift, f = exponent - (whole - shift);
    double q;
    switch (n.terms) { // the same for all threads
      case known_terms[0]: polynomials<known_terms[0]>(n, y, f, erfcx, q); break;
      case known_terms[1]: polynomials<known_terms[1]>(n, y, f, erfcx, q); break;
      case known_terms[2]: polynomials<known_terms[2]>(n, y, f, erfcx, q); break;
      default: polynomials<0>(n, y, f, erfcx, q);
    }
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(whole)) << 52;
    gauss = __longlong_as_double(static_cast<long long>(static_cast<unsigned long long>(__double_as_longlong(q)) + bits));
  }
};

/// What sums of points do, pair by pair, as a law of `sum_pairs`; a source has the strengths of all `sums`, one behind the
/// other, whose results are added up.
template <bool all, stokes::Sum... sums> struct PointLaw {
  static constexpr int strengths = (strength_columns(sums) + ...);
  static constexpr int results = std::max({columns(sums, all)...});
  struct Source {
    double strength[strengths];
  };
  struct Sum {
    double of[results];
  };

  ScreenedNumbers numbers;
  std::array<const double*, static_cast<std::size_t>(strengths)> strength;
  std::array<Column<double>, static_cast<std::size_t>(results)> result;

  PointLaw(const Call& call, const ScreenedNumbers& n) : numbers(n) {
    for (std::size_t s = 0; s < strength.size(); ++s) strength[s] = call.strength[s];
    for (std::size_t c = 0; c < result.size(); ++c) result[c] = call.result[c];
  }

  __device__ Source source(std::int64_t place, std::int64_t) const {
    Source s;
    for (int c = 0; c < strengths; ++c) s.strength[c] = strength[static_cast<std::size_t>(c)][place];
    return s;
  }
  __device__ Sum begin(std::int64_t) const { return {}; }
  __device__ __forceinline__ void add(const Source& source, const std::array<double, 3>& apart, double square,
                                      Sum& sum) const {
    const double r[3] = {apart[0], apart[1], apart[2]};
    const ScreenedPair pair(numbers, square);
    const bool in_place = !(square > numbers.least_square);
    const auto choose = [&](Radial which, double value) {
      return in_place ? numbers.in_place[static_cast<std::size_t>(which)] : value;
    };
    const double* strength_of_sum = source.strength;
    const auto add_one = [&]<stokes::Sum one>() {
      const RadialValues<double> radial = radial_values<one, all>(pair.erfcx, pair.gauss, pair.inverse, numbers.unit,
                                                                  numbers.two_xi2, choose);
      add_pair<one, all>(r, radial, strength_of_sum, sum.of);
      strength_of_sum += strength_columns(one);
    };
    (add_one.template operator()<sums>(), ...);
  }
  __device__ void end(std::int64_t i, const Sum& sum) const {
    for (int c = 0; c < results; ++c) result[static_cast<std::size_t>(c)][i] += sum.of[c];
  }
};

template <class Law> void add_by(Gpu gpu, const Call& call, const Law& law) {
  corral::detail::sum_pairs_of(gpu, *call.grid, call.targets, call.sources, {call.target_x, call.source_x}, call.cut_off, law,
                               call.method);
}
template <stokes::Sum sum> void add_points(Gpu gpu, const Call& call, const ScreenedNumbers& numbers, bool all) {
  if (all) add_by(gpu, call, PointLaw<true, sum>(call, numbers));
  else add_by(gpu, call, PointLaw<false, sum>(call, numbers));
}

} // namespace corral::stokes::device

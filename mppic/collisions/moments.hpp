#pragma once

#include "mppic/collisions/collisions.hpp"
#include "run/random.hpp"

#include <corral/execution.hpp>
#include <corral/groups.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

/// What return to isotropy asks of all parcels of a group, for either processor.
namespace corral::mppic::isotropy {

using Vector = double[3];

/// The mean velocity between eight cells' centres, a trilinear function, as parcels are given it.
struct SmoothMean {
  groups::Fraction at[3];
  groups::Trilinear u[3];

  CORRAL_INLINED void operator()(std::int64_t i, Vector& out) const {
    const double r = at[0](i), s = at[1](i), t = at[2](i);
    for (int d = 0; d < 3; ++d) out[d] = u[d](r, s, t);
  }
};

/// Sums of m, m c and m |c|^2: what is left of them about the mean of c.
struct Moments {
  double mass = 0, square = 0;
  Vector first = {};

  CORRAL_HOST_DEVICE void add(double m, const Vector& c) {
    mass += m;
    for (int d = 0; d < 3; ++d) first[d] += m * c[d];
    square += m * (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
  }
  CORRAL_HOST_DEVICE double mean(int d) const { return first[d] / mass; }
  CORRAL_HOST_DEVICE double about_mean() const {
    double rest = square;
    for (const double sum : first) rest -= sum * sum / mass;
    return std::max(rest, 0.0);
  }
};

/// Moments of the parcels [begin, end) about the smooth mean and about `centre`, in lanes of fixed order. Where nothing
/// moves the parcels along an axis friction makes an end of what isotropy has given them there: that becomes 0 before its
/// products are subnormal numbers, which take a processor many times as long.
template <std::int64_t at_once>
CORRAL_INLINED void add_moments(const SmoothMean& smooth, const Vector& centre, double* const (&velocity)[3],
                                     const double* mass, std::int64_t begin, std::int64_t end, Moments& of_smooth,
                                     Moments& of_centre) {
  constexpr int lanes = 4, terms = 9;
  constexpr double nothing = 1e-100; // [m/s]
  double *u = velocity[0], *v = velocity[1], *w = velocity[2];
  const SmoothMean mean = smooth; // copies, which stores cannot change: else loops don't vectorise
  const double cu = centre[0], cv = centre[1], cw = centre[2];
  double of_parcel[terms][at_once], sums[terms][lanes] = {};
  for (std::int64_t first = begin; first < end; first += at_once) {
    const std::int64_t n = std::min(at_once, end - first);
    CORRAL_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t i = first + k;
      u[i] = std::abs(u[i]) < nothing ? 0 : u[i];
      v[i] = std::abs(v[i]) < nothing ? 0 : v[i];
      w[i] = std::abs(w[i]) < nothing ? 0 : w[i];
      const double m = mass[i], r = mean.at[0](i), s = mean.at[1](i), t = mean.at[2](i);
      const double cx = u[i] - mean.u[0](r, s, t), cy = v[i] - mean.u[1](r, s, t), cz = w[i] - mean.u[2](r, s, t);
      const double ex = u[i] - cu, ey = v[i] - cv, ez = w[i] - cw;
      of_parcel[0][k] = m;
      of_parcel[1][k] = m * cx;
      of_parcel[2][k] = m * cy;
      of_parcel[3][k] = m * cz;
      of_parcel[4][k] = m * ex;
      of_parcel[5][k] = m * ey;
      of_parcel[6][k] = m * ez;
      of_parcel[7][k] = m * (cx * cx + cy * cy + cz * cz);
      of_parcel[8][k] = m * (ex * ex + ey * ey + ez * ez);
    }
    for (int t = 0; t < terms; ++t) {
      for (std::int64_t k = n; k % lanes != 0; ++k) of_parcel[t][k] = 0;
      for (std::int64_t k = 0; k < n; k += lanes)
        for (int l = 0; l < lanes; ++l) sums[t][l] += of_parcel[t][k + l];
    }
  }
  const auto total = [&](int t) { return (sums[t][0] + sums[t][1]) + (sums[t][2] + sums[t][3]); };
  of_smooth = {total(0), total(7), {total(1), total(2), total(3)}};
  of_centre = {total(0), total(8), {total(4), total(5), total(6)}};
}

/// A group's parcels, as collisions far from equilibrium see them.
struct Approaching {
  const double *velocity[3], *volume, *diameter;
  double r32; ///< [m]
};

/// nu r_32^3/theta of the parcels [begin, end) about the smooth mean and `mean` beside it [m3/s]; 0 where
/// none moves so.
template <std::int64_t at_once>
CORRAL_INLINED double approach(const SmoothMean& smooth, const Vector& mean, const Approaching& parcels,
                                    std::int64_t begin, std::int64_t end) {
  constexpr int lanes = 4;
  const SmoothMean about = smooth;
  const Approaching p = parcels;
  const double mu = mean[0], mv = mean[1], mw = mean[2];
  double first_of[at_once], second_of[at_once], sums[2][lanes] = {};
  for (std::int64_t first = begin; first < end; first += at_once) {
    const std::int64_t n = std::min(at_once, end - first);
    CORRAL_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t i = first + k;
      const double r = about.at[0](i), s = about.at[1](i), t = about.at[2](i), radius = 0.5 * p.diameter[i];
      const double cx = p.velocity[0][i] - about.u[0](r, s, t) - mu, cy = p.velocity[1][i] - about.u[1](r, s, t) - mv,
                   cz = p.velocity[2][i] - about.u[2](r, s, t) - mw;
      const double g = CollisionRates::approach(radius, p.r32, std::sqrt(cx * cx + cy * cy + cz * cz));
      first_of[k] = p.volume[i] / (radius * radius * radius) * g;
      second_of[k] = first_of[k] * g;
    }
    for (std::int64_t k = n; k % lanes != 0; ++k) first_of[k] = second_of[k] = 0;
    for (std::int64_t k = 0; k < n; k += lanes)
      for (int l = 0; l < lanes; ++l) sums[0][l] += first_of[k + l], sums[1][l] += second_of[k + l];
  }
  const double once = (sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3]);
  return once > 0 ? ((sums[1][0] + sums[1][1]) + (sums[1][2] + sums[1][3])) / once : 0;
}

/// drawn[k] = the random bits that say whether parcel k is chosen.
CORRAL_INLINED void draw(const run::Random& random, std::int64_t step, const std::uint64_t* id, std::int64_t n,
                              std::uint64_t* drawn) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t k = 0; k < n; ++k) drawn[k] = random.bits(run::Purpose::isotropy, step, id[k], 0);
}

/// The CPU's are compiled for several instruction sets (collisions.cpp).
template <Execution E> struct OverGroup {
  static constexpr std::int64_t at_once = 4; ///< parcels whose terms are kept: a multiple of the lanes, or bits would differ
  template <class... Arguments> CORRAL_HOST_DEVICE static void add_moments(Arguments&&... arguments) {
    isotropy::add_moments<at_once>(arguments...);
  }
  template <class... Arguments> CORRAL_HOST_DEVICE static double approach(Arguments&&... arguments) {
    return isotropy::approach<at_once>(arguments...);
  }
  template <class... Arguments> CORRAL_HOST_DEVICE static void draw(Arguments&&... arguments) {
    isotropy::draw(arguments...);
  }
};
template <> struct OverGroup<Cpu> {
  static constexpr std::int64_t at_once = 64;
  static void add_moments(const SmoothMean& smooth, const Vector& centre, double* const (&velocity)[3],
                          const double* mass, std::int64_t begin, std::int64_t end, Moments& of_smooth,
                          Moments& of_centre);
  static double approach(const SmoothMean& smooth, const Vector& mean, const Approaching& parcels, std::int64_t begin,
                         std::int64_t end);
  static void draw(const run::Random& random, std::int64_t step, const std::uint64_t* id, std::int64_t n,
                   std::uint64_t* drawn);
};

} // namespace corral::mppic::isotropy

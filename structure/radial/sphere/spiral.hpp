#pragma once

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::structure::radial {

using Direction = std::array<double, 3>;

/// Two unit vectors that touch the unit sphere at a site, the first, the second and the site's in the order of a
/// right-handed system: their cross product points outwards.
struct Frame {
  Direction first, second;
};

/// Sites on the unit sphere along Bauer's spiral (Bauer 2000): z = -1 + (2 i + 1)/n, latitude asin z, longitude
/// sqrt(pi n) latitude; each stands for about the same area. Half a turn about the x axis maps the spiral onto itself,
/// in reverse: what is linear in values at the sites falls apart into a map of the values' even part and one of their
/// odd part, each of a quarter of the size.
class Spiral {
public:
  /// `count` is 2 at least.
  explicit Spiral(std::int64_t count);

  std::int64_t count() const { return static_cast<std::int64_t>(points_.size()); }
  /// The site that half a turn makes of a site. The middle one of an odd number is its own partner.
  std::int64_t partner(std::int64_t site) const { return count() - 1 - site; }
  /// Sites [0, representatives()) and their partners are all of them.
  std::int64_t representatives() const { return (count() + 1) / 2; }
  /// Sites [0, pairs()) have another partner.
  std::int64_t pairs() const { return count() / 2; }

  const Direction& point(std::int64_t site) const { return points_[site]; }
  /// A frame that half a turn makes that of the partner; the middle site of an odd number stands for itself alone.
  Frame frame(std::int64_t site) const;

private:
  std::vector<Direction> points_;
};

/// Half a turn about the x axis.
inline Direction half_turn(const Direction& x) { return {x[0], -x[1], -x[2]}; }

/// Weights of the spiral's sites that integrate over the unit sphere: of the function sum_j c_j r_j + c that takes given
/// values at the sites they give the integral, r_j the distance through space to site j, the c_j of sum 0. Their sum is
/// 4 pi. All are positive for spirals, within some percent of 4 pi/n, but for the shortest ones. Takes memory for
/// (n/2)^2 numbers while it runs, and time with n^3.
Array<double> distance_weights(Cpu, const Spiral&);

/// The degree that `make_exact` can ask of a spiral of n sites: sqrt(n)/2, a quarter as many conditions as sites.
int exact_degree(std::int64_t sites);

/// Changes weights, of sites and their partners alike, by as little as makes them integrate all spherical harmonics up to
/// a degree to round-off: `distance_weights` change by .2 %, or by .5 % where sites are few. Smooth functions then lose
/// nothing to the quadrature.
void make_exact(Cpu, const Spiral&, int degree, Array<double>& weights);

} // namespace corral::structure::radial

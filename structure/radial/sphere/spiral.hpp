#pragma once

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

} // namespace corral::structure::radial

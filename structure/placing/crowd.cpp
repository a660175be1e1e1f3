#include "structure/placing/crowd.hpp"

#include "geometry/vector.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::structure {

namespace {

using geometry::Placement;
using geometry::Rotation;
using geometry::Vector;
using geometry::operator-;

constexpr double touching = 1e-6; // of a radius

} // namespace

std::optional<Placement> Crowd::too_near(const Standing& a, const Standing& b) const {
  std::optional<Placement> found;
  neighbours_.for_each_image(b.at.position, a.at.position, a.radius + b.radius + gap_, &a == &b, [&](const Vector& x) {
    const Placement image{b.at.rotation, x};
    if (geometry::nearer_than(gap_, **a.tree, a.at, **b.tree, image)) found = image;
    return !found;
  });
  return found;
}

std::vector<Crowd::Pair> Crowd::pairs_too_near(std::size_t most) const {
  std::vector<Pair> pairs;
  for (std::size_t first = 0; first < all_.size() && pairs.size() < most; ++first) {
    const Standing& one = all_[first];
    if (too_near(one, one)) pairs.push_back({first, first, false});
    neighbours_.for_each_near(one.at.position, [&](std::size_t second) {
      if (second <= first) return true;
      const Standing& other = all_[second];
      if (const auto image = too_near(one, other)) {
        const auto holds = [&](const Standing& outer, const Placement& at_outer, const Standing& inner,
                               const Placement& at_inner) {
          const Rotation back = at_outer.rotation.inverse();
          return std::all_of(inner.points->begin(), inner.points->end(), [&](const Vector& x) {
            const Vector seen = back(at_inner(x) - at_outer.position);
            return (*outer.tree)->inside(seen) && (*outer.tree)->distance(seen) > touching * outer.radius;
          });
        };
        pairs.push_back({first, second, holds(one, one.at, other, *image) || holds(other, *image, one, one.at)});
      }
      return pairs.size() < most;
    });
  }
  return pairs;
}

std::optional<Crowd::Near> Crowd::nearest(std::int64_t most_looks) {
  std::optional<Near> best;
  const double whole = gap_, fine = 0.01 * gap_;
  const auto look = [&](std::size_t first, std::size_t second) {
    const Standing &a = all_[first], &b = all_[second];
    bool near = false;
    neighbours_.for_each_image(b.at.position, a.at.position, a.radius + b.radius + gap_, first == second,
                               [&](const Vector&) { return !(near = true); });
    if (!near) return;
    --most_looks;
    if (!too_near(a, b)) return;
    double low = 0, high = std::exchange(gap_, 0);
    if (too_near(a, b)) { // one within the other
      gap_ = high;
      return;
    }
    while (high - low > fine) {
      gap_ = 0.5 * (low + high);
      (too_near(a, b) ? high : low) = gap_;
    }
    best = {first, second, high};
    gap_ = std::max(0.0, high - fine); // what comes nearer by more than round-off
  };
  for (std::size_t first = 0; first < all_.size() && most_looks > 0; ++first) {
    look(first, first);
    neighbours_.for_each_near(all_[first].at.position, [&](std::size_t second) {
      if (second > first) look(first, second);
      return most_looks > 0;
    });
  }
  gap_ = whole;
  return best;
}

void Crowd::add(const SurfaceShape& shape, std::span<const Placement> places) {
  const auto tree = std::make_shared<const TreeOnDemand>(shape);
  const double radius = radius_of(shape);
  for (const Placement& at : places) {
    neighbours_.add(all_.size(), at.position);
    all_.push_back({tree, at, radius, &shape.start});
  }
}

} // namespace corral::structure

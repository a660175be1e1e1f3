#include "structure/placing/crowd.hpp"

#include "geometry/mesh.hpp"
#include "geometry/vector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace corral::structure {

namespace {

using geometry::Placement;
using geometry::Rotation;
using geometry::Vector;
using geometry::operator-;

constexpr double first_size = 0.5;
constexpr double most_growth = 0.04, least_growth = 0.001; // at once; less where they stand close
constexpr double worth_while = 0.01; // growth that is waited for
/// Since they last grew by so much: moves of all together, and how often few are all moved.
constexpr std::int64_t most_moves = 8'000;
constexpr std::int64_t most_sweeps(std::int64_t count) { return 60 + 8 * count; }
/// Each hundredth takes longer than the one before: those who are slow when they are small never grow up. Of the moves, so
/// many are waited for at that size.
double share_of_moves(double size) {
  const double grown = (size - first_size) / (0.9 - first_size);
  return std::clamp(grown * grown, 0.4, 1.0);
}
constexpr std::int64_t tries_to_enter = 20'000;
constexpr std::int64_t most_bins = 64; // along an axis
constexpr double touching = 1e-6; // of a radius

double radius_of(const SurfaceShape& shape) {
  double square = 0;
  for (const Vector& x : shape.start) square = std::max(square, geometry::dot(x, x));
  return std::sqrt(square);
}

} // namespace

const geometry::SurfaceTree& Crowd::TreeOnDemand::operator*() const {
  if (tree_) return *tree_;
  geometry::Surface surface;
  surface.points.assign(shape_.start);
  surface.triangles.assign(shape_.triangles);
  geometry::scale(surface.points.span(), size_);
  return tree_.emplace(geometry::Mesh::of_sound(std::move(surface)));
}

Crowd::Crowd(const std::array<double, 3>& low, const std::array<double, 3>& size, const std::array<double, 3>& period,
             double largest, double gap, std::uint64_t seed)
    : low_(low), period_(period), gap_(gap), random_(seed) {
  for (std::size_t d = 0; d < 3; ++d) {
    bins_[d] = std::clamp<std::int64_t>(static_cast<std::int64_t>(size[d] / (2 * largest + gap)), 1, most_bins);
    bin_length_[d] = size[d] / static_cast<double>(bins_[d]);
  }
  in_bin_.resize(static_cast<std::size_t>(bins_[0] * bins_[1] * bins_[2]));
}

std::size_t Crowd::bin(const Vector& x) const {
  std::array<std::int64_t, 3> at{};
  for (std::size_t d = 0; d < 3; ++d)
    at[d] = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((x[d] - low_[d]) / bin_length_[d])), 0,
                                     bins_[d] - 1);
  return static_cast<std::size_t>(at[0] + bins_[0] * (at[1] + bins_[1] * at[2]));
}

Vector Crowd::nearest_image(const Vector& x, const Vector& to) const {
  Vector image = x;
  for (std::size_t d = 0; d < 3; ++d)
    if (period_[d] > 0) image[d] += period_[d] * std::round((to[d] - x[d]) / period_[d]);
  return image;
}

/// Images around the nearest one count where shapes are so large that these may be near as well.
std::optional<Placement> Crowd::too_near(const Standing& a, const Standing& b) const {
  const Vector nearest = nearest_image(b.at.position, a.at.position);
  const double reach = a.radius + b.radius + gap_;
  std::array<int, 3> beyond{};
  for (std::size_t d = 0; d < 3; ++d) beyond[d] = period_[d] > 0 && 2 * reach > period_[d] ? 1 : 0;
  for (int i = -beyond[0]; i <= beyond[0]; ++i)
    for (int j = -beyond[1]; j <= beyond[1]; ++j)
      for (int k = -beyond[2]; k <= beyond[2]; ++k) {
        if (&a == &b && i == 0 && j == 0 && k == 0) continue;
        const Vector at{nearest[0] + i * period_[0], nearest[1] + j * period_[1], nearest[2] + k * period_[2]};
        const Vector between = at - a.at.position;
        if (geometry::dot(between, between) >= reach * reach) continue;
        const Placement image{b.at.rotation, at};
        if (geometry::nearer_than(gap_, **a.tree, a.at, **b.tree, image)) return image;
      }
  return std::nullopt;
}

/// Those in the bins around a place, around the ends of periodic axes, each once.
template <class Visit> void Crowd::for_each_near(const Vector& x, const Visit& visit) const {
  const auto c = static_cast<std::int64_t>(bin(x));
  const std::array<std::int64_t, 3> at{c % bins_[0], c / bins_[0] % bins_[1], c / (bins_[0] * bins_[1])};
  std::array<std::vector<std::int64_t>, 3> near;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t k = at[d] - 1; k <= at[d] + 1; ++k) {
      const bool beyond = k < 0 || k >= bins_[d];
      if (beyond && !(period_[d] > 0)) continue;
      const std::int64_t wrapped = (k + bins_[d]) % bins_[d];
      if (std::find(near[d].begin(), near[d].end(), wrapped) == near[d].end()) near[d].push_back(wrapped);
    }
  for (const std::int64_t k : near[2])
    for (const std::int64_t j : near[1])
      for (const std::int64_t i : near[0])
        for (const std::int32_t other : in_bin_[static_cast<std::size_t>(i + bins_[0] * (j + bins_[1] * k))])
          if (!visit(static_cast<std::size_t>(other))) return;
}

bool Crowd::fits(const Room& room, const Standing& one, std::size_t except) const {
  for (std::size_t d = 0; d < 3; ++d) {
    if (room.open[d]) continue;
    const Vector& row = one.at.rotation.rows()[d];
    for (const Vector& x : points_) {
      const double at = one.at.position[d] + size_ * geometry::dot(row, x);
      if (at < room.low[d] + gap_ || at > room.high[d] - gap_) return false;
    }
  }
  if (too_near(one, one)) return false; // across periodic sides
  bool fit = true;
  for_each_near(one.at.position, [&](std::size_t other) {
    return fit = other == except || !too_near(one, all_[other]);
  });
  return fit;
}

std::vector<Crowd::Pair> Crowd::pairs_too_near(std::size_t most) const {
  std::vector<Pair> pairs;
  for (std::size_t first = 0; first < all_.size() && pairs.size() < most; ++first) {
    const Standing& one = all_[first];
    if (too_near(one, one)) pairs.push_back({first, first, false});
    for_each_near(one.at.position, [&](std::size_t second) {
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
  const double least_period = [&] {
    double least = std::numeric_limits<double>::infinity();
    for (const double p : period_)
      if (p > 0) least = std::min(least, p);
    return least;
  }();
  const auto look = [&](std::size_t first, std::size_t second) {
    const Standing &a = all_[first], &b = all_[second];
    const Vector between = nearest_image(b.at.position, a.at.position) - a.at.position;
    const double reach = a.radius + b.radius + gap_, square = geometry::dot(between, between);
    if (first == second ? least_period >= reach : square >= reach * reach) return;
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
    for_each_near(all_[first].at.position, [&](std::size_t second) {
      if (second > first) look(first, second);
      return most_looks > 0;
    });
  }
  gap_ = whole;
  return best;
}

void Crowd::move_to(std::size_t which, const Placement& at) {
  std::vector<std::int32_t>& old = in_bin_[bin(all_[which].at.position)];
  std::erase(old, static_cast<std::int32_t>(which));
  all_[which].at = at;
  in_bin_[bin(at.position)].push_back(static_cast<std::int32_t>(which));
}

void Crowd::add_fixed(const SurfaceShape& shape, std::span<const Placement> places) {
  const Tree tree = std::make_shared<TreeOnDemand>(shape, 1);
  const double radius = radius_of(shape);
  for (const Placement& at : places) {
    all_.push_back({tree, at, radius, &shape.start});
    in_bin_[bin(at.position)].push_back(static_cast<std::int32_t>(all_.size() - 1));
  }
}

bool Crowd::enter(const Room& room, Standing one, std::int64_t count, bool turned, const Rotation& rotation) {
  const std::size_t wanted = all_.size() + static_cast<std::size_t>(count);
  for (std::int64_t tries = 0; all_.size() < wanted; ++tries) {
    if (tries > tries_to_enter) return false;
    for (std::size_t d = 0; d < 3; ++d) one.at.position[d] = room.low[d] + draw() * (room.high[d] - room.low[d]);
    const double u = draw(), v = draw(), w = draw();
    one.at.rotation = turned ? geometry::random_rotation(u, v, w) : rotation;
    if (!fits(room, one, all_.size())) continue;
    tries = 0;
    all_.push_back(one);
    in_bin_[bin(one.at.position)].push_back(static_cast<std::int32_t>(all_.size() - 1));
  }
  return true;
}

void Crowd::wander(const Room& room, std::size_t first, bool turned, double far) {
  for (std::size_t which = first; which < all_.size(); ++which) {
    Standing one = all_[which];
    for (std::size_t d = 0; d < 3; ++d) {
      double& x = one.at.position[d];
      x += far * (2 * draw() - 1);
      if (room.open[d]) x -= (room.high[d] - room.low[d]) * std::floor((x - room.low[d]) / (room.high[d] - room.low[d]));
    }
    const double u = draw(), v = draw(), w = draw(), angle = 2 * draw() - 1;
    if (turned)
      one.at.rotation = Rotation::about({u - 0.5, v - 0.5, w - 0.5 + 1e-3}, angle * far / one.radius) * one.at.rotation;
    if (fits(room, one, which)) move_to(which, one.at);
  }
}

bool Crowd::grow(const Room& room, std::size_t first, const Tree& tree, double size) {
  const double before = size_, ratio = size / before;
  const Tree old = all_[first].tree;
  const auto become = [&](const Tree& t, double factor) {
    for (std::size_t i = first; i < all_.size(); ++i) all_[i].tree = t, all_[i].radius *= factor;
  };
  become(tree, ratio);
  size_ = size;
  for (std::size_t i = first; i < all_.size(); ++i)
    if (!fits(room, all_[i], i)) {
      become(old, 1 / ratio);
      size_ = before;
      return false;
    }
  return true;
}

std::vector<Placement> Crowd::add_random(const SurfaceShape& shape, const Room& room, std::int64_t count, bool turned,
                                         const Rotation& rotation) {
  const std::size_t first = all_.size();
  const double radius = radius_of(shape);
  points_ = shape.start;
  size_ = first_size;
  bool inside = enter(room, {std::make_shared<TreeOnDemand>(shape, size_), {}, size_ * radius}, count, turned, rotation);
  double growth = most_growth, size = 0, mark = size_;
  Tree larger;
  for (std::int64_t sweeps = 0; inside && size_ < 1;) {
    const double wanted = std::min(size_ * (1 + growth), 1.0);
    if (wanted != size) larger = std::make_shared<TreeOnDemand>(shape, size = wanted);
    if (grow(room, first, larger, size)) {
      growth = std::min(2 * growth, most_growth);
      if (size_ >= (1 + worth_while) * mark) sweeps = 0, mark = size_;
      continue;
    }
    growth = std::max(0.8 * growth, least_growth);
    wander(room, first, turned, (sweeps % 3 == 0 ? 0.3 : 0.05) * radius);
    inside = ++sweeps < most_sweeps(count) &&
             static_cast<double>(sweeps * count) < share_of_moves(mark) * static_cast<double>(most_moves);
  }
  std::vector<Placement> places;
  for (std::size_t i = first; inside && i < all_.size(); ++i) places.push_back(all_[i].at);
  return places;
}

} // namespace corral::structure

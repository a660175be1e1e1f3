#include "structure/bodies/even_points.hpp"

#include "geometry/distances/surface_tree.hpp"
#include "geometry/measures.hpp"
#include "run/random.hpp"
#include "structure/placing/neighbours.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace corral::structure {

namespace {

using namespace geometry; // the vectors' operators

constexpr double pieces_along = 4;      // of the surface, to a spacing
constexpr std::int64_t most_parts = 200; // of a triangle's sides
constexpr std::int64_t candidates = 5;  // for each point
constexpr int rounds = 40;              // in which points move
// A hexagon grows by sqrt(3) times its point's handicap; half of what it lacks at once. Beyond the bound cells lose their
// own points.
constexpr double per_area = 0.3, most_handicap = 0.2;

/// Small pieces of a surface, each at its middle.
struct Pieces {
  std::vector<Vector> middle;
  std::vector<double> area;
  std::vector<std::int32_t> triangle; ///< of the surface
};

double area_of(const TriangleCorners& t) { return 0.5 * length(cross(t[1] - t[0], t[2] - t[0])); }

/// Triangles are cut along lines that halve, third, ... their sides.
Pieces cut(std::span<const Vector> corners, std::span<const Triangle> triangles, double spacing) {
  Pieces pieces;
  for (std::size_t n = 0; n < triangles.size(); ++n) {
    const TriangleCorners t = geometry::corners(corners, triangles[n]);
    const Vector u = t[1] - t[0], v = t[2] - t[0];
    const double longest = std::max({length(u), length(v), length(t[2] - t[1])});
    const auto parts = std::clamp<std::int64_t>(std::llround(std::ceil(longest * pieces_along / spacing)), 1, most_parts);
    const double share = 1 / static_cast<double>(parts), area = area_of(t) * share * share;
    const auto add = [&](double i, double j) {
      pieces.middle.push_back(t[0] + (i * share) * u + (j * share) * v);
      pieces.area.push_back(area);
      pieces.triangle.push_back(static_cast<std::int32_t>(n));
    };
    for (std::int64_t i = 0; i < parts; ++i)
      for (std::int64_t j = 0; i + j < parts; ++j) {
        add(static_cast<double>(i) + 1.0 / 3, static_cast<double>(j) + 1.0 / 3);
        if (i + j + 1 < parts) add(static_cast<double>(i) + 2.0 / 3, static_cast<double>(j) + 2.0 / 3);
      }
  }
  return pieces;
}

Neighbours room_for(std::span<const Vector> points, double reach) {
  Vector low = points[0], high = low;
  for (const Vector& x : points)
    for (std::size_t d = 0; d < 3; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  Vector size = high - low;
  for (double& s : size) s = std::max(s, reach); // what is flat has a bin, too
  return {low, size, {}, reach};
}

/// One in each of so many equal parts of the area, in order of the pieces.
std::vector<Vector> crowd_of(const Pieces& pieces, std::int64_t count) {
  const run::Random random(1);
  const double whole = std::accumulate(pieces.area.begin(), pieces.area.end(), 0.0);
  std::vector<Vector> crowd;
  std::size_t piece = 0;
  double behind = pieces.area[0];
  for (std::int64_t i = 0; i < count; ++i) {
    const double u = random.uniform(run::Purpose::position, 0, static_cast<std::uint64_t>(i));
    const double at = whole * (static_cast<double>(i) + u) / static_cast<double>(count);
    const std::size_t last = piece;
    while (behind < at && piece + 1 < pieces.area.size()) behind += pieces.area[++piece];
    if (crowd.empty() || piece != last) crowd.push_back(pieces.middle[piece]);
  }
  return crowd;
}

/// What is left of a crowd when the most crowded have gone, one after the other.
std::vector<Vector> thinned(const std::vector<Vector>& crowd, double area, std::int64_t count) {
  const double reach = 2 * std::sqrt(area / (2 * std::sqrt(3.0) * static_cast<double>(count)));
  Neighbours near = room_for(crowd, reach);
  for (std::size_t i = 0; i < crowd.size(); ++i) near.add(i, crowd[i]);
  const auto crowding = [&](std::size_t i, std::size_t j) {
    const double share = 1 - length(crowd[i] - crowd[j]) / reach;
    if (share <= 0) return 0.0;
    const double squared = share * share, fourth = squared * squared;
    return fourth * fourth;
  };
  std::vector<double> weight(crowd.size(), 0.0);
  std::priority_queue<std::pair<double, std::size_t>> worst;
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    near.for_each_near(crowd[i], [&](std::size_t j) {
      if (j != i) weight[i] += crowding(i, j);
      return true;
    });
    worst.emplace(weight[i], i);
  }
  std::vector<std::uint8_t> gone(crowd.size(), 0);
  for (auto left = static_cast<std::int64_t>(crowd.size()); left > count;) {
    const auto [was, i] = worst.top();
    worst.pop();
    if (gone[i] || was != weight[i]) continue; // there is a younger entry
    gone[i] = 1, --left;
    near.for_each_near(crowd[i], [&, i = i](std::size_t j) {
      if (gone[j]) return true;
      if (const double less = crowding(i, j); less > 0) worst.emplace(weight[j] -= less, j);
      return true;
    });
  }
  std::vector<Vector> points;
  for (std::size_t i = 0; i < crowd.size(); ++i)
    if (!gone[i]) points.push_back(crowd[i]);
  return points;
}

/// Points by which a place's nearest one is found: by the square of its distance less the point's handicap [m2].
struct Sites {
  std::span<const Vector> points;
  std::span<const double> handicap;

  /// The better one of two for x, the lower number where they are as good.
  void look(const Vector& x, std::size_t i, std::size_t& best, double& least) const {
    const Vector off = points[i] - x;
    if (const double square = dot(off, off) - handicap[i]; square < least || (square == least && i < best))
      least = square, best = i;
  }
};

/// Which point each place is nearest to, among all.
void find_owners(Cpu cpu, std::span<const Vector> places, const Sites& sites, double spacing, std::vector<std::int32_t>& owner) {
  Neighbours near = room_for(places, 1.5 * spacing);
  for (std::size_t i = 0; i < sites.points.size(); ++i) near.add(i, sites.points[i]);
  owner.resize(places.size());
  for_each(cpu, static_cast<std::int64_t>(places.size()), [&](std::int64_t n) {
    const Vector x = places[static_cast<std::size_t>(n)];
    std::size_t best = sites.points.size();
    double least = std::numeric_limits<double>::infinity();
    near.for_each_near(x, [&](std::size_t i) {
      sites.look(x, i, best, least);
      return true;
    });
    if (best == sites.points.size()) // none in the bins around
      for (std::size_t i = 0; i < sites.points.size(); ++i) sites.look(x, i, best, least);
    owner[static_cast<std::size_t>(n)] = static_cast<std::int32_t>(best);
  });
}

/// The same, five times as fast, among those that stand around the one that was nearest: points have moved by little.
void follow_owners(Cpu cpu, std::span<const Vector> places, const Sites& sites, double spacing, std::vector<std::int32_t>& owner) {
  const double reach = 2.2 * spacing; // second neighbours
  Neighbours near = room_for(sites.points, reach);
  for (std::size_t i = 0; i < sites.points.size(); ++i) near.add(i, sites.points[i]);
  std::vector<std::vector<std::int32_t>> around(sites.points.size());
  for_each_chunk(cpu, static_cast<std::int64_t>(around.size()), 64, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      near.for_each_near(sites.points[i], [&](std::size_t j) {
        const Vector off = sites.points[j] - sites.points[i];
        if (dot(off, off) < reach * reach) around[i].push_back(static_cast<std::int32_t>(j));
        return true;
      });
  });
  for_each(cpu, static_cast<std::int64_t>(places.size()), [&](std::int64_t n) {
    std::int32_t& mine = owner[static_cast<std::size_t>(n)];
    std::size_t best = sites.points.size();
    double least = std::numeric_limits<double>::infinity();
    for (const std::int32_t i : around[static_cast<std::size_t>(mine)])
      sites.look(places[static_cast<std::size_t>(n)], static_cast<std::size_t>(i), best, least);
    mine = static_cast<std::int32_t>(best);
  });
}

std::vector<double> areas_of(const Pieces& pieces, std::span<const std::int32_t> owner, std::size_t points) {
  std::vector<double> areas(points, 0.0);
  for (std::size_t n = 0; n < owner.size(); ++n) areas[static_cast<std::size_t>(owner[n])] += pieces.area[n];
  return areas;
}

/// Each point goes to the middle of its pieces, or where the surface is nearest to that.
void move_to_middles(std::span<const Vector> corners, std::span<const Triangle> triangles, const Pieces& pieces,
                     std::span<const std::int32_t> owner, EvenPoints& even) {
  std::vector<Vector> middle(even.points.size());
  for (std::size_t n = 0; n < owner.size(); ++n) {
    const auto i = static_cast<std::size_t>(owner[n]);
    middle[i] = middle[i] + pieces.area[n] * pieces.middle[n];
  }
  std::vector<std::int32_t> nearest(even.points.size(), -1);
  std::vector<double> least(even.points.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < middle.size(); ++i)
    if (even.areas[i] > 0) middle[i] = (1 / even.areas[i]) * middle[i];
  for (std::size_t n = 0; n < owner.size(); ++n) {
    const auto i = static_cast<std::size_t>(owner[n]);
    const Vector off = pieces.middle[n] - middle[i];
    if (dot(off, off) < least[i]) least[i] = dot(off, off), nearest[i] = pieces.triangle[n];
  }
  for (std::size_t i = 0; i < middle.size(); ++i)
    if (const std::int32_t t = nearest[i]; t >= 0)
      even.points[i] = nearest_on_triangle(middle[i], geometry::corners(corners, triangles[static_cast<std::size_t>(t)]));
}

} // namespace

EvenPoints even_points(Cpu cpu, std::span<const Vector> corners, std::span<const Triangle> triangles, std::int64_t count) {
  const double area = geometry::area(cpu, corners, triangles);
  const double mean = area / static_cast<double>(count), spacing = std::sqrt(mean);
  const Pieces pieces = cut(corners, triangles, spacing);
  EvenPoints even;
  even.points = thinned(crowd_of(pieces, candidates * count), area, count);
  std::vector<double> handicap(even.points.size(), 0.0);
  std::vector<std::int32_t> owner;
  for (int round = 0;; ++round) {
    const bool of_all = round == 0 || round == rounds;
    (of_all ? find_owners : follow_owners)(cpu, pieces.middle, {even.points, handicap}, spacing, owner);
    even.areas = areas_of(pieces, owner, even.points.size());
    if (round == rounds) return even;
    move_to_middles(corners, triangles, pieces, owner, even);
    for (std::size_t i = 0; i < handicap.size(); ++i)
      handicap[i] = std::clamp(handicap[i] + per_area * (mean - even.areas[i]), -most_handicap * mean, most_handicap * mean);
  }
}

Evenness evenness_of(Cpu cpu, std::span<const Vector> points, std::span<const double> areas) {
  const auto count = static_cast<double>(points.size());
  const double mean = std::accumulate(areas.begin(), areas.end(), 0.0) / count, spacing = std::sqrt(mean);
  Neighbours near = room_for(points, 2 * spacing);
  for (std::size_t i = 0; i < points.size(); ++i) near.add(i, points[i]);
  std::vector<double> nearest(points.size(), std::numeric_limits<double>::infinity());
  for_each(cpu, static_cast<std::int64_t>(points.size()), [&](std::int64_t n) {
    const auto i = static_cast<std::size_t>(n);
    near.for_each_near(points[i], [&](std::size_t j) {
      if (j != i) nearest[i] = std::min(nearest[i], length(points[j] - points[i]) / spacing);
      return true;
    });
  });
  Evenness found;
  found.nearest = *std::min_element(nearest.begin(), nearest.end());
  found.farthest = *std::max_element(nearest.begin(), nearest.end());
  const auto [least, largest] = std::minmax_element(areas.begin(), areas.end());
  found.least = *least / mean, found.largest = *largest / mean;
  for (const double a : areas) found.deviation += (a / mean - 1) * (a / mean - 1) / count;
  found.deviation = std::sqrt(found.deviation);
  return found;
}

} // namespace corral::structure

#include "geometry/shapes/shapes.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace corral::geometry {

namespace {

// Coordinates of 41 bits: differences have 42, products of three 126.
using Whole = std::array<std::int64_t, 3>;
__extension__ typedef __int128 Wide;
constexpr double whole_one = 0x1p40;

Whole operator-(const Whole& a, const Whole& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

std::array<Wide, 3> normal(const Whole& a, const Whole& b, const Whole& c) {
  const Whole u = b - a, v = c - a;
  const auto minor = [&](std::size_t i, std::size_t j) { return Wide{u[i]} * v[j] - Wide{u[j]} * v[i]; };
  return {minor(1, 2), minor(2, 0), minor(0, 1)};
}

Array<Whole> rounded(std::span<const Vector> points) {
  Array<Whole> whole(static_cast<std::int64_t>(points.size()));
  for (std::int64_t i = 0; i < whole.size(); ++i) {
    const Vector& x = points[i];
    if (!(std::abs(length(x) - 1) <= 1e-6))
      throw Error("node " + std::to_string(i) + " lies " + std::to_string(length(x)) +
                  " from the centre (nodes lie on the unit sphere)");
    for (std::size_t d = 0; d < 3; ++d) whole[i][d] = std::llround(x[d] * whole_one);
  }
  return whole;
}

/// Grows the hull point by point, in an order that is as good as random. A point that is still outside waits at one of
/// the faces that it sees; when the faces are replaced, it sees one of the new ones or none at all (Barber, Dobkin and
/// Huhdanpaa 1996, The quickhull algorithm).
class Hull {
public:
  explicit Hull(std::span<const Vector> points)
      : x_(rounded(points)), next_(x_.size(), none), new_face_(x_.size(), none) {}

  Array<Triangle> triangles();

private:
  static constexpr std::int32_t none = -1;
  struct HullFace {
    Triangle corners;
    std::array<std::int32_t, 3> beyond; // the face beyond the edge from each corner to the next
    std::int32_t waiting = none;        // the first point that does; the others by next_
    bool alive = true;
  };
  struct Horizon {
    std::int32_t from, to, beyond; // an edge of faces that are seen, and the face beyond, which is not
  };

  HullFace& face(std::int32_t f) { return faces_[f]; }
  bool sees(std::int32_t point, std::int32_t f) {
    const Triangle& t = face(f).corners;
    const std::array<Wide, 3> n = normal(x_[t[0]], x_[t[1]], x_[t[2]]);
    const Whole d = x_[point] - x_[t[0]];
    return n[0] * d[0] + n[1] * d[1] + n[2] * d[2] > 0;
  }
  std::int32_t make_face(const Triangle& corners);
  void wait_at_one_of(std::int32_t point, std::span<const std::int32_t> faces);
  void begin(std::vector<std::int32_t>& order);
  void find_seen(std::int32_t point);
  void add(std::int32_t point);

  Array<Whole> x_;
  Array<std::int32_t> next_;
  Array<std::int32_t> new_face_; // whose edge begins at each point of the horizon
  std::vector<HullFace> faces_;
  std::vector<std::int32_t> free_;     // faces that are gone
  std::vector<std::int32_t> waits_at_; // of each point; none where it is a corner
  std::vector<std::int32_t> seen_, made_;
  std::vector<Horizon> horizon_;
};

std::int32_t Hull::make_face(const Triangle& corners) {
  if (free_.empty()) {
    faces_.push_back({corners, {none, none, none}});
    return static_cast<std::int32_t>(faces_.size() - 1);
  }
  const std::int32_t f = free_.back();
  free_.pop_back();
  face(f) = {corners, {none, none, none}};
  return f;
}

void Hull::wait_at_one_of(std::int32_t point, std::span<const std::int32_t> faces) {
  const auto seen = std::find_if(faces.begin(), faces.end(), [&](std::int32_t f) { return sees(point, f); });
  if (seen == faces.end())
    throw Error("node " + std::to_string(point) +
                " lies within the hull of the others (nodes are more than 1e-6 apart)");
  next_[point] = face(*seen).waiting;
  face(*seen).waiting = point;
  waits_at_[point] = *seen;
}

// With the first four points that make a tetrahedron; they go to the end of the order.
void Hull::begin(std::vector<std::int32_t>& order) {
  Triangle base{order.back(), none, none};
  order.pop_back();
  const auto take = [&](auto&& fits) {
    const auto found = std::find_if(order.rbegin(), order.rend(), fits);
    if (found == order.rend()) throw Error("nodes that lie in one plane (a hull needs four that do not)");
    const std::int32_t p = *found;
    order.erase(std::next(found).base());
    return p;
  };
  base[1] = take([&](std::int32_t p) { return x_[p] != x_[base[0]]; });
  base[2] = take([&](std::int32_t p) { return normal(x_[base[0]], x_[base[1]], x_[p]) != std::array<Wide, 3>{}; });
  const std::int32_t below = make_face(base);
  const std::int32_t above = make_face({base[0], base[2], base[1]});
  const std::int32_t top = take([&](std::int32_t p) { return sees(p, below) || sees(p, above); });
  const std::int32_t bottom = sees(top, below) ? above : below;
  free_.push_back(bottom == below ? above : below);
  face(free_.back()).alive = false;

  const Triangle b = face(bottom).corners;
  std::array<std::int32_t, 3> sides{};
  for (std::size_t c = 0; c < 3; ++c) sides[c] = make_face({b[(c + 1) % 3], b[c], top});
  for (std::size_t c = 0; c < 3; ++c) {
    face(bottom).beyond[c] = sides[c];
    face(sides[c]).beyond = {bottom, sides[(c + 2) % 3], sides[(c + 1) % 3]};
  }
  const std::array<std::int32_t, 4> all{bottom, sides[0], sides[1], sides[2]};
  for (const std::int32_t p : order) wait_at_one_of(p, all);
}

// Faces that are seen hang together, and the edges around them are the horizon.
void Hull::find_seen(std::int32_t point) {
  seen_.assign(1, waits_at_[point]);
  horizon_.clear();
  face(seen_[0]).alive = false;
  for (std::size_t i = 0; i < seen_.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::int32_t beyond = face(seen_[i]).beyond[c];
      if (!face(beyond).alive) continue;
      if (sees(point, beyond)) {
        face(beyond).alive = false;
        seen_.push_back(beyond);
      }
    }
  for (const std::int32_t f : seen_)
    for (std::size_t c = 0; c < 3; ++c)
      if (const HullFace& seen = face(f); face(seen.beyond[c]).alive)
        horizon_.push_back({seen.corners[c], seen.corners[(c + 1) % 3], seen.beyond[c]});
}

void Hull::add(std::int32_t point) {
  find_seen(point);
  made_.clear();
  for (const Horizon& edge : horizon_) {
    const std::int32_t f = make_face({edge.from, edge.to, point});
    made_.push_back(f);
    new_face_[edge.from] = f;
    face(f).beyond[0] = edge.beyond;
    HullFace& other = face(edge.beyond);
    for (std::size_t c = 0; c < 3; ++c)
      if (other.corners[c] == edge.to && other.corners[(c + 1) % 3] == edge.from) other.beyond[c] = f;
  }
  for (const std::int32_t f : made_) {
    const std::int32_t after = new_face_[face(f).corners[1]];
    face(f).beyond[1] = after;
    face(after).beyond[2] = f;
  }
  for (const std::int32_t f : seen_)
    for (std::int32_t p = face(f).waiting; p != none;) {
      const std::int32_t then = next_[p];
      if (p != point) wait_at_one_of(p, made_);
      p = then;
    }
  free_.insert(free_.end(), seen_.begin(), seen_.end());
}

Array<Triangle> Hull::triangles() {
  std::vector<std::int32_t> order(static_cast<std::size_t>(x_.size()));
  std::iota(order.begin(), order.end(), 0);
  std::uint64_t state = 1; // of a linear congruence (Knuth's MMIX), good enough to shuffle
  for (std::size_t i = order.size(); i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i - 1], order[(state >> 33) % i]);
  }
  waits_at_.assign(order.size(), none);
  faces_.reserve(2 * order.size());
  begin(order);
  for (const std::int32_t p : order) add(p);

  Array<Triangle> result;
  for (const HullFace& f : faces_) {
    if (!f.alive) continue;
    const auto lowest = std::min_element(f.corners.begin(), f.corners.end()) - f.corners.begin();
    Triangle t = f.corners;
    std::rotate(t.begin(), t.begin() + lowest, t.end());
    result.resize(result.size() + 1, t);
  }
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace

Array<Triangle> sphere_hull(std::span<const Vector> points) {
  if (points.size() < 4 || points.size() > static_cast<std::size_t>(most_triangles / 2))
    throw Error("a hull of " + std::to_string(points.size()) + " nodes (4 to " + std::to_string(most_triangles / 2) +
                ")");
  return Hull(points).triangles();
}

} // namespace corral::geometry

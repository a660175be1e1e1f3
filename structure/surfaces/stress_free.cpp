#include "structure/surfaces/stress_free.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

namespace corral::structure {

namespace {

using geometry::Triangle, geometry::Vector;

constexpr double pi = std::numbers::pi;

/// Area of an oblate spheroid over that of the ball of its volume, for the ratio of its half axes, along over across.
double excess(double ratio) {
  const double across = std::cbrt(1 / ratio), e = std::sqrt(1 - ratio * ratio);
  const double inner = e > 1e-6 ? ratio * ratio / e * std::atanh(e) : 1; // of a sphere
  return 0.5 * across * across * (1 + inner);
}

/// Area of a surface of revolution from its first pole on, at polar angles of the unit sphere from 0 to pi.
class AreaFromPole {
public:
  template <class Profile> explicit AreaFromPole(const Profile& profile) : area_(parts + 1, 0.0) {
    auto [r, z] = profile(0.0);
    for (int i = 1; i <= parts; ++i) {
      const auto [r_next, z_next] = profile(pi * i / parts);
      area_[static_cast<std::size_t>(i)] =
          area_[static_cast<std::size_t>(i - 1)] + pi * (r + r_next) * std::hypot(r_next - r, z_next - z);
      r = r_next, z = z_next;
    }
  }
  double whole() const { return area_.back(); }
  double share_at(double angle) const {
    const double at = std::clamp(angle / pi, 0.0, 1.0) * parts;
    const auto i = std::min(static_cast<std::size_t>(at), area_.size() - 2);
    return (area_[i] + (at - static_cast<double>(i)) * (area_[i + 1] - area_[i])) / whole();
  }
  double angle_of(double share) const {
    const double area = share * whole();
    const auto above = std::upper_bound(area_.begin() + 1, area_.end() - 1, area);
    const double part = (area - *(above - 1)) / (*above - *(above - 1));
    return pi / parts * (static_cast<double>(above - area_.begin() - 1) + std::clamp(part, 0.0, 1.0));
  }

private:
  static constexpr int parts = 20'000; // areas to 1e-8
  std::vector<double> area_;
};

/// Its corners, the lowest number first.
Triangle turned(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

bool same_triangles(std::span<const Triangle> a, std::span<const Triangle> b) {
  const auto sorted = [](std::span<const Triangle> of) {
    std::vector<Triangle> all;
    for (const Triangle& t : of) all.push_back(turned(t));
    std::sort(all.begin(), all.end());
    return all;
  };
  return sorted(a) == sorted(b);
}

} // namespace

std::vector<Vector> points_in_order(const geometry::Mesh& mesh, const SurfaceShape& shape) {
  const std::span<const Triangle> here = shape.triangles, there = mesh.triangles();
  const std::span<const Vector> points = mesh.points();
  const auto text = [](std::size_t vertices, std::size_t triangles) {
    return std::to_string(vertices) + " vertices and " + std::to_string(triangles) + " triangles";
  };
  if (points.size() != shape.start.size() || there.size() != here.size())
    throw Error("has " + text(points.size(), there.size()) + ", and the surface " + text(shape.start.size(), here.size()) +
                " (every vertex has one place without stress) write it of the same mesh");
  if (same_triangles(here, there)) return {points.begin(), points.end()};
  std::vector<std::int32_t> place(points.size(), -1), of(points.size(), -1); // of the surface's points there, and back
  for (std::size_t t = 0; t < here.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      std::int32_t &to = place[static_cast<std::size_t>(here[t][k])], &from = of[static_cast<std::size_t>(there[t][k])];
      if (to < 0 && from < 0) to = there[t][k], from = here[t][k];
      if (to != there[t][k] || from != here[t][k])
        throw Error("joins its vertices otherwise than the surface, in triangle " + std::to_string(t) +
                    " first (a triangle without stress has the corners that it starts with, by their numbers, in STL files by "
                    "the order of triangles) write it of the same mesh");
    }
  std::vector<Vector> ordered;
  for (const std::int32_t p : place) ordered.push_back(points[static_cast<std::size_t>(p)]);
  return ordered;
}

Spheroid spheroid_of(double area, double reduced_volume) {
  // The reduced volume is the excess to the power -3/2, and falls with flatness.
  const double wanted = std::pow(reduced_volume, -2.0 / 3);
  double flat = 1e-6, round = 1;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (flat + round);
    (excess(middle) > wanted ? flat : round) = middle;
  }
  const double ball = std::sqrt(area / (4 * pi * excess(round))); // radius of the ball of the same volume
  const double across = ball * std::cbrt(1 / round);
  return {across, across * round};
}

std::vector<Vector> on_spheroid(std::span<const Vector> on_sphere, double reduced_volume,
                                const std::function<Vector(const Vector&)>& meridian) {
  const AreaFromPole body([&](double angle) {
    const Vector x = meridian({std::sin(angle), 0, std::cos(angle)});
    return std::pair{std::abs(x[0]), x[2]};
  });
  const Spheroid axes = spheroid_of(body.whole(), reduced_volume);
  const AreaFromPole spheroid(
      [&](double angle) { return std::pair{axes.across * std::sin(angle), axes.along * std::cos(angle)}; });
  std::vector<Vector> points;
  points.reserve(on_sphere.size());
  for (const Vector& n : on_sphere) {
    const double from_axis = std::hypot(n[0], n[1]);
    const double angle = spheroid.angle_of(body.share_at(std::atan2(from_axis, n[2])));
    const double r = from_axis > 0 ? axes.across * std::sin(angle) / from_axis : 0;
    points.push_back({r * n[0], r * n[1], axes.along * std::cos(angle)});
  }
  return points;
}

} // namespace corral::structure

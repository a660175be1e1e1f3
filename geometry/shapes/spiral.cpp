#include "geometry/shapes/shapes.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace corral::geometry {

namespace {

// The red cell's outline of radius 1, by the latitude f: radius cos f, height z(f).
double thickness(double r) { return .105 + r * r * (1 - .56 * r * r); }
double height(double f) { return thickness(std::cos(f)) * std::sin(f); }
double arc_per_latitude(double f) {
  const double r = std::cos(f), s = std::sin(f);
  return std::hypot(s, thickness(r) * r - s * s * (2 * r - 2.24 * r * r * r));
}

/// Integral of f over [a, b] by Gauss and Legendre's rule of five points: 0 up to round-off where [a, b] is short.
template <class F> double integral(double a, double b, F&& f) {
  constexpr std::array<double, 3> x{0, .53846931010568309104, .90617984593866399280};
  constexpr std::array<double, 3> w{.56888888888888888889, .47862867049936646804, .23692688505618908751};
  const double centre = (a + b) / 2, half = (b - a) / 2;
  double sum = w[0] * f(centre);
  for (std::size_t i = 1; i < 3; ++i) sum += w[i] * (f(centre - half * x[i]) + f(centre + half * x[i]));
  return half * sum;
}

/// The arc from the equator to each latitude, and back.
class Meridian {
public:
  Meridian() : arcs_(pieces + 1, 0.0) {
    for (std::size_t i = 0; i < pieces; ++i)
      arcs_[i + 1] = arcs_[i] + integral(latitude(i), latitude(i + 1), arc_per_latitude);
  }

  double quarter() const { return arcs_.back(); }
  double latitude_at(double arc) const {
    const auto after = std::upper_bound(arcs_.begin() + 1, arcs_.end() - 1, arc);
    const auto piece = static_cast<std::size_t>(after - arcs_.begin()) - 1;
    const double begin = latitude(piece);
    double f = begin + (arc - arcs_[piece]) / arc_per_latitude(begin);
    for (int newton = 0; newton < 3; ++newton) // digits double each time, from three
      f -= (arcs_[piece] + integral(begin, f, arc_per_latitude) - arc) / arc_per_latitude(f);
    return f;
  }

private:
  static constexpr std::size_t pieces = 256;
  static double latitude(std::size_t i) { return std::numbers::pi / 2 * static_cast<double>(i) / pieces; }

  std::vector<double> arcs_;
};

void require_size(double size, const char* what) {
  if (!(size > 0) || !std::isfinite(size))
    throw Error(std::string(what) + " of " + std::to_string(size) + " m (it is above 0 and finite)");
}

} // namespace

void map_to_ellipsoid(std::span<Vector> points, const Vector& half_axes) {
  for (const double a : half_axes) require_size(a, "half an axis");
  for_each(Cpu{}, static_cast<std::int64_t>(points.size()), [&](std::int64_t i) {
    for (std::size_t d = 0; d < 3; ++d) points[i][d] *= half_axes[d];
  });
}

Vector red_cell_point(const Vector& x, double radius) {
  return {radius * x[0], radius * x[1], radius * thickness(std::hypot(x[0], x[1])) * x[2]};
}

void map_to_red_cell(std::span<Vector> points, double radius, RedCellLatitude latitude) {
  require_size(radius, "a radius");
  const Meridian meridian;
  for_each(Cpu{}, static_cast<std::int64_t>(points.size()), [&](std::int64_t i) {
    Vector& x = points[i];
    if (latitude == RedCellLatitude::formula) {
      x = red_cell_point(x, radius);
      return;
    }
    const double r = std::hypot(x[0], x[1]);
    const double share = std::atan2(std::abs(x[2]), r) / (std::numbers::pi / 2);
    const double f = meridian.latitude_at(share * meridian.quarter());
    const double across = r > 0 ? radius * std::cos(f) / r : 0;
    x = {across * x[0], across * x[1], std::copysign(radius * height(f), x[2])};
  });
}

double red_cell_volume(double radius) {
  // 4 pi integral of r p(r) sqrt(1 - r^2), with u = 1 - r^2 and p = .545 + .12 u - .56 u^2.
  return 4 * std::numbers::pi * (.545 / 3 + .12 / 5 - .56 / 7) * radius * radius * radius;
}

double red_cell_area(double radius) {
  double area = 0;
  constexpr int pieces = 64;
  for (int i = 0; i < pieces; ++i)
    area += integral(std::numbers::pi / 2 * i / pieces, std::numbers::pi / 2 * (i + 1) / pieces,
                     [](double f) { return std::cos(f) * arc_per_latitude(f); });
  return 4 * std::numbers::pi * area * radius * radius;
}

Array<Vector> spiral_nodes(std::int64_t count) {
  if (count < 4 || count > most_triangles / 2)
    throw Error("a spiral of " + std::to_string(count) + " nodes (4 to " + std::to_string(most_triangles / 2) + ")");
  Array<Vector> nodes(count);
  const auto n = static_cast<double>(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const double z = -1 + static_cast<double>(2 * i + 1) / n, r = std::sqrt((1 - z) * (1 + z));
    const double longitude = std::sqrt(std::numbers::pi * n) * std::asin(z);
    nodes[i] = {r * std::cos(longitude), r * std::sin(longitude), z};
  }
  return nodes;
}

Surface spiral_sphere(std::int64_t count) {
  Surface sphere;
  sphere.points = spiral_nodes(count);
  sphere.triangles = sphere_hull(sphere.points.span());
  return sphere;
}

} // namespace corral::geometry

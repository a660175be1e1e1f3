#pragma once

#include "geometry/vector.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/host_device.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace corral::structure {

using geometry::Vector;
using geometry::operator+, geometry::operator-, geometry::operator*, geometry::dot, geometry::cross;

/// What loops see of the triangles of one membrane. Side k of a triangle runs from its corner k to its corner k + 1.
struct ConnectivityView {
  std::int64_t vertices = 0, triangles = 0;
  const std::int32_t* corner = nullptr;   ///< [3 t + k] vertex
  const std::int32_t* beyond = nullptr;   ///< [3 t + k] triangle on the other side of side k
  const std::int32_t* first = nullptr;    ///< [v] place in `incident` of the vertex's first corner; one more at the end
  const std::int32_t* incident = nullptr; ///< 3 t + k of the vertex's corners, ascending
  const std::int32_t* around = nullptr;   ///< [2 i] and [2 i + 1] the triangle's next vertices after incident[i]'s
};

/// A closed surface of triangles, outward by the right-hand rule, and what follows from who touches whom. Stored once
/// for all membranes of a shape.
class Connectivity {
public:
  /// Throws Error where the surface is not closed and oriented with one fan of triangles around each vertex, a vertex
  /// has no triangle, or a corner is none of `vertices`.
  Connectivity(std::int64_t vertices, std::span<const std::array<std::int32_t, 3>> triangles);

  std::int64_t vertices() const { return first_.size() - 1; }
  std::int64_t triangles() const { return corner_.size() / 3; }
  ConnectivityView view() const;
  void move_to(Memory); ///< all arrays, for loops that work there

private:
  void find_incident();
  void find_beyond();
  void require_one_fan() const;

  Array<std::int32_t> corner_, beyond_, first_, incident_, around_;
};

/// Points by components.
std::array<Array<double>, 3> components(std::span<const Vector> points);
inline ConstPoints view(const std::array<Array<double>, 3>& points) {
  return {points[0].data(), points[1].data(), points[2].data()};
}

/// The triangles of some membranes of one shape, behind each other, where they are.
struct MembraneView {
  ConnectivityView shape;
  ConstPoints markers; ///< of the first of the membranes

  CORRAL_HOST_DEVICE Vector place(std::int64_t c, std::int64_t v) const {
    const std::int64_t i = c * shape.vertices + v;
    return {markers[0][i], markers[1][i], markers[2][i]};
  }
  CORRAL_HOST_DEVICE Vector corner(std::int64_t c, std::int64_t t, int k) const {
    return place(c, shape.corner[3 * t + k]);
  }
};

} // namespace corral::structure

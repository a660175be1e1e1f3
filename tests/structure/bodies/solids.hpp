#pragma once

#include "geometry/files/read_mesh.hpp"
#include "geometry/measures.hpp"
#include "structure/bodies/shape.hpp"
#include "tests/geometry/solids.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace corral::structure {

/// As a case reads it: in metres, about its centroid.
inline BodyModel body_of_file(const std::string& bytes, std::int64_t points) {
  geometry::MeshOfFile read = geometry::mesh_of({"body.off", bytes});
  const geometry::Vector centre = geometry::solid(Cpu{}, read.mesh.points(), read.mesh.triangles()).centroid;
  geometry::shift(read.mesh.points(), {-centre[0], -centre[1], -centre[2]});
  BodyModel kind;
  kind.name = "body";
  kind.kind = BodyKind::file;
  kind.points = points;
  kind.mesh = std::make_shared<const geometry::Mesh>(std::move(read.mesh));
  return kind;
}

/// [0, a] x [0, b] x [0, c], turned about the origin.
inline std::string off_box(double a, double b, double c, const geometry::Rotation& by = {}) {
  geometry::Surface box = test::cube();
  std::string text = "OFF\n8 12 0\n";
  for (const geometry::Vector& corner : box.points) {
    const geometry::Vector x = by({a * corner[0], b * corner[1], c * corner[2]});
    char line[100];
    std::snprintf(line, sizeof line, "%.17g %.17g %.17g\n", x[0], x[1], x[2]);
    text += line;
  }
  for (const geometry::Triangle& t : box.triangles)
    text += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + "\n";
  return text;
}

inline BodyModel sphere_of(double radius, double spacing) {
  BodyModel kind;
  kind.name = "ball", kind.radius = radius, kind.spacing = spacing;
  return kind;
}

inline BodyModel cylinder_of(double radius, double spacing) {
  BodyModel kind = sphere_of(radius, spacing);
  kind.kind = BodyKind::cylinder;
  return kind;
}

inline BodyModel ellipsoid_of(const std::array<double, 3>& axes, double spacing) {
  BodyModel kind;
  kind.name = "egg", kind.kind = BodyKind::ellipsoid, kind.semi_axes = axes, kind.spacing = spacing;
  return kind;
}

} // namespace corral::structure

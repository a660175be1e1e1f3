#pragma once

#include "geometry/mesh.hpp"
#include "structure/setup/material.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace corral::structure {

enum class ShapeKind : std::uint8_t { sphere, ellipsoid, red_cell, file };
enum class Representation : std::uint8_t { triangles, radial };
enum class StressFree : std::uint8_t { shape, sphere, spheroid, file };
enum class Nodes : std::uint8_t { icosphere, spiral };

/// How the forces of a radial surface are found.
enum class RadialForces : std::uint8_t {
  collocated, ///< the continuous force's formula at sample sites: Kassen, Shankar and Fogelson's
  variational ///< minus the gradient of the discrete energy, to round-off, without net force or torque
};

/// A kind of surfaces: shape, resolution and material.
struct SurfaceModel {
  std::string name;
  ShapeKind shape = ShapeKind::sphere;
  double radius = 0;                   ///< of a sphere, or the largest of a red cell [m]
  std::array<double, 3> semi_axes{};   ///< of an ellipsoid [m]
  std::filesystem::path file;
  double unit = 1;                     ///< of the file's coordinates [m]
  StressFree stress_free = StressFree::shape; ///< which shape has no stress: this one, a body of its area, or a file's
  double reduced_volume = 1;           ///< of the spheroid: its volume over that of the sphere of its area [-]
  Representation representation = Representation::triangles;
  Nodes nodes = Nodes::icosphere;
  std::int64_t vertices = 0;           ///< asked for; icospheres take the next larger number
  std::int64_t sites = 0;              ///< sample sites of a radial surface
  RadialForces forces = RadialForces::collocated; ///< likewise
  std::array<double, 3> stretch{1, 1, 1}; ///< of the starting shape beside the one without stress
  double inflation = 1;                ///< size of the starting shape beside that
  Material material;
  std::optional<double> viscosity_ratio;  ///< of the fluid that it encloses over that outside [-]; none: there is one fluid
  std::shared_ptr<const geometry::Mesh> mesh; ///< what `file` holds, in metres, about its centroid; null for others
  std::vector<geometry::Vector> reference; ///< of StressFree::file: where the markers are without stress [m]
};

} // namespace corral::structure

#include "structure/triangles/triangle_shape.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace corral::structure {

namespace {

std::span<const Vector> of_size(std::span<const Vector> points, std::size_t size, const char* what) {
  if (points.size() != size)
    throw Error(std::string(what) + " of a membrane has " + std::to_string(points.size()) + " points (its mesh has " +
                std::to_string(size) + ")");
  for (std::size_t v = 0; v < size; ++v)
    for (const double x : points[v])
      if (!std::isfinite(x))
        throw Error(std::string(what) + " of a membrane has point " + std::to_string(v) + " nowhere (not finite)");
  return points;
}

const Material& sound(const Material& material) {
  const auto require = [](double value, const char* what) {
    if (!(std::isfinite(value) && value >= 0))
      throw Error("a membrane's " + std::string(what) + " is " + std::to_string(value) + " (finite and not negative)");
  };
  require(material.shear_modulus, "shear modulus");
  require(material.bending_modulus, "bending modulus");
  require(material.volume_stiffness, "volume stiffness");
  require(material.area_stiffness, "area stiffness");
  require(material.tension, "tension");
  require(material.tether_stiffness, "tether stiffness");
  require(material.shear_viscosity, "viscosity");
  require(material.dilatation_viscosity, "dilatation viscosity");
  if (!(std::isfinite(material.area_ratio) && material.area_ratio > -0.5))
    throw Error("a membrane's area ratio C is " + std::to_string(material.area_ratio) +
                " (its area modulus G_s (1 + 2 C) would not be positive)");
  return material;
}

} // namespace

TriangleShape::TriangleShape(std::span<const Vector> points, std::span<const std::array<std::int32_t, 3>> triangles,
                             const Material& material, std::span<const Vector> reference, Memory memory)
    : connectivity_(static_cast<std::int64_t>(points.size()), triangles),
      reference_(connectivity_,
                 of_size(reference.empty() ? of_size(points, points.size(), "the shape") : reference, points.size(),
                         "the reference shape"),
                 sound(material)) {
  const VolumeAndArea extent = extent_of(points);
  const double round_off = 1e-12 * extent.area * std::sqrt(extent.area);
  if (extent.volume < -round_off)
    throw Error("a membrane's triangles look inward (its volume is negative) reverse them");
  if (material.volume_stiffness > 0 && extent.volume <= round_off)
    throw Error("a membrane without volume (there is none that a volume stiffness could hold)");
  penalty_ = {material.volume_stiffness, material.area_stiffness, material.tension, std::max(extent.volume, round_off),
              extent.area};
  if (memory == Memory::host) return;
  connectivity_.move_to(memory);
  reference_.move_to(memory);
}

/// As later sums go, so that a membrane that starts is at rest to the bit.
VolumeAndArea TriangleShape::extent_of(std::span<const Vector> points) const {
  const std::array<Array<double>, 3> places = components(points);
  const MembraneView membrane{connectivity_.view(), view(places)};
  Array<VolumeAndArea> parts;
  VolumeAndArea extent;
  ExtentPull pull;
  set_pulls(Cpu{}, 1, membrane, {}, parts, &extent, &pull);
  return extent;
}

} // namespace corral::structure

#pragma once

#include "structure/surfaces/shapes.hpp"
#include "tests/membrane/step/membrane_run.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

namespace corral::test {

constexpr std::int64_t box = 20; // cells along each side of what is stiff

/// Vertices that lie `apart` cells of h [m] apart on a shape.
inline structure::SurfaceModel with_spacing(structure::SurfaceModel kind, double h, double apart) {
  const double triangles = 4 * structure::shape_area(kind) / (std::sqrt(3.0) * apart * apart * h * h);
  kind.vertices = std::llround(triangles / 2) + 2;
  return kind;
}

inline structure::SurfaceModel soft(double h, double radius_in_cells, const std::function<void(structure::Material&)>& change) {
  structure::SurfaceModel kind = stiff_sphere(12, radius_in_cells * h);
  kind.material.area_ratio = 1;
  change(kind.material);
  if (kind.material.shear_modulus == 0) kind.material.law = structure::ElasticLaw::none;
  return kind;
}

inline structure::SurfaceModel red_cell(double area_ratio, double bending_modulus) {
  structure::SurfaceModel kind = stiff_sphere(12);
  kind.shape = structure::ShapeKind::red_cell;
  kind.material.area_ratio = area_ratio;
  kind.material.bending_modulus = bending_modulus;
  if (bending_modulus > 0) kind.material.bending_law = structure::BendingLaw::helfrich;
  return kind;
}

inline membrane::MembraneSetup in_box(structure::SurfaceModel kind, double h, bool inertia, double apart = 0.8) {
  membrane::MembraneSetup setup = box_of_water({box, box, box}, h);
  setup.fluid.inertia = inertia;
  const double middle = 0.5 * box * h;
  put(setup, with_spacing(std::move(kind), h, apart), {middle + 0.13 * h, middle - 0.1 * h, middle + 0.37 * h});
  return setup;
}

/// One sphere in another, whose points push each other away where they are two thirds of the range apart.
inline membrane::MembraneSetup nested(double h, bool inertia) {
  const auto tough = [](structure::Material& m) { m.area_ratio = 10; };
  membrane::MembraneSetup setup = in_box(soft(h, 6, tough), h, inertia, 0.7);
  put(setup, with_spacing(soft(h, 5, tough), h, 0.7), setup.groups[0].position);
  setup.coupling.repulsion_range = 1.5 * h;
  setup.coupling.repulsion_stiffness = 3e-4;
  return setup;
}

} // namespace corral::test

#pragma once

#include "structure/setup/material.hpp"
#include "structure/triangles/connectivity.hpp"

#include <corral/array.hpp>
#include <corral/memory.hpp>

#include <cstdint>
#include <span>

namespace corral::structure {

/// What loops see of the shape that a membrane's stress and rest curvature are measured from.
struct ReferenceView {
  const double* metric = nullptr; ///< [5 t ..] area [m2]; inverse metric 11, 12, 22 of sides 1 and 2 [1/m2]; 1/D [1/m4]
  const double* fold = nullptr;   ///< [6 t + 2 k ..] cos and sin of theta0 at side k [-]; null: 1 and 0
  const double* curvature = nullptr; ///< [v] H0 [1/m]; null: 0
  const double* area = nullptr;      ///< [v] a third of the areas around [m2]
};

/// The reference shape of membranes of triangles, stored once for all of them. Sides of a triangle are E1 and E2, from
/// its corner 0 to 1 and 2; its metric E_i . E_j has the determinant D = (2 area)^2.
class TriangleReference {
public:
  /// Throws Error where a triangle has no area.
  TriangleReference(const Connectivity& connectivity, std::span<const Vector> points, const Material& material);

  ReferenceView view() const { return {metric_.data(), fold_.data(), curvature_.data(), area_.data()}; }
  double spacing() const { return spacing_; } ///< mean length of the sides [m]
  void move_to(Memory);                       ///< all arrays, for loops that work there

private:
  void set_metric(const ConnectivityView& shape, std::span<const Vector> points);
  void set_rest(const MembraneView& membrane, BendingLaw law);

  Array<double> metric_, fold_, curvature_, area_;
  double spacing_ = 0;
};

} // namespace corral::structure

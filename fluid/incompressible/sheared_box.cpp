#include "fluid/incompressible/sheared_box.hpp"

#include <corral/error.hpp>

#include <string>

namespace corral::fluid {
namespace {

template <class F> void add_along(Cpu cpu, const Grid& grid, const BoxShear& shear, const FacePointers& to, F value) {
  for (const int axis : {shear.flow, shear.gradient})
    if (axis < 0 || axis > 2) throw Error("axis " + std::to_string(axis) + " of a shear (axes are 0, 1 and 2)");
  if (shear.flow == shear.gradient)
    throw Error("a shear along its own gradient (both are axis " + std::to_string(shear.flow) + ") take two axes");
  if (!grid.axis(shear.gradient).periodic())
    throw Error("a sheared box with walls at the ends of its gradient (it wraps) let a wall slide");
  double* const values = to[static_cast<std::size_t>(shear.flow)];
  for_each_face(cpu, grid, shear.flow,
                [&](const Face& f) { values[f.index] += value(f.place[static_cast<std::size_t>(shear.gradient)]); });
}

} // namespace

void add_shear(Cpu cpu, const Grid& grid, const BoxShear& shear, const FacePointers& velocity) {
  const auto n = static_cast<double>(grid.axis(shear.gradient).cells);
  const double step = shear.rate * grid.axis(shear.gradient).spacing;
  add_along(cpu, grid, shear, velocity,
            [=](std::int64_t j) { return step * (static_cast<double>(j) + 0.5 - 0.5 * n); });
}

void add_shear_force(Cpu cpu, const Grid& grid, const BoxShear& shear, double viscosity, const FacePointers& force) {
  const std::int64_t n = grid.axis(shear.gradient).cells;
  const double h = grid.axis(shear.gradient).spacing;
  // Around the end the velocity falls by rate n h.
  const double jump = viscosity * shear.rate * static_cast<double>(n) / h;
  add_along(cpu, grid, shear, force, [=](std::int64_t j) { return (j == n - 1 ? jump : 0.0) - (j == 0 ? jump : 0.0); });
}

} // namespace corral::fluid

#pragma once

/// The columns of surface_columns.hpp, for either processor.

#include "membrane/output/surface_columns.hpp"
#include "structure/radial/device/radial_membranes.hpp"
#include "structure/radial/radial_membranes.hpp"
#include "structure/triangles/triangle_membranes.hpp"
#include "structure/values.t.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace corral::membrane {

using namespace structure;

namespace surface_columns {

inline Points from(const run::Components& c, std::int64_t first) {
  return {c[0]->data() + first, c[1]->data() + first, c[2]->data() + first};
}
template <Execution E> ConstPoints markers_of(const Population<E>& p, const typename Population<E>::Kind& kind) {
  const ConstPoints x = p.at();
  return {x[0] + kind.first_marker, x[1] + kind.first_marker, x[2] + kind.first_marker};
}

} // namespace surface_columns

template <Execution E> SurfaceColumns<E>::SurfaceColumns(MembraneStep<E>& step) {
  for (Population<E>& p : step.populations())
    all_.push_back(p.set.name() == vertex_kind.name ? of_triangles(p) : of_sites(p));
}

template <Execution E> typename SurfaceColumns<E>::Columns SurfaceColumns<E>::of_triangles(Population<E>& p) {
  Columns c{.population = &p};
  c.force = p.set.declare_vector_column("force", "N", "on the fluid, in the last step", run::Use::shown);
  c.elastic_force = p.set.declare_vector_column("elastic_force", "N", "of the elastic law", run::Use::shown);
  c.bending_force = p.set.declare_vector_column("bending_force", "N", "of bending", run::Use::shown);
  c.mean_curvature = &p.set.declare_column("mean_curvature", "1/m", "1/R on a sphere, negative where it is hollow", run::Use::shown);
  c.larger_tension = &p.set.declare_on_triangles("larger_tension", "N/m", "of the elastic law's two", run::Use::shown);
  c.smaller_tension = &p.set.declare_on_triangles("smaller_tension", "N/m", "likewise", run::Use::shown);
  c.area_ratio = &p.set.declare_on_triangles("area_ratio", "", "area over that without stress", run::Use::shown);
  return c;
}

template <Execution E> typename SurfaceColumns<E>::Columns SurfaceColumns<E>::of_sites(Population<E>& p) {
  Columns c{.population = &p};
  c.mean_curvature = &p.set.declare_column("mean_curvature", "1/m", "1/R on a sphere, negative where it is hollow", run::Use::shown);
  c.larger_tension = &p.set.declare_column("larger_tension", "N/m", "of the elastic law's two", run::Use::shown);
  c.smaller_tension = &p.set.declare_column("smaller_tension", "N/m", "likewise", run::Use::shown);
  return c;
}

template <Execution E> void SurfaceColumns<E>::update(E execution) {
  for (const Columns& columns : all_)
    for (const Kind& kind : columns.population->kinds())
      columns.area_ratio ? update_triangles(execution, columns, kind) : update_sites(execution, columns, kind);
}

template <Execution E> void SurfaceColumns<E>::update_triangles(E execution, const Columns& columns, const Kind& kind) {
  auto& membranes = static_cast<TriangleMembranes<E>&>(*kind.membranes);
  const ConstPoints x = surface_columns::markers_of(*columns.population, kind), f = columns.population->forces_of(kind);
  const std::int64_t n = membranes.count() * membranes.markers_per_membrane();
  for (std::size_t d = 0; d < 3; ++d) values::copy(execution, n, f[d], columns.force[d]->data() + kind.first_marker);
  membranes.elastic_forces(execution, x, surface_columns::from(columns.elastic_force, kind.first_marker));
  membranes.bending_forces(execution, x, surface_columns::from(columns.bending_force, kind.first_marker));
  membranes.mean_curvatures(execution, x, columns.mean_curvature->data() + kind.first_marker);
  membranes.tensions(execution, x, columns.larger_tension->data() + kind.first_triangle,
                     columns.smaller_tension->data() + kind.first_triangle);
  membranes.area_ratios(execution, x, columns.area_ratio->data() + kind.first_triangle);
}

template <Execution E> void SurfaceColumns<E>::update_sites(E execution, const Columns& columns, const Kind& kind) {
  using Radial = std::conditional_t<std::same_as<E, Cpu>, RadialMembranes, DeviceRadialMembranes>;
  static_cast<Radial&>(*kind.membranes)
      .describe_markers(execution, surface_columns::markers_of(*columns.population, kind),
                        {columns.mean_curvature->data() + kind.first_marker, columns.larger_tension->data() + kind.first_marker,
                         columns.smaller_tension->data() + kind.first_marker});
}

} // namespace corral::membrane

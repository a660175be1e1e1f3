#include "membrane/output/surface_columns.hpp"

#include "structure/radial/radial_membranes.hpp"
#include "structure/triangles/triangle_membranes.hpp"

namespace corral::membrane {

using namespace structure;

namespace {

constexpr run::Use shown = run::Use::shown;

Points from(const run::Components& c, std::int64_t first) {
  return {c[0]->data() + first, c[1]->data() + first, c[2]->data() + first};
}
ConstPoints markers_of(const Population& p, const Population::Kind& kind) {
  const ConstPoints x = p.at();
  return {x[0] + kind.first_marker, x[1] + kind.first_marker, x[2] + kind.first_marker};
}

} // namespace

SurfaceColumns::SurfaceColumns(MembraneStep& step) {
  for (Population& p : step.populations())
    all_.push_back(p.set.name() == vertex_kind.name ? of_triangles(p) : of_sites(p));
}

SurfaceColumns::Columns SurfaceColumns::of_triangles(Population& p) {
  Columns c{.population = &p};
  c.force = p.set.declare_vector_column("force", "N", "on the fluid, in the last step", shown);
  c.elastic_force = p.set.declare_vector_column("elastic_force", "N", "of the elastic law", shown);
  c.bending_force = p.set.declare_vector_column("bending_force", "N", "of bending", shown);
  c.mean_curvature = &p.set.declare_column("mean_curvature", "1/m", "1/R on a sphere, negative where it is hollow", shown);
  c.larger_tension = &p.set.declare_on_triangles("larger_tension", "N/m", "of the elastic law's two", shown);
  c.smaller_tension = &p.set.declare_on_triangles("smaller_tension", "N/m", "likewise", shown);
  c.area_ratio = &p.set.declare_on_triangles("area_ratio", "", "area over that without stress", shown);
  return c;
}

SurfaceColumns::Columns SurfaceColumns::of_sites(Population& p) {
  Columns c{.population = &p};
  c.mean_curvature = &p.set.declare_column("mean_curvature", "1/m", "1/R on a sphere, negative where it is hollow", shown);
  c.larger_tension = &p.set.declare_column("larger_tension", "N/m", "of the elastic law's two", shown);
  c.smaller_tension = &p.set.declare_column("smaller_tension", "N/m", "likewise", shown);
  return c;
}

void SurfaceColumns::update(MembraneStep& step) {
  static_cast<void>(step);
  for (const Columns& columns : all_)
    for (const Population::Kind& kind : columns.population->kinds())
      columns.area_ratio ? update_triangles(columns, kind) : update_sites(columns, kind);
}

void SurfaceColumns::update_triangles(const Columns& columns, const Population::Kind& kind) {
  auto& membranes = static_cast<TriangleMembranes&>(*kind.membranes);
  const ConstPoints x = markers_of(*columns.population, kind), f = columns.population->forces_of(kind);
  const std::int64_t n = membranes.count() * membranes.markers_per_membrane();
  for (std::size_t d = 0; d < 3; ++d) std::copy(f[d], f[d] + n, columns.force[d]->data() + kind.first_marker);
  membranes.elastic_forces(Cpu{}, x, from(columns.elastic_force, kind.first_marker));
  membranes.bending_forces(Cpu{}, x, from(columns.bending_force, kind.first_marker));
  membranes.mean_curvatures(Cpu{}, x, columns.mean_curvature->data() + kind.first_marker);
  membranes.tensions(Cpu{}, x, columns.larger_tension->data() + kind.first_triangle,
                     columns.smaller_tension->data() + kind.first_triangle);
  membranes.area_ratios(Cpu{}, x, columns.area_ratio->data() + kind.first_triangle);
}

void SurfaceColumns::update_sites(const Columns& columns, const Population::Kind& kind) {
  auto& membranes = static_cast<RadialMembranes&>(*kind.membranes);
  membranes.describe_markers(Cpu{}, markers_of(*columns.population, kind),
                             {columns.mean_curvature->data() + kind.first_marker,
                              columns.larger_tension->data() + kind.first_marker,
                              columns.smaller_tension->data() + kind.first_marker});
}

} // namespace corral::membrane

// Writes the files that read_vtk.py reads into the directory given: every value follows from its place.
#include "app/output/state_files.hpp"
#include "run/state/registry.hpp"

#include <array>
#include <cstdint>

using namespace corral;
using run::Use;

namespace {

void fill_fields(run::Registry& r) {
  Array<double>& code = r.declare_field("code", "", "", Staggering::centre, Use::shown);
  for (std::int64_t i = 0; i < code.size(); ++i) code[i] = static_cast<double>(i);
  r.declare_field("hidden", "", "", Staggering::centre, Use::saved);
  const run::Components gas = r.declare_vector_field("gas", "m/s", "", run::on_faces, Use::shown);
  for (int d = 0; d < 3; ++d) {
    const auto& n = r.find("gas", d)->extents;
    for (std::int64_t i = 0; i < gas[d]->size(); ++i) {
      const std::array<std::int64_t, 3> index{i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
      (*gas[d])[i] = static_cast<double>(index[d] + 100 * d);
    }
  }
}

void fill_parcels(run::ParticleSet& r, std::int64_t n) {
  const run::Components position = r.declare_vector_column("position", "m", "", Use::saved | Use::shown);
  const run::Components velocity = r.declare_vector_column("velocity", "m/s", "", Use::shown);
  Array<double>& diameter = r.declare_column("diameter", "m", "", Use::shown);
  Array<std::uint64_t>& id = r.declare_ids("id", "", Use::shown);
  Array<std::int32_t>& kind = r.declare_integers("kind", "", Use::shown);
  const run::Columns strain = r.declare_columns("strain", "", "", 6, Use::shown);
  r.resize(n);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    for (int d = 0; d < 3; ++d) {
      (*position[d])[i] = x + 0.1 * d;
      (*velocity[d])[i] = -x - 0.1 * d;
    }
    diameter[i] = 1e-3 * x;
    kind[i] = static_cast<std::int32_t>(-i);
    for (std::size_t c = 0; c < strain.size(); ++c) (*strain[c])[i] = x + 0.1 * static_cast<double>(c);
    id[i] = 0x8000000000000000 + static_cast<std::uint64_t>(i);
  }
}

} // namespace

int main(int, char** arguments) {
  const std::filesystem::path directory = arguments[1];
  const Axis x{4, -1, 0.1}, y{3, 0.5, 0.2, Boundary::wall, Boundary::wall};
  const Axis z{2, 2, 0.3, Boundary::wall, Boundary::open};
  const Grid grid({x, y, z});
  app::Series fields(directory, "fields", "vti"), parcels(directory, "parcels", "vtp");
  double time = 0.1; // [s]
  for (const std::int64_t n : {5000, 1, 0}) { // 5000 take more than one piece of the writer's buffer
    run::Registry registry(grid);
    fill_fields(registry);
    run::ParticleSet& set = registry.declare_set({.name = "parcels", .one = "parcel"});
    fill_parcels(set, n);
    app::write_fields(fields.next(), registry, time);
    fields.add(time);
    app::write_particles(parcels.next(), set, time);
    parcels.add(time);
    time *= 2;
  }
  // A tetrahedron.
  run::Registry registry(grid);
  run::ParticleSet& vertices = registry.declare_set({.name = "vertices", .one = "vertex", .keeps_order = true});
  fill_parcels(vertices, 4);
  vertices.declare_connectivity("triangles", "", 3, Use::shown).assign(std::array<std::int32_t, 12>{0, 1, 2, 0, 3, 1,
                                                                                                   1, 3, 2, 2, 3, 0});
  Array<double>& tension = vertices.declare_on_triangles("tension", "N/m", "", Use::shown);
  for (std::int64_t t = 0; t < tension.size(); ++t) tension[t] = 0.5 * static_cast<double>(t);
  vertices.declare_on_triangles("hidden", "", "", Use::none);
  app::write_particles(directory / "vertices.vtp", vertices, time);
  // A chain of three and a pair.
  run::Registry others(grid);
  run::ParticleSet& beads = others.declare_set({.name = "beads", .one = "bead", .keeps_order = true});
  fill_parcels(beads, 5);
  beads.declare_connectivity("bonds", "", 2, Use::shown).assign(std::array<std::int32_t, 6>{0, 1, 1, 2, 4, 3});
  app::write_particles(directory / "beads.vtp", beads, time);
}

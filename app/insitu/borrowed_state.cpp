#include "app/insitu/borrowed_state.hpp"

#include <corral/error.hpp>

namespace corral::app {

namespace {

using run::Entry;
using run::ParticleSet;

std::int32_t code_of(Staggering s) {
  switch (s) {
  case Staggering::centre: return CORRAL_INSITU_CENTRE;
  case Staggering::node: return CORRAL_INSITU_NODE;
  case Staggering::face_x: return CORRAL_INSITU_FACE_X;
  case Staggering::face_y: return CORRAL_INSITU_FACE_Y;
  case Staggering::face_z: break;
  }
  return CORRAL_INSITU_FACE_Z;
}

corral_insitu_column column_of(const Entry& e) {
  corral_insitu_column c{};
  c.name = e.name.c_str();
  c.unit = e.unit.c_str();
  c.type = e.ids() ? CORRAL_INSITU_ID : CORRAL_INSITU_REAL;
  c.components = 1;
  c.count = e.size();
  c.stride = 1;
  c.data[0] = e.ids() ? static_cast<const void*>(e.ids()->data()) : e.reals()->data();
  return c;
}

corral_insitu_column vector_of(const ParticleSet& set, const Entry& x) {
  corral_insitu_column c = column_of(x);
  c.components = 3;
  for (int d = 1; d < 3; ++d) c.data[d] = set.find(x.name, d)->reals()->data();
  return c;
}

} // namespace

BorrowedState::BorrowedState(const run::Registry& registry, const run::Clock& clock) {
  state_.size = sizeof state_;
  state_.time = clock.time();
  state_.step = clock.step();
  corral_insitu_mesh& mesh = state_.mesh;
  mesh.name = mesh_name;
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = registry.grid().axis(d);
    mesh.cells[d] = axis.cells;
    mesh.origin[d] = axis.origin;
    mesh.spacing[d] = axis.spacing;
  }
  borrow_fields(registry);
  mesh.field_count = static_cast<std::int64_t>(fields_.size());
  mesh.fields = fields_.data();
  for (const ParticleSet& set : registry.sets()) borrow_set(set);
  state_.set_count = static_cast<std::int64_t>(sets_.size());
  state_.sets = sets_.data();
}

void BorrowedState::borrow_fields(const run::Registry& registry) {
  for (const Entry& e : registry.entries()) {
    if (!has(e.use, run::Use::shown) || e.kind != run::Kind::field || e.axis > 0) continue;
    corral_insitu_field f{};
    f.name = e.name.c_str();
    f.unit = e.unit.c_str();
    f.components = e.axis < 0 ? 1 : 3;
    for (int c = 0; c < f.components; ++c) {
      const Entry& component = c == 0 ? e : *registry.find(e.name, c);
      f.staggering[c] = code_of(component.staggering);
      for (int d = 0; d < 3; ++d) f.points[c][d] = component.extents[static_cast<std::size_t>(d)];
      f.data[c] = component.reals()->data();
    }
    fields_.push_back(f);
  }
}

void BorrowedState::borrow_set(const ParticleSet& set) {
  const Entry* position = set.find("position", 0);
  if (!position) throw Error(set.name() + " have no vector column \"position\" (in situ they have no place)");
  corral_insitu_set s{};
  s.name = set.name().c_str();
  s.count = set.size();
  s.position = vector_of(set, *position);
  auto& columns = columns_.emplace_back();
  for (const Entry* e : set.columns()) {
    if (!has(e->use, run::Use::shown) || e->name == position->name || e->axis > 0) continue;
    columns.push_back(e->axis == 0 ? vector_of(set, *e) : column_of(*e));
  }
  s.column_count = static_cast<std::int64_t>(columns.size());
  s.columns = columns.data();
  if (const Entry* triangles = set.triangles()) {
    s.triangle_count = triangles->size() / triangles->corners;
    s.triangles = triangles->places()->data();
    auto& on_triangles = columns_.emplace_back();
    for (const Entry* e : set.on_triangles())
      if (has(e->use, run::Use::shown)) on_triangles.push_back(column_of(*e));
    s.on_triangles_count = static_cast<std::int64_t>(on_triangles.size());
    s.on_triangles = on_triangles.data();
  }
  sets_.push_back(s);
}

} // namespace corral::app

#include "app/insitu/borrowed_state.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cstddef>

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

const void* data_of(const Entry& e) {
  if (e.ids()) return e.ids()->data();
  if (e.integers()) return e.integers()->data();
  return e.reals()->data();
}

corral_insitu_column column_of(const Entry& e, const std::string& name) {
  corral_insitu_column c{};
  c.name = name.c_str();
  c.unit = e.unit.c_str();
  c.type = e.ids() ? CORRAL_INSITU_ID : e.integers() ? CORRAL_INSITU_INTEGER : CORRAL_INSITU_REAL;
  c.components = 1;
  c.count = e.size();
  c.stride = 1;
  c.data[0] = data_of(e);
  return c;
}

bool is_vector(const Entry& e) { return e.components == 3; }

corral_insitu_column vector_of(const ParticleSet& set, const Entry& x) {
  corral_insitu_column c = column_of(x, x.name);
  c.components = 3;
  for (int d = 1; d < 3; ++d) c.data[d] = set.find(x.name, d)->reals()->data();
  return c;
}

} // namespace

ShownPart all_of(const Grid& grid) {
  ShownPart part{.whole = grid};
  for (int d = 0; d < 3; ++d) part.own_end[static_cast<std::size_t>(d)] = grid.axis(d).cells;
  return part;
}

ShownPart part_of(run::Driver& own, const distributed::Team& team) {
  const distributed::SharedGrid* const shared = own.shared();
  ShownPart part = all_of(shared ? shared->whole() : own.grid());
  part.sets = team.rank() == 0;
  for (int d = 0; shared && d < 3; ++d) {
    const auto e = static_cast<std::size_t>(d);
    part.first[e] = shared->first(d);
    part.own_begin[e] = shared->own_begin(d);
    part.own_end[e] = shared->own_end(d);
  }
  if (shared) return part;
  for (const run::Entry& e : own.registry().entries())
    if (e.known && e.kind == run::Kind::field && e.staggering == Staggering::centre) {
      const std::int64_t plane = e.extents[0] * e.extents[1];
      part.own_begin[2] = e.known->begin / plane;
      part.own_end[2] = e.known->end / plane;
      return part;
    }
  const auto longest = static_cast<std::size_t>(std::max_element(part.own_end.begin(), part.own_end.end()) - part.own_end.begin());
  const std::size_t axis = part.own_end[2] >= team.size() ? 2 : longest;
  const std::int64_t planes = part.own_end[axis];
  part.own_begin[axis] = planes * team.rank() / team.size();
  part.own_end[axis] = planes * (team.rank() + 1) / team.size();
  return part;
}

BorrowedState::BorrowedState(const run::Registry& registry, const run::Clock& clock, const ShownPart& part) {
  state_.size = sizeof state_;
  state_.time = clock.time();
  state_.step = clock.step();
  corral_insitu_mesh& mesh = state_.mesh;
  mesh.name = mesh_name;
  for (int d = 0; d < 3; ++d) {
    const auto e = static_cast<std::size_t>(d);
    const Axis& whole = part.whole.axis(d);
    mesh.cells[d] = registry.grid().axis(d).cells;
    mesh.whole[d] = whole.cells;
    mesh.first[d] = part.first[e];
    mesh.own_begin[d] = part.own_begin[e];
    mesh.own_end[d] = part.own_end[e];
    mesh.origin[d] = whole.origin;
    mesh.spacing[d] = whole.spacing;
  }
  borrow_fields(registry);
  mesh.field_count = static_cast<std::int64_t>(fields_.size());
  mesh.fields = fields_.data();
  for (const ParticleSet& set : registry.sets()) borrow_set(set, part.sets || set.shared());
  state_.set_count = static_cast<std::int64_t>(sets_.size());
  state_.sets = sets_.data();
}

/// Viewers know scalars and vectors: of another number of components each is shown by itself.
const std::string& BorrowedState::name_of(const Entry& e) {
  return is_vector(e) ? e.name : names_.emplace_back(e.full_name());
}

void BorrowedState::borrow_fields(const run::Registry& registry) {
  for (const Entry& e : registry.entries()) {
    if (!has(e.use, run::Use::shown) || e.kind != run::Kind::field || (is_vector(e) && e.component > 0)) continue;
    corral_insitu_field f{};
    f.name = name_of(e).c_str();
    f.unit = e.unit.c_str();
    f.components = is_vector(e) ? 3 : 1;
    for (int c = 0; c < f.components; ++c) {
      const Entry& component = c == 0 ? e : *registry.find(e.name, c);
      f.staggering[c] = code_of(component.staggering);
      for (int d = 0; d < 3; ++d) f.points[c][d] = component.extents[d];
      f.data[c] = component.reals()->data();
    }
    fields_.push_back(f);
  }
}

void BorrowedState::borrow_set(const ParticleSet& set, bool particles) {
  const Entry* position = set.find("position", 0);
  if (!position) throw Error(set.name() + " have no vector column \"position\" (in situ they have no place)");
  corral_insitu_set s{};
  s.name = set.name().c_str();
  s.count = set.size();
  s.position = vector_of(set, *position);
  auto& columns = columns_.emplace_back();
  for (const Entry* e : set.columns()) {
    if (!has(e->use, run::Use::shown) || e->name == position->name || (is_vector(*e) && e->component > 0)) continue;
    columns.push_back(is_vector(*e) ? vector_of(set, *e) : column_of(*e, name_of(*e)));
  }
  s.column_count = static_cast<std::int64_t>(columns.size());
  s.columns = columns.data();
  if (const Entry* triangles = set.triangles()) {
    s.triangle_count = triangles->size() / triangles->corners;
    s.triangles = triangles->integers()->data();
    auto& on_triangles = columns_.emplace_back();
    for (const Entry* e : set.on_triangles())
      if (has(e->use, run::Use::shown)) on_triangles.push_back(column_of(*e, e->name));
    s.on_triangles_count = static_cast<std::int64_t>(on_triangles.size());
    s.on_triangles = on_triangles.data();
  }
  if (!particles) { // the same columns, of none
    s.count = s.position.count = s.triangle_count = 0;
    for (corral_insitu_column& column : columns) column.count = 0;
    if (s.triangles)
      for (corral_insitu_column& column : columns_.back()) column.count = 0;
  }
  sets_.push_back(s);
}

} // namespace corral::app

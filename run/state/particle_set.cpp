#include "run/state/particle_set.t.hpp"

#include "run/state/registry.hpp"

#include <utility>

namespace corral::run {

ParticleSet::ParticleSet(Registry& registry, ParticleKind kind)
    : registry_(registry), kind_(std::move(kind)), real_copy_(registry.memory()), id_copy_(registry.memory()),
      integer_copy_(registry.memory()), kept_(registry.memory()) {}

Entry ParticleSet::entry(std::string name, std::string unit, std::string meaning, Use use) {
  return {.name = std::move(name), .unit = std::move(unit), .meaning = std::move(meaning), .kind = Kind::column,
          .use = use, .set = this};
}

Array<double>& ParticleSet::declare_column(std::string name, std::string unit, std::string meaning, Use use) {
  return registry_.own_reals(entry(std::move(name), std::move(unit), std::move(meaning), use), size_);
}

Columns ParticleSet::declare_columns(const std::string& name, const std::string& unit, const std::string& meaning,
                                     int components, Use use) {
  Columns all;
  for (int c = 0; c < components; ++c) {
    Entry e = entry(name, unit, meaning, use);
    e.components = components;
    e.component = c;
    all.push_back(&registry_.own_reals(std::move(e), size_));
  }
  return all;
}

Components ParticleSet::declare_vector_column(const std::string& name, const std::string& unit,
                                              const std::string& meaning, Use use) {
  const Columns columns = declare_columns(name, unit, meaning, 3, use);
  return {columns[0], columns[1], columns[2]};
}

Array<std::uint64_t>& ParticleSet::declare_ids(std::string name, std::string meaning, Use use) {
  Array<std::uint64_t>& values = registry_.ids_.emplace_back(registry_.memory());
  Entry e = entry(std::move(name), "", std::move(meaning), use);
  e.value = &values;
  values.resize(size_, 0);
  registry_.declare(std::move(e));
  return values;
}

Array<std::int32_t>& ParticleSet::own_integers(Entry e, std::int64_t count) {
  Array<std::int32_t>& values = registry_.integers_.emplace_back(registry_.memory());
  e.value = &values;
  values.resize(count, 0);
  registry_.declare(std::move(e));
  return values;
}

Array<std::int32_t>& ParticleSet::declare_integers(std::string name, std::string meaning, Use use) {
  return own_integers(entry(std::move(name), "", std::move(meaning), use), size_);
}

Array<std::int32_t>& ParticleSet::declare_connectivity(std::string name, std::string meaning, int corners, Use use) {
  if (!keeps_order())
    throw Error("connectivity " + name + " of " + this->name() +
                " (the set is reordered, and places in it change) say that it keeps its order");
  Entry e = entry(std::move(name), "", std::move(meaning), use);
  e.kind = Kind::connectivity;
  e.corners = corners;
  return own_integers(std::move(e), 0);
}

Array<double>& ParticleSet::declare_on_triangles(std::string name, std::string unit, std::string meaning, Use use) {
  const Entry* elements = triangles();
  if (!elements) throw Error(name + " on triangles of " + this->name() + " (the set has none) declare them first");
  Entry e = entry(std::move(name), std::move(unit), std::move(meaning), use);
  e.kind = Kind::on_triangles;
  return registry_.own_reals(std::move(e), elements->size() / elements->corners);
}

void ParticleSet::resize(std::int64_t count) {
  if (count < 0) throw Error(std::to_string(count) + " " + name() + " (a count is never negative)");
  for (const Entry* column : columns()) column->resize(count);
  size_ = count;
}

template void ParticleSet::reorder(Cpu, CellOrder<double>&);
template void ParticleSet::remove(Cpu, const Array<std::uint8_t>&);

std::vector<const Entry*> ParticleSet::entries_of(Kind kind) const {
  std::vector<const Entry*> found;
  for (const Entry& e : registry_.entries())
    if (e.set == this && e.kind == kind) found.push_back(&e);
  return found;
}

std::vector<const Entry*> ParticleSet::columns() const { return entries_of(Kind::column); }
std::vector<const Entry*> ParticleSet::on_triangles() const { return entries_of(Kind::on_triangles); }

const Entry* ParticleSet::find(std::string_view name, int component) const {
  for (const Entry& e : registry_.entries())
    if (e.set == this && e.name == name && e.component == component) return &e;
  return nullptr;
}

const Array<std::uint64_t>* ParticleSet::ids() const {
  for (const Entry& e : registry_.entries())
    if (e.set == this && e.ids()) return e.ids();
  return nullptr;
}

const Entry* ParticleSet::elements(int corners) const {
  for (const Entry& e : registry_.entries())
    if (e.set == this && e.kind == Kind::connectivity && e.corners == corners) return &e;
  return nullptr;
}

} // namespace corral::run

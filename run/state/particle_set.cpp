#include "run/state/particle_set.hpp"

#include "run/state/registry.hpp"

#include <corral/error.hpp>

#include <utility>

namespace corral::run {

Entry ParticleSet::entry(std::string name, std::string unit, std::string meaning, Use use, int axis) {
  return {.name = std::move(name), .unit = std::move(unit), .meaning = std::move(meaning), .kind = Kind::column,
          .use = use, .axis = axis, .set = this};
}

Array<double>& ParticleSet::declare_column(std::string name, std::string unit, std::string meaning, Use use) {
  return registry_.own_reals(entry(std::move(name), std::move(unit), std::move(meaning), use, -1), size_);
}

Components ParticleSet::declare_vector_column(const std::string& name, const std::string& unit,
                                              const std::string& meaning, Use use) {
  Components components{};
  for (int d = 0; d < 3; ++d)
    components[static_cast<std::size_t>(d)] = &registry_.own_reals(entry(name, unit, meaning, use, d), size_);
  return components;
}

Array<std::uint64_t>& ParticleSet::declare_ids(std::string name, std::string meaning, Use use) {
  Array<std::uint64_t>& values = registry_.ids_.emplace_back(registry_.memory());
  Entry e = entry(std::move(name), "", std::move(meaning), use, -1);
  e.value = &values;
  values.resize(size_, 0);
  registry_.declare(std::move(e));
  return values;
}

Array<std::int32_t>& ParticleSet::declare_connectivity(std::string name, std::string meaning, int corners, Use use) {
  if (!keeps_order())
    throw Error("connectivity " + name + " of " + this->name() +
                " (the set is reordered, and places in it change) say that it keeps its order");
  Array<std::int32_t>& values = registry_.places_.emplace_back(registry_.memory());
  Entry e = entry(std::move(name), "", std::move(meaning), use, -1);
  e.kind = Kind::connectivity;
  e.corners = corners;
  e.value = &values;
  registry_.declare(std::move(e));
  return values;
}

void ParticleSet::resize(std::int64_t count) {
  if (count < 0) throw Error(std::to_string(count) + " " + name() + " (a count is never negative)");
  for (const Entry* column : columns()) column->resize(count);
  size_ = count;
}

void ParticleSet::reorder(Cpu cpu, CellOrder<double>& order) {
  if (keeps_order()) throw Error(name() + " are not reordered (they keep their order)");
  const auto bring_into = [&](auto& column, auto& copy) {
    copy.resize(column.size());
    order.gather(cpu, column.data(), copy.data());
    column.swap(copy);
  };
  for (const Entry* column : columns()) {
    if (auto* reals = column->reals()) bring_into(*reals, real_copy_);
    if (auto* ids = column->ids()) bring_into(*ids, id_copy_);
  }
  order.forget_permutation();
}

void ParticleSet::remove(Cpu, const Array<std::uint8_t>& gone) {
  if (keeps_order()) throw Error("none of the " + name() + " can be removed (they keep their order)");
  std::int64_t kept = 0;
  const auto compact = [&](auto& column) {
    kept = 0;
    for (std::int64_t i = 0; i < column.size(); ++i)
      if (!gone[i]) column[kept++] = column[i];
  };
  for (const Entry* column : columns()) {
    if (auto* reals = column->reals()) compact(*reals);
    if (auto* ids = column->ids()) compact(*ids);
  }
  resize(kept);
}

std::vector<const Entry*> ParticleSet::columns() const {
  std::vector<const Entry*> found;
  for (const Entry& e : registry_.entries())
    if (e.set == this && e.kind == Kind::column) found.push_back(&e);
  return found;
}

const Entry* ParticleSet::find(std::string_view name, int axis) const {
  for (const Entry& e : registry_.entries())
    if (e.set == this && e.name == name && e.axis == axis) return &e;
  return nullptr;
}

const Array<std::uint64_t>* ParticleSet::ids() const {
  for (const Entry& e : registry_.entries())
    if (e.set == this && e.ids()) return e.ids();
  return nullptr;
}

const Entry* ParticleSet::triangles() const {
  for (const Entry& e : registry_.entries())
    if (e.set == this && e.kind == Kind::connectivity && e.corners == 3) return &e;
  return nullptr;
}

} // namespace corral::run

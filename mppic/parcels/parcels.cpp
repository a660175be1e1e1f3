#include "mppic/parcels/parcels.hpp"

namespace corral::mppic {

namespace {
constexpr run::Use state = run::Use::saved | run::Use::shown | run::Use::reordered;
} // namespace

Parcels::Parcels(run::Registry& r)
    : registry(r), position(r.declare_vector_column("position", "m", "where the parcel is", state)),
      velocity(r.declare_vector_column("velocity", "m/s", "of the parcel", state)),
      volume(r.declare_column("volume", "m3", "of all particles that the parcel stands for", state)),
      diameter(r.declare_column("diameter", "m", "of its particles", state)),
      drag(r.declare_column("drag_rate", "1/s", "drag over mass and slip velocity", state)),
      id(r.declare_id_column("id", "permanent number of the parcel", state)) {}

Positions<double> Parcels::positions() const {
  return corral::positions(position[0]->data(), position[1]->data(), position[2]->data(), size());
}

void Parcels::reorder(Cpu cpu, CellOrder<double>& order) {
  const auto bring_into = [&](auto& column, auto& copy) {
    copy.resize(column.size());
    order.gather(cpu, column.data(), copy.data());
    column.swap(copy);
  };
  for (run::Entry& entry : registry.entries()) {
    if (!has(entry.use, run::Use::reordered)) continue;
    if (auto* reals = entry.reals()) bring_into(*reals, real_copy_);
    if (auto* ids = entry.ids()) bring_into(*ids, id_copy_);
  }
  order.forget_permutation();
}

void Parcels::remove(Cpu, const Array<std::uint8_t>& gone) {
  std::int64_t kept = 0;
  const auto compact = [&](auto& column) {
    kept = 0;
    for (std::int64_t i = 0; i < column.size(); ++i)
      if (!gone[i]) column[kept++] = column[i];
  };
  for (run::Entry& entry : registry.entries()) {
    if (entry.kind != run::Kind::parcel_column) continue;
    if (auto* reals = entry.reals()) compact(*reals);
    if (auto* ids = entry.ids()) compact(*ids);
  }
  registry.set_parcel_count(kept);
}

} // namespace corral::mppic

#include "mppic/parcels/inflow.hpp"

#include <algorithm>
#include <numbers>

namespace corral::mppic {

Inflow::Inflow(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, run::Books& books)
    : domain_(domain), setup_(setup), random_(setup.random_seed) {
  for (const SolidsInlet& model : setup.solids_inlets) {
    double& saved_up = registry.declare_real("saved_up_" + model.inlet.name, "kg",
                                               "solids that no parcel of the inlet carries yet", run::Use::saved);
    inlets_.push_back({model, &saved_up, &books.add_cause("packed_" + model.inlet.name), model.parcel_volume()});
  }
}

double Inflow::Inlet::parcel_volume(double diameter) const {
  if (model.sizes.weighting() == Weighting::mass) return mean_volume;
  return model.particles_per_parcel * std::numbers::pi / 6 * diameter * diameter * diameter;
}

std::vector<fluid::FaceValue> Inflow::fluxes() const {
  std::vector<fluid::FaceValue> fluxes;
  for (const Inlet& inlet : inlets_) {
    const int d = inlet.model.inlet.side / 2;
    const bool high = inlet.model.inlet.side % 2 == 1;
    const double flux = inlet.rate(domain_.time()) / (setup_.solids.density(inlet.model.solid) * fluid::area(inlet.model.inlet));
    fluid::for_each_face_of_side(domain_.grid(), inlet.model.inlet.side, [&](const fluid::Face& f) {
      const double share = domain_.inlet_share(inlet.model.inlet, f.place);
      if (share > 0) fluxes.push_back({d, f.index, (high ? -share : share) * flux});
    });
  }
  return fluxes;
}

bool Inflow::varies() const {
  return std::any_of(inlets_.begin(), inlets_.end(), [](const Inlet& inlet) { return inlet.model.schedule.varies(); });
}

ColumnsOfNewcomers::ColumnsOfNewcomers(Parcels& parcels)
    : diameter(parcels.diameter.data()), volume(parcels.volume.data()),
      temperature(parcels.temperature ? parcels.temperature->data() : nullptr), id(parcels.id.data()),
      solid(parcels.solid ? parcels.solid->data() : nullptr) {
  for (std::size_t d = 0; d < 3; ++d) {
    position[d] = parcels.position[d]->data();
    velocity[d] = parcels.velocity[d]->data();
  }
}

void Inflow::draw(double dt, std::int64_t step, run::Books& books) {
  newcomers_.clear();
  for (std::size_t k = 0; k < inlets_.size(); ++k) {
    const Inlet& inlet = inlets_[k];
    *inlet.saved_up += inlet.rate(domain_.time()) * dt;
    for (;;) {
      const auto id = static_cast<std::uint64_t>(books.created());
      const double d = inlet.model.sizes.sample(random_.uniform_open(run::Purpose::size, 0, id));
      const double volume = inlet.parcel_volume(d), mass = volume * setup_.solids.density(inlet.model.solid);
      if (*inlet.saved_up < mass) break;
      *inlet.saved_up -= mass;
      ++books.created();
      Newcomer& n = newcomers_.emplace_back(place(inlet, dt, step, id));
      n.diameter = d;
      n.volume = volume;
      n.inlet = static_cast<std::int32_t>(k);
    }
  }
}

Newcomer Inflow::place(const Inlet& inlet, double dt, std::int64_t step, std::uint64_t id) const {
  const int normal = inlet.model.inlet.side / 2;
  const bool high = inlet.model.inlet.side % 2 == 1;
  Newcomer n{};
  std::int64_t stride = 1;
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = domain_.grid().axis(d);
    const double share = random_.uniform(run::Purpose::position, step, id, d);
    if (d == normal) {
      const double depth = std::min(share * inlet.model.velocity * dt, 0.5 * axis.length());
      n.position[d] = high ? axis.origin + axis.length() - depth : axis.origin + depth;
    } else {
      const auto& region = inlet.model.inlet.region;
      n.position[d] = region.low[d] + share * (region.high[d] - region.low[d]);
    }
    n.velocity[d] = d != normal ? inlet.model.tangential[d] : high ? -inlet.model.velocity : inlet.model.velocity;
    const auto along = static_cast<std::int64_t>(axis.index(n.position[d]));
    n.cell += stride * std::clamp<std::int64_t>(along, 0, axis.cells - 1);
    stride *= axis.cells;
  }
  n.temperature = inlet.model.temperature;
  n.id = id;
  n.solid = inlet.model.solid;
  return n;
}

void Inflow::count(const std::uint8_t* has_room, bool warm, SolidBooks& solid_books) {
  heat_ = {};
  std::size_t kept = 0;
  for (std::size_t k = 0; k < newcomers_.size(); ++k) {
    const Newcomer& n = newcomers_[k];
    const Inlet& inlet = inlets_[static_cast<std::size_t>(n.inlet)];
    const double mass = n.volume * setup_.solids.density(n.solid);
    solid_books.create(n.solid, 1, mass);
    if (!has_room[k]) {
      ++*inlet.rejected;
      solid_books.reject(n.solid, mass);
      continue;
    }
    if (warm) heat_[inlet.model.inlet.side] += setup_.heat.capacity(n.solid) * n.volume * n.temperature;
    newcomers_[kept++] = n;
  }
  newcomers_.resize(kept);
}

void Inflow::add_parcels(Cpu, double dt, std::int64_t step, const Flow& flow, Parcels& parcels, run::Books& books,
                         SolidBooks& solid_books) {
  draw(dt, step, books);
  has_room_here_.clear();
  for (const Newcomer& n : newcomers_)
    has_room_here_.push_back(!(flow.solids_fraction[n.cell] >= setup_.solids.stress.theta_cp));
  count(has_room_here_.data(), parcels.temperature != nullptr, solid_books);
  if (!parcels.ranks.takes_newcomers()) return;
  std::int64_t i = parcels.size();
  parcels.set.resize(i + static_cast<std::int64_t>(newcomers_.size()));
  const ColumnsOfNewcomers columns(parcels);
  for (const Newcomer& n : newcomers_) columns.write(i++, n);
}

} // namespace corral::mppic

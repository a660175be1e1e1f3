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

fluid::FaceArrays Inflow::fluxes() const {
  fluid::FaceArrays fluxes = fluid::make_face_arrays(domain_.grid());
  for (const Inlet& inlet : inlets_) {
    const int d = inlet.model.inlet.side / 2;
    const bool high = inlet.model.inlet.side % 2 == 1;
    const double flux = inlet.rate(domain_.time()) / (setup_.solids.density(inlet.model.solid) * fluid::area(inlet.model.inlet));
    Array<double>& on_faces = fluxes[d];
    fluid::for_each_face(Cpu{}, domain_.grid(), d, [&](const fluid::Face& f) {
      if (!f.boundary() || (f.above < 0) != high) return;
      const double share = domain_.inlet_share(inlet.model.inlet, f.place);
      if (share > 0) on_faces[f.index] = (high ? -share : share) * flux;
    });
  }
  return fluxes;
}

bool Inflow::varies() const {
  return std::any_of(inlets_.begin(), inlets_.end(), [](const Inlet& inlet) { return inlet.model.schedule.varies(); });
}

void Inflow::add_parcels(double dt, std::int64_t step, const Flow& flow, Parcels& parcels, run::Books& books,
                         SolidBooks& solid_books) {
  newcomers_.clear();
  heat_ = {};
  for (const Inlet& inlet : inlets_) {
    *inlet.saved_up += inlet.rate(domain_.time()) * dt;
    for (;;) {
      const auto id = static_cast<std::uint64_t>(books.created());
      const double d = inlet.model.sizes.sample(random_.uniform_open(run::Purpose::size, 0, id));
      const double volume = inlet.parcel_volume(d), mass = volume * setup_.solids.density(inlet.model.solid);
      if (*inlet.saved_up < mass) break;
      *inlet.saved_up -= mass;
      solid_books.create(inlet.model.solid, 1, mass);
      const auto newcomer = add(inlet, d, volume, dt, step, flow, books);
      if (!newcomer) {
        solid_books.reject(inlet.model.solid, mass);
        continue;
      }
      newcomers_.push_back(*newcomer);
      if (parcels.temperature)
        heat_[inlet.model.inlet.side] +=
            setup_.heat.capacity(inlet.model.solid) * newcomer->volume * newcomer->temperature;
    }
  }
  std::int64_t i = parcels.size();
  parcels.set.resize(i + static_cast<std::int64_t>(newcomers_.size()));
  for (const Newcomer& n : newcomers_) {
    for (std::size_t d = 0; d < 3; ++d) {
      (*parcels.position[d])[i] = n.position[d];
      (*parcels.velocity[d])[i] = n.velocity[d];
    }
    parcels.diameter[i] = n.diameter;
    parcels.volume[i] = n.volume;
    if (parcels.solid) (*parcels.solid)[i] = n.solid;
    if (parcels.temperature) (*parcels.temperature)[i] = n.temperature;
    parcels.id[i++] = n.id;
  }
}

std::optional<Inflow::Newcomer> Inflow::add(const Inlet& inlet, double diameter, double volume, double dt,
                                            std::int64_t step, const Flow& flow, run::Books& books) const {
  const auto id = static_cast<std::uint64_t>(books.created()++);
  const int normal = inlet.model.inlet.side / 2;
  const bool high = inlet.model.inlet.side % 2 == 1;
  std::array<double, 3> x{}, u = inlet.model.tangential;
  std::int64_t cell = 0, stride = 1;
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = domain_.grid().axis(d);
    const double share = random_.uniform(run::Purpose::position, step, id, d);
    if (d == normal) {
      const double depth = std::min(share * inlet.model.velocity * dt, 0.5 * axis.length());
      x[d] = high ? axis.origin + axis.length() - depth : axis.origin + depth;
    } else {
      const auto& region = inlet.model.inlet.region;
      x[d] = region.low[d] + share * (region.high[d] - region.low[d]);
    }
    const auto place = static_cast<std::int64_t>(axis.index(x[d]));
    cell += stride * std::clamp<std::int64_t>(place, 0, axis.cells - 1);
    stride *= axis.cells;
  }
  if (flow.solids_fraction[cell] >= setup_.solids.stress.theta_cp) {
    ++*inlet.rejected;
    return std::nullopt;
  }
  u[normal] = high ? -inlet.model.velocity : inlet.model.velocity;
  return Newcomer{x, u, diameter, volume, inlet.model.temperature, id, inlet.model.solid};
}

} // namespace corral::mppic

#include "mppic/start.hpp"

#include "run/random.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cstdint>
#include <numbers>

namespace corral::mppic {

void seed_parcels(Cpu cpu, const Setup& setup, const Grid& grid, run::Books& books, SolidBooks& solid_books,
                  Parcels& parcels) {
  const run::Random random(setup.random_seed);
  for (const Seed& s : setup.seeds) {
    const Seeds seeds = seed(cpu, grid, s.seeding, s.sizes, random, static_cast<std::uint64_t>(books.created()));
    const std::int64_t first = parcels.size();
    parcels.set.resize(first + seeds.size());
    for_each(cpu, seeds.size(), [&](std::int64_t k) {
      const std::int64_t i = first + k;
      const double d = seeds.diameter[k];
      for (std::size_t e = 0; e < 3; ++e) {
        (*parcels.position[e])[i] = seeds.position[e][k];
        (*parcels.velocity[e])[i] = s.velocity[e];
      }
      parcels.diameter[i] = d;
      parcels.volume[i] = seeds.weight[k] * std::numbers::pi / 6 * d * d * d;
      if (parcels.solid) (*parcels.solid)[i] = s.solid;
      if (parcels.temperature) (*parcels.temperature)[i] = s.temperature;
      parcels.id[i] = static_cast<std::uint64_t>(books.created() + k);
    });
    books.created() += seeds.size();
    solid_books.create(s.solid, seeds.size(), setup.solids.density(s.solid) * sum(cpu, seeds.size(), [&](std::int64_t k) {
                         return parcels.volume[first + k];
                       }));
  }
}

void start_gas(Cpu cpu, const Setup& setup, const fluid::Domain& domain, const FaceSums& sums, Flow& flow) {
  for (int d = 0; d < 3; ++d) {
    Array<double>& u = *flow.gas_velocity[d];
    for_each(cpu, u.size(), [&](std::int64_t f) {
      const double theta = sums.theta[d][f], eps = std::max(1 - theta, 0.05);
      const bool fixed = setup.gas.solved && domain.kind(d, f) == fluid::FaceKind::fixed;
      u[f] = fixed                     ? domain.given_velocity(d, f) / eps
             : setup.gas.counterflow ? -sums.U[d][f] / eps
                                      : setup.gas.velocity[d];
    });
  }
}

} // namespace corral::mppic

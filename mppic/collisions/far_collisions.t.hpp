#pragma once

/// The loops of far_collisions.hpp, for either processor.

#include "mppic/collisions/far_collisions.hpp"
#include "mppic/gas/gathering.hpp"

#include <corral/for_each.hpp>
#include <corral/vector_loops.hpp>

namespace corral::mppic {

template <Execution E>
void FarCollisions::advance(E execution, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums,
                            const Flow& flow) {
  const std::int64_t n = parcels.size();
  Gathering gathering(domain_.grid(), n);
  for (std::size_t d = 0; d < 3; ++d) gathering.add(sums.mean_velocity[d], Staggering::centre, mean_at_[d]);
  gathering.add(sums.sauter_radius, Staggering::centre, radius_at_);
  gathering.run(execution, order);
  first_of_.resize(n);
  second_of_.resize(n);

  const std::array<double*, 3> velocity = run::pointers(parcels.velocity);
  const fluid::ConstFacePointers mean = fluid::pointers(mean_at_);
  const double *volume = parcels.volume.data(), *diameter = parcels.diameter.data(), *radius = radius_at_.data();
  double *first_of = first_of_.data(), *second_of = second_of_.data();
  for_each_in_vectors(execution, n, [=] CORRAL_BODY(std::int64_t i) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += (velocity[d][i] - mean[d][i]) * (velocity[d][i] - mean[d][i]);
    const double r = 0.5 * diameter[i], g = CollisionRates::approach(r, radius[i], std::sqrt(square));
    first_of[i] = volume[i] / (r * r * r) * g; // n_p nu_p but for a factor that nu does not know
    second_of[i] = first_of[i] * g;
  });
  const BoxTerm terms[] = {{first_of, first_.data()}, {second_of, f_.data()}};
  spread_to_boxes(execution, order, parcels.places(), terms);

  const double *theta = flow.solids_fraction.data(), *r32 = sums.sauter_radius.data(), *first = first_.data();
  double* f = f_.data();
  for_each(execution, f_.size(), [=] CORRAL_BODY(std::int64_t c) {
    f[c] = first[c] > 0 && r32[c] > 0 ? theta[c] / (r32[c] * r32[c] * r32[c]) * (f[c] / first[c]) : 0;
  });
}

} // namespace corral::mppic

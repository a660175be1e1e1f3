#pragma once

/// The loops of blending.hpp, for either processor.

#include "mppic/collisions/blending.hpp"
#include "mppic/contact/blending.hpp"
#include "mppic/gas/gathering.hpp"
#include "mppic/parcels/move.t.hpp"

#include <corral/for_each.hpp>

namespace corral::mppic {

/// m and m d_p; d_p without the push of contact that is withheld from it, where there is any.
template <bool withheld> struct ImpulseToShare {
  MoveModel m;
  MoveColumns c;
  double* mass;
  fluid::FacePointers impulse;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const ParcelStep step(m, c, i, c.rho(m, i));
    mass[i] = step.mass;
    for (int d = 0; d < 3; ++d) {
      double given = step.tentative(m, c, d, i) - c.velocity[d][i];
      if constexpr (withheld) given -= step.withheld(m, c, d, i);
      impulse[static_cast<std::size_t>(d)][i] = step.mass * given;
    }
  }
};

template <Execution E>
void Blending::advance(E execution, const CellOrder<double>& order, const Parcels& parcels, const Boxes& boxes,
                       const MoveModel& model, const MoveColumns& columns, const Flow& flow) {
  const std::int64_t n = parcels.size();
  mass_of_.resize(n);
  for (Array<double>& column : impulse_of_) column.resize(n);
  double* mass_of = mass_of_.data();
  const fluid::FacePointers impulse_of = fluid::writable_pointers(impulse_of_);
  if (columns.withheld[0]) for_each_in_vectors(execution, n, ImpulseToShare<true>{model, columns, mass_of, impulse_of});
  else for_each_in_vectors(execution, n, ImpulseToShare<false>{model, columns, mass_of, impulse_of});
  boxes.spread(execution, order, parcels.places(),
               {{mass_of, mass_.data()},
                {impulse_of[0], common_[0].data()},
                {impulse_of[1], common_[1].data()},
                {impulse_of[2], common_[2].data()}});

  const double *theta = flow.solids_fraction.data(), *mass = mass_.data(), theta_cp = theta_cp_;
  double* share = share_.data();
  const fluid::FacePointers common = fluid::writable_pointers(common_);
  for_each(execution, share_.size(), [=] CORRAL_HOST_DEVICE(std::int64_t cell) {
    share[cell] = mass[cell] > 0 ? common_share(theta[cell], theta_cp) : 0;
    const double factor = share[cell] > 0 ? share[cell] / mass[cell] : 0;
    for (double* field : common) field[cell] *= factor;
  });
  Gathering gathering(domain_.grid(), n);
  gathering.add(share_, Staggering::centre, share_at_);
  for (std::size_t d = 0; d < 3; ++d) gathering.add(common_[d], Staggering::centre, common_at_[d]);
  gathering.run(execution, order);
}

} // namespace corral::mppic

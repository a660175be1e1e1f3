#pragma once

/// The loops of blending.hpp, for either processor.

#include "mppic/collisions/blending.hpp"
#include "mppic/contact/blending.hpp"
#include "mppic/gas/gathering.hpp"
#include "mppic/parcels/move.t.hpp"

#include <corral/for_each.hpp>

namespace corral::mppic {

/// m d_p; d_p without the push of contact that is withheld from it, where there is any.
template <bool withheld> struct ImpulseToShare {
  MoveModel m;
  MoveColumns c;
  fluid::FacePointers impulse;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const ParcelStep step(m, c, i, c.rho(m, i));
    for (int d = 0; d < 3; ++d) {
      double given = step.tentative(m, c, d, i) - c.velocity[d][i];
      if constexpr (withheld) given -= step.withheld(m, c, d, i);
      impulse[static_cast<std::size_t>(d)][i] = step.mass * given;
    }
  }
};

template <Execution E>
void Blending::advance(E execution, const CellOrder<double>& order, const Parcels& parcels,
                       const FaceSums& sums, const MoveModel& model, const MoveColumns& columns, const Flow& flow) {
  const std::int64_t n = parcels.size();
  for (Array<double>& column : impulse_of_) column.resize(n);
  const fluid::FacePointers impulse_of = fluid::writable_pointers(impulse_of_);
  if (columns.withheld[0]) for_each_in_vectors(execution, n, ImpulseToShare<true>{model, columns, impulse_of});
  else for_each_in_vectors(execution, n, ImpulseToShare<false>{model, columns, impulse_of});
  sums.boxes().spread(execution, order, parcels.places(),
                      {{impulse_of[0], common_[0].data()},
                       {impulse_of[1], common_[1].data()},
                       {impulse_of[2], common_[2].data()}});

  const SumsView spread = sums.view();
  const double *theta = flow.solids_fraction.data(), theta_cp = theta_cp_;
  const double solids_mass = model.rho_p * spread.grid.cell_volume(); // of a cell full of them, but for its relative density
  double* share = share_.data();
  const fluid::FacePointers common = fluid::writable_pointers(common_);
  for_each(execution, share_.size(), [=] CORRAL_HOST_DEVICE(std::int64_t cell) {
    share[cell] = common_share(theta[cell], theta_cp); // 0 where there are few
    const double factor = share[cell] > 0 ? share[cell] / (theta[cell] * spread.density(cell) * solids_mass) : 0;
    for (double* field : common) field[cell] *= factor;
  });
  Gathering gathering(domain_.grid(), n);
  gathering.add(share_, Staggering::centre, share_at_);
  for (std::size_t d = 0; d < 3; ++d) gathering.add(common_[d], Staggering::centre, common_at_[d]);
  gathering.run(execution, order);
}

} // namespace corral::mppic

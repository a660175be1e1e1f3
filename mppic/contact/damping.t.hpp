#pragma once

/// The loops of damping.hpp, for either processor.

#include "mppic/contact/damping.hpp"

#include <corral/for_each.hpp>

namespace corral::mppic {

template <Execution E>
void Damping::advance(E execution, const FaceSums& face_sums, double dt, const Flow& state,
                      const Array<double>* frequency) {
  const SumsView sums = face_sums.view();
  const FlowView flow = state.view();
  const DampingRates rates = rates_;
  const bool inelastic = collisions_;
  const double* f = frequency ? frequency->data() : nullptr;
  give_back();
  scratch_.fields.take_cells(sums.grid, a_);
  scratch_.fields.take_cells(sums.grid, a_mean_);
  if (audited_) scratch_.fields.take_cells(sums.grid, friction_share_);
  double *a = a_.data(), *friction_share = friction_share_.data();
  const std::array<double*, 3> a_mean = fluid::writable_pointers(a_mean_);
  fluid::for_each_cell(execution, sums.grid, scratch_.planes(), [=] CORRAL_BODY(const fluid::Cell& cell) {
    const std::int64_t c = cell.index;
    const double theta = flow.solids_fraction[c];
    a[c] = 0;
    double share = 0;
    if (sums.sauter_radius[c] > 0) {
      double collisions = 0;
      if (inelastic) {
        const double e = sums.restitution ? sums.restitution[c] : rates.restitution;
        collisions = dt * (f ? rates.collision_far(e, theta, f[c])
                             : rates.collision(e, theta, sums.fluctuation(cell), sums.sauter_radius[c]));
      }
      const double friction = dt * rates.friction(theta, flow.contact_pressure[c], sums.shear(cell), sums.density(c));
      const double x = collisions + friction;
      a[c] = x / (2 + x);
      share = x > 0 ? friction / x : 0;
    }
    if (friction_share) friction_share[c] = share;
    for (std::size_t d = 0; d < 3; ++d) a_mean[d][c] = a[c] * sums.mean_velocity[d][c];
  });
  for (Array<double>* values : {&a_, &a_mean_[0], &a_mean_[1], &a_mean_[2]})
    fluid::deliver_cells(sums.grid, scratch_.planes(), scratch_.planes_of_parcels, *values);
  if (audited_) fluid::deliver_cells(sums.grid, scratch_.planes(), scratch_.planes_of_parcels, friction_share_);
}

template <Execution E>
void Damping::friction_part(E execution, const FaceSums& sums, Array<double>& a, std::array<Array<double>, 3>& a_mean) const {
  a.resize(a_.size());
  for (Array<double>& mean : a_mean) mean.resize(a_.size());
  const double *all = a_.data(), *share = friction_share_.data();
  const fluid::ConstFacePointers mean = fluid::pointers(sums.mean_velocity);
  double* of_friction = a.data();
  const fluid::FacePointers of_friction_mean = fluid::writable_pointers(a_mean);
  for_each(execution, a_.size(), [=] CORRAL_BODY(std::int64_t c) {
    of_friction[c] = all[c] * share[c];
    for (std::size_t d = 0; d < 3; ++d) of_friction_mean[d][c] = of_friction[c] * mean[d][c];
  });
}

} // namespace corral::mppic

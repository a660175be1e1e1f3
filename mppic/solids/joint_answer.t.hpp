#pragma once

/// The loops of joint_answer.hpp, for either processor.

#include "mppic/solids/joint_answer.hpp"

#include <corral/for_each.hpp>
#include <corral/vector_loops.hpp>

namespace corral::mppic {

struct JointColumns {
  double dt;
  const double *drag, *weight;
  std::array<double*, 3> velocity;
  double* dragged;
  fluid::FacePointers momentum;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const double w = weight[i];
    dragged[i] = dt * drag[i] * w;
    if (!momentum[0]) return;
    for (std::size_t d = 0; d < 3; ++d) momentum[d][i] = w * velocity[d][i];
  }
};

template <Execution E>
void JointAnswer::set_columns(E execution, const Parcels& parcels, const double* weights, double dt) {
  const std::int64_t n = parcels.size();
  for_each_in_vectors(execution, n,
                      JointColumns{dt, parcels.drag.data(), weights, run::pointers(parcels.velocity), dragged_.data(),
                                   Mu[0].empty() ? fluid::FacePointers{} : fluid::writable_pointers(momentum_)});
}

template <Execution E>
void JointAnswer::share(E execution, std::size_t d, const std::vector<fluid::OwnRange>& known, const JointView& view, const Sums& sums) {
  double *of_push = PJ[d].data(), *freely_of_push = NJ[d].data();
  fluid::for_each_point(execution, known, [=] CORRAL_BODY(std::int64_t f) {
    const double chi = view.chi(d, f), q = view.q(d, f), mean = view.mean(d, f), theta = view.theta[d][f];
    const double more = chi * (theta * q - sums.P[f]);
    sums.P[f] += more;
    sums.Q[f] += more * mean;
    if (!sums.N) return;
    const double share = view.share(d, f), more_by_mass = chi * (view.M[d][f] * q - sums.Pm[f]);
    sums.Pm[f] += more_by_mass;
    sums.Qm[f] += more_by_mass * mean;
    sums.N[f] += chi * (theta * (1 - q) * share - sums.N[f]);
    of_push[f] = sums.Pm[f] * share;
    freely_of_push[f] = (theta - sums.P[f]) * share;
  });
}

} // namespace corral::mppic

#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/step_scratch.hpp"

#include <corral/array.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace corral::mppic {

/// chi: which share of the particles of a place contacts make answer jointly (O'Rourke and Snider 2014). 0 where they are
/// loose, below .85 of close packing, 1 where they lie packed, beyond .95 of it; smooth between. The paper's own function is
/// not known here.
CORRAL_HOST_DEVICE inline double joint_share(double theta, double theta_cp) {
  const double t = std::clamp((theta / theta_cp - 0.85) / 0.1, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// What loops see of JointAnswer: a value, good while it lives. On faces, with the share chi that lies packed:
///   e_b = (1 - q_j) (dt g - e_G + e_j) + q_j (u' - u_j)
/// is what changes the velocity of all that are joint.
struct JointView {
  fluid::ConstFacePointers theta, M; ///< of SumsView
  fluid::ConstFacePointers B, Mu;    ///< null where nothing is joint
  double theta_cp;

  CORRAL_HOST_DEVICE double chi(std::size_t d, std::int64_t f) const {
    return M[d][f] > 0 ? joint_share(theta[d][f], theta_cp) : 0;
  }
  /// Of a force or push by volume what each mass gets, times rho.
  CORRAL_HOST_DEVICE double share(std::size_t d, std::int64_t f) const {
    return M[d][f] > 0 ? theta[d][f] / M[d][f] : 0;
  }
  /// q_j: how far drag takes hold in the step, of all together.
  CORRAL_HOST_DEVICE double q(std::size_t d, std::int64_t f) const {
    return M[d][f] > 0 ? B[d][f] / (M[d][f] + B[d][f]) : 0;
  }
  /// u_j: the velocity that they come with, the mean by mass [m/s].
  CORRAL_HOST_DEVICE double mean(std::size_t d, std::int64_t f) const { return M[d][f] > 0 ? Mu[d][f] / M[d][f] : 0; }
};

/// Packed solids whose accelerations are blended answer gas and contact together, as one body would: of what a face's parcels
/// get the share chi is common to them, with a drag, which is implicit, on what moves jointly. What is theirs alone is the
/// rest, and the drag on how each moves among the others (docs/models/solids.md, "Packed solids that answer jointly").
class JointAnswer {
public:
  JointAnswer(const Setup& setup, StepScratch& scratch)
      : scratch_(scratch), on_(setup.answers_jointly()), mixed_(on_ && setup.solids.densities_differ()),
        theta_cp_(setup.solids.stress.theta_cp) {}

  bool on() const { return on_; }
  void take_fields(const Grid& grid) {
    if (on_) scratch_.fields.take_faces(grid, B);
    if (!mixed_) return;
    for (fluid::FaceArrays* faces : {&Mu, &PJ, &NJ}) scratch_.fields.take_faces(grid, *faces);
  }
  void give_back_fields() { scratch_.fields.give_back(B, Mu, PJ, NJ); }
  void take_columns(const Parcels& parcels) {
    if (on_) scratch_.take_column(parcels, dragged_);
    for (Array<double>& column : momentum_)
      if (mixed_) scratch_.take_column(parcels, column);
  }
  void give_back_columns() { scratch_.columns.give_back(dragged_, momentum_); }
  /// Of the sums of all solids: `M` is theta and `Mu` U where they have one density.
  JointView view(const fluid::FaceArrays& theta, const fluid::FaceArrays& M, const fluid::FaceArrays& U) const {
    return {fluid::pointers(theta), fluid::pointers(M), fluid::pointers(B), fluid::pointers(Mu[0].empty() ? U : Mu), theta_cp_};
  }

  /// The columns that are spread to B and, of several densities, to Mu; `weights` are the parcels' V rho_p/rho.
  template <Execution E> void set_columns(E, const Parcels& parcels, const double* weights, double dt);
  const Array<double>& dragged() const { return dragged_; }
  const Array<double>& momentum(std::size_t d) const { return momentum_[d]; }

  /// Sums of a face that are each parcel's own; they become what own and joint answers are together. With one density those
  /// by mass are null.
  struct Sums {
    double *P, *Q, *Pm, *Qm, *N;
  };
  /// On these faces of axis d. With several densities it sets PJ and NJ, too.
  template <Execution E>
  void share(E, std::size_t d, const std::vector<fluid::OwnRange>& known, const JointView& view, const Sums& sums);

  fluid::FaceArrays B;      ///< dt <V rho_p D>/rho on faces [-]; empty where nothing is joint
  fluid::FaceArrays Mu;     ///< <V rho_p u>/rho on faces [m/s], of several densities
  fluid::FaceArrays PJ, NJ; ///< P and N of contact's push, which is common to all of a face, likewise

private:
  StepScratch& scratch_;
  bool on_, mixed_; ///< mixed: of several densities
  double theta_cp_;
  Array<double> dragged_;                 ///< columns of the parcels
  std::array<Array<double>, 3> momentum_;
};

} // namespace corral::mppic

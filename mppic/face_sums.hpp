#pragma once

#include "mppic/flow.hpp"
#include "mppic/parcels.hpp"
#include "mppic/setup.hpp"

#include <corral/cell_order.hpp>

#include <array>

namespace corral::mppic {

/// What one spread pass tells the grid about the parcels, per face direction d (O'Rourke and Snider's weights S,
/// trilinear): with V the parcels' volume, V_f the face's dual volume and q = dt D/(1 + dt D)
///   theta = sum S V/V_f, U = sum S V u_d/V_f, P = sum S V q/V_f, Q = sum S V q u_d/V_f,
/// and in cells theta_c = sum S V/V_c, which goes to the flow's solids_fraction.
/// Frozen parcels: q = dt D, and U = Q = 0.
class FaceSums {
public:
  FaceSums(const fluid::Domain& domain, const Setup& setup);

  /// One pass over the parcels in the order, which must be their storage order.
  void spread(Cpu, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow);
  int maps() const { return maps_; } ///< fields that the last pass spread

  /// 1/V_f [1/m3]: dual volumes are halved on the sides of the box.
  double inverse_volume(int d, std::int64_t face) const { return inverse_volume_[static_cast<std::size_t>(d)][face]; }

  fluid::FaceArrays theta, U, P, Q; ///< [-], [m/s], [-], [m/s]

private:
  const fluid::Domain& domain_;
  bool frozen_;
  int maps_ = 0;
  fluid::FaceArrays inverse_volume_;
  Array<double> vq_;
  std::array<Array<double>, 3> vu_, vqu_; ///< columns V u_d, V q u_d
};

} // namespace corral::mppic

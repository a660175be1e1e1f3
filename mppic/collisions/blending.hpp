#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/parcels.hpp"

#include <corral/cell_order.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

/// Blended acceleration (O'Rourke and Snider 2014): drag accelerates small particles more than large ones, pressure light
/// ones more than heavy ones, and packed they would sort themselves. Contacts share it: of what gravity, gas pressure and
/// drag change of a parcel's velocity in the step, d_p, the share chi is that of all parcels,
///   u_p <- u_p + sum_c S chi (dbar - d_p),   dbar = <m d_p>/<m>,
/// which keeps momentum for any chi. Contact's own push is a field that all parcels take alike.
class Blending {
public:
  Blending(const fluid::Domain& domain, const Setup& setup, Memory memory = Memory::host);

  /// Before velocities are advanced. The order must be the parcels' storage order.
  template <Execution E>
  void advance(E, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums,
               const MoveModel& model, const MoveColumns& columns, const Flow& flow);

  const Array<double>& share() const { return share_at_; }                ///< sum_c S chi, a column [-]
  const std::array<Array<double>, 3>& common() const { return common_at_; } ///< sum_c S chi dbar, columns [m/s]
  static constexpr int maps = 7;                                          ///< fields spread and interpolated
  std::int64_t bytes() const;

private:
  const fluid::Domain& domain_;
  double theta_cp_;
  Array<double> share_;                      ///< chi in cells [-]
  std::array<Array<double>, 3> common_;      ///< <m d_p> [kg m/s], then chi dbar [m/s] in cells
  Array<double> share_at_;                   ///< a column
  std::array<Array<double>, 3> impulse_of_, common_at_; ///< m d_p, chi dbar, columns
};

} // namespace corral::mppic

#pragma once

#include "mppic/collisions/rates.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/parcels/parcels.hpp"

#include <corral/cell_order.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

/// How often particles meet whose velocities are far from equilibrium, jets that cross for instance (O'Rourke and Snider
/// 2010): in cells
///   nu = sum n_p nu_p^2/sum n_p nu_p,   nu_p = theta_c/r_32^3 (d/2 + r_32)^2 |u_p - ubar|,
/// sums over parcels of n_p particles by the trilinear kernel, with ubar and r_32 interpolated to them. Two more passes.
/// Members call nu `f`.
class FarCollisions {
public:
  explicit FarCollisions(const fluid::Domain& domain, Memory memory = Memory::host);

  /// The order must be the parcels' storage order, and `sums` theirs.
  template <Execution E>
  void advance(E, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums, const Flow& flow);

  const Array<double>& frequency() const { return f_; } ///< nu [1/s]; 0 in empty cells
  static constexpr int maps = 6;                        ///< fields spread and interpolated
  std::int64_t bytes() const;

private:
  const fluid::Domain& domain_;
  Array<double> f_, first_;                         ///< in cells; the sums of n_p nu_p^2 and n_p nu_p on the way
  std::array<Array<double>, 3> mean_at_;            ///< ubar at the parcels [m/s]
  Array<double> radius_at_, first_of_, second_of_;  ///< r_32 at the parcels [m]; of each n_p nu_p, n_p nu_p^2 but for the cell's
};

} // namespace corral::mppic

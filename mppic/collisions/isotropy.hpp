#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/collisions/rates.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/parcels.hpp"
#include "run/random.hpp"

#include <corral/boxes.hpp>
#include <corral/cell_order.hpp>

#include <cstdint>

namespace corral::mppic {

/// Return to isotropy (O'Rourke and Snider 2012): collisions turn velocities about, and so share their fluctuations among
/// the directions. Within each group of the step's order, the parcels between eight cells' centres, a parcel is chosen
/// with probability 1 - exp(-dt/t_G), and its fluctuation about the smooth mean velocity becomes a normal one of the
/// group's temperature; then all fluctuations of the group are shifted and scaled by what gives it its momentum and
/// energy back, to round-off. Groups of fewer than three parcels are left alone. Random numbers are the parcel's own, of
/// its number and the step.
class Isotropy {
public:
  Isotropy(const fluid::Domain& domain, const Setup& setup, Memory memory = Memory::host);

  /// What was lost or gained for round-off, of the worst group.
  struct Report {
    double momentum = 0; ///< |change|/sum before and after, of mass times root mean square of the velocities [-]
    double energy = 0;   ///< |change|/sum before and after [-]
  };
  /// After velocities have been advanced; the slip of `motion` follows what it changes. The order must be the parcels'
  /// storage order.
  template <Execution E>
  Report advance(E, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums, const Flow& flow,
                 const Motion& motion, std::int64_t step);

  std::int64_t bytes() const { return momentum_.bytes() + energy_.bytes(); }

private:
  const fluid::Domain& domain_;
  CollisionRates rates_;
  bool far_;
  run::Random random_;
  Array<double> momentum_, energy_; ///< of the groups: what Report has the largest of
};

} // namespace corral::mppic

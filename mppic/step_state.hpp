#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/collisions/collisions.hpp"
#include "mppic/contact/contact.hpp"
#include "mppic/contact/damping.hpp"
#include "mppic/contact/displacement.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/gas.hpp"
#include "mppic/heat/heat.hpp"
#include "mppic/interpolation.hpp"
#include "mppic/output/audit.hpp"
#include "mppic/parcels/inflow.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/parcels.hpp"
#include "mppic/parcels/solid_books.hpp"
#include "run/state/books.hpp"
#include "run/state/registry.hpp"

#include <corral/cell_order.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace corral::mppic {

/// What one step reports of itself.
struct StepReport {
  Gas::Report gas;
  Complementarity::Report contact, displacement;
  MoveSums moved;
  Isotropy::Report isotropy;
  double theta_max = 0;         ///< of the mapped solids fraction [-]
  double drift_rms = 0;         ///< of |theta - predicted by the last step| over the cells [-]
  double drift_max = 0;         ///< the largest of them [-]
  double momentum_residual = 0; ///< |given to the gas + given to the parcels| over what was exchanged and what gravity gave [-]
  double given = 0;             ///< energy that lifted what was overfull though nothing paid for it [J]
  double paid = 1;              ///< share of the displacement that the step could pay for [-]
  double packed_drag = 0;       ///< rate of drag where solids touch, mean [1/s]; adaptive steps alone ask for it
  std::array<double, 6> left_volume{}; ///< of the solids that left through each side [m3]
  std::array<double, 6> left_mass{};   ///< their mass [kg]
  int maps = 0, sorts = 0;             ///< fields that were spread or interpolated; sorts of the parcels
};

/// The state that a gas-solid step advances, and what its parts hold. Its arrays lie in the registry's memory.
struct StepState {
  StepState(const Setup& setup, const fluid::Domain& domain, run::Registry& registry);
  StepState(const StepState&) = delete;
  StepState& operator=(const StepState&) = delete;

  /// The parcels as loops of a step of dt see them; good while none of them comes or goes.
  Motion motion(double dt);
  /// The same where they take fields from the grid.
  MotionOnGrid motion_on_grid(double dt);
  /// Where each rank has its own part alone (StepScratch::own_sums), fields are good in its own planes and beside these: what stands beside
  /// them, once its own are there. Collective.
  void fill_fields() const;
  /// Sums and largest values of these numbers over ranks, where each has found them of its own planes; else as they are.
  template <class Values> Values over_planes(const Values& values, std::initializer_list<int> added, std::initializer_list<int> largest) const {
    return scratch.own_sums ? parcels.ranks.totals(values, added, largest) : values;
  }
  /// Cells and faces that such numbers are of.
  fluid::OwnRange own(Staggering points) const { return fluid::own_points(domain.grid(), scratch.planes_of_sums(), points); }
  /// Gives back the columns that a step makes.
  void give_back_columns();

  const Setup& setup;
  const fluid::Domain& domain;
  Parcels parcels;
  run::Books books;
  SolidBooks solid_books;
  Flow flow;
  std::array<std::int64_t*, 6> left{}; ///< parcels that left through each side, of the books; null where none can
  Inflow inflow;
  CellOrder<double> order;
  StepScratch scratch;
  FaceSums sums;
  Gas gas;
  Contact contact;
  Displacement displacement;
  Damping damping;
  Collisions collisions;
  Interpolation interpolation;
  Audit audit;
  std::optional<Heat> heat; ///< where something is warm

  BoxSides sides;
  DragOfParcels drag;
  // As all that the parts work with, taken from `scratch` where a step needs them.
  fluid::FaceArrays carried; ///< <V dt v> of boxes: what velocities carry over faces in the step [m]
  std::array<Array<double>, 3> step, shift; ///< columns: how far a parcel is moved, dt v and dx + s [m]
  Array<double> slip;                       ///< column: the square of its slip [m2/s2]
  Array<std::uint8_t> gone;                 ///< column: 1 + the side through which it leaves, else 0
  // What models beside the step add to its maps and laws, set before the part that takes it. That part empties the lists.
  std::vector<BoxTerm> also_spread;
  std::vector<Interpolated> also_interpolated;
  std::optional<WarmGas> warm_gas;
  StepReport report;
};

/// The parcels that a run begins with, made on the host, wherever the state lies: those of the run that the case begins with,
/// then the seeds'.
void place_parcels(StepState& state);

/// In place of the velocity that the case gives, on faces that nothing else settles, what was there in the run that the case
/// begins with; and what the gas expects of contact, so that a bed that lay goes on lying.
void take_fields(const Setup& setup, const fluid::Domain& domain, Flow& flow);

} // namespace corral::mppic

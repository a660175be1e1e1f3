#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/collisions/collisions.hpp"
#include "mppic/contact/contact.hpp"
#include "mppic/contact/damping.hpp"
#include "mppic/contact/displacement.hpp"
#include "mppic/felt.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/gas.hpp"
#include "mppic/heat/heat.hpp"
#include "mppic/output/audit.hpp"
#include "mppic/parcels/inflow.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/parcels.hpp"
#include "run/state/books.hpp"
#include "run/phases.hpp"
#include "run/state/registry.hpp"

#include <corral/cell_order.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
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
  double drift_max = 0;
  double momentum_residual = 0; ///< |given to the gas + given to the parcels| over what was exchanged and what gravity gave [-]
  double paid = 1;              ///< share of the displacement that the step could pay for [-]
  double packed_drag = 0;       ///< rate of drag where solids touch, mean [1/s]; adaptive steps alone ask for it
  std::array<double, 6> left_volume{}; ///< of the solids that left through each side [m3]
  std::array<double, 6> left_mass{};   ///< their mass [kg]
  int maps = 0, sorts = 0;
};

/// The gas-solid step of Model A (docs/models.md), and the state that it advances.
class Step {
public:
  Step(const Setup& setup, const fluid::Domain& domain, run::Registry& registry, run::Phases& phases);

  /// Fills the state at time 0: parcels from the seeds, the gas at its starting velocity, drag rates.
  void start();
  void advance(double dt, std::int64_t step);

  const StepReport& report() const { return report_; }
  const run::Books& books() const { return books_; }
  const SolidBooks& solid_books() const { return solid_books_; }
  const Parcels& parcels() const { return parcels_; }
  const Flow& flow() const { return flow_; }
  const Gas& gas() const { return gas_; }
  const Contact& contact() const { return contact_; }
  const Audit& audit() const { return audit_; } ///< of the last step, where the case asks for it
  StepBooks start_books() const { return audit_.energies(Cpu{}, parcels_); } ///< before the first step
  const Heat* heat() const { return heat_ ? &*heat_ : nullptr; } ///< null where nothing is warm
  /// As Driver::take_notices, of what the step itself sees.
  std::vector<std::string> take_notices();
  std::int64_t bytes() const; ///< memory beside the registry's

private:
  void sort();
  void measure_theta();
  void foresee_gas(double dt);
  void gather(double dt);
  void advance_velocities(double dt, std::int64_t step);
  void exchange_heat(double dt, std::int64_t step);
  void displace(double dt);
  void move(double dt);
  void check_momentum(double dt);
  void remove_leavers();
  MoveModel move_model(double dt) const;
  MoveColumns move_columns();

  const Setup& setup_;
  const fluid::Domain& domain_;
  run::Phases& phases_;
  Parcels parcels_;
  run::Books books_;
  SolidBooks solid_books_;
  Flow flow_;
  std::array<std::int64_t*, 6> left_{};
  Inflow inflow_;
  CellOrder<double> order_;
  FaceSums sums_;
  Gas gas_;
  Contact contact_;
  Displacement displacement_;
  Damping damping_;
  Collisions collisions_;
  Felt felt_;
  std::optional<Heat> heat_;
  std::array<double, 6> left_heat_{}; ///< that parcels took along through each side in the step [J]
  fluid::FaceArrays carried_; ///< what velocities carry over faces in the step, over a cell's volume [m]
  std::array<Array<double>, 3> step_, shift_; ///< columns
  Array<double> slip_;
  Array<std::uint8_t> gone_;
  Audit audit_;
  StepReport report_;
};

} // namespace corral::mppic

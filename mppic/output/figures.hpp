#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/output/logs.hpp"
#include "mppic/output/measures.hpp"
#include "mppic/step.hpp"
#include "mppic/time_step.hpp"
#include "run/driver.hpp"

#include <cstdint>
#include <vector>

namespace corral::mppic {

/// The figures of log.csv. Forces are means over the steps since the last row, so that rows add up to the force
/// balance whatever their interval; extremes and counts are over the same steps; the rest is of the moment.
class Figures {
public:
  /// Of steps whose state lies in `memory`.
  Figures(const Setup& setup, const fluid::Domain& domain, Memory memory = Memory::host);

  void bind_state(run::Registry& registry);

  std::vector<run::LogColumn> columns() const;
  template <Execution E> void add(const Step<E>& step, const Fastest& gas, const Fastest& parcel, double dt);
  /// Ends the interval.
  template <Execution E> std::vector<double> row(Step<E>& step);

  /// What was seen since the last row: integrals over time, sums over steps, extremes.
  struct Interval {
    double steps = 0, time = 0;
    double pressure_drop = 0, floor_contact = 0, wall_impulse = 0, weight = 0;
    double pressure_iterations = 0, linear = 0, paid = 1, given = 0;
    double contact_rounds = 0, displacement_rounds = 0;
    double theta_max = 0, mixture_residual = 0, drift_rms = 0, drift_max = 0, momentum_residual = 0, speed_max = 0;
    double gas_speed = 0, gas_courant = 0, parcel_courant = 0;
    double clipped = 0, contact_failures = 0;
    double isotropy_momentum = 0, isotropy_energy = 0;
  };

  // Public, since nvcc takes the loops of no others.
  template <Execution E> void count_dense_cells(const Step<E>& step);

private:
  void add(const StepReport& report, const FiguresOfStep& of_step, double dt);
  std::vector<double> row(const StepReport& report, const run::Books& books, std::int64_t parcels, const FiguresOfBed& bed) const;

  const Setup& setup_;
  Measures measures_;
  Interval interval_;
  Array<std::uint64_t> dense_cells_; ///< of all steps since the last row, by theta in bins
  Outflow outflow_;
  HeatLog heat_;
  AuditLog audit_;
  GasLog gas_;
};

} // namespace corral::mppic

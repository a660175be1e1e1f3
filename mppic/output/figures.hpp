#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/output/logs.hpp"
#include "mppic/step.hpp"
#include "mppic/time_step.hpp"
#include "run/driver.hpp"

#include <cstdint>
#include <vector>

namespace corral::mppic {

/// What a bed is like at the moment, in single numbers.
class Measures {
public:
  Measures(const Setup& setup, const fluid::Domain& domain) : setup_(setup), domain_(domain) {}

  /// Mean pressure of the floor's faces less that of the top's, less the gas's own head, of the last step [Pa].
  double pressure_drop(const Step<Cpu>& step) const;
  double floor_contact(const Step<Cpu>& step) const; ///< what contact puts on the floor, of the last step [Pa]
  double weight(const Step<Cpu>& step) const;        ///< of the parcels in the gas, over the floor's area [Pa]
  double solids_volume(const Step<Cpu>& step) const; ///< [m3]
  double mass(const Step<Cpu>& step) const;          ///< of the parcels [kg]
  double speed_rms(const Step<Cpu>& step) const;     ///< weighted by volume [m/s]
  double velocity_z(const Step<Cpu>& step) const;    ///< of the centre of mass, without displacement [m/s]
  double centre_z(const Step<Cpu>& step) const;      ///< of mass; 0 without parcels [m]
  double height_99(const Step<Cpu>& step) const;     ///< below which 99 % of the solids lie [m]

private:
  double centre_of_mass(const Step<Cpu>& step, const Array<double>& column) const;

  const Setup& setup_;
  const fluid::Domain& domain_;
};

/// What the parcels whose centres lie in the half cells along z fill of them. Packed are cells of a mapped solids
/// fraction of at least .9 of close packing.
class HalfCells {
public:
  HalfCells(const Setup& setup, const Grid& grid, const Step<Cpu>& step);

  double largest_cell() const; ///< of cells, not halves
  double unevenness() const;   ///< rms of (upper - lower)/(upper + lower) over the packed cells; 0 without such
  double floor() const;        ///< mean of the lowest halves over that of the packed cells; 0 without such

private:
  double low(std::int64_t c) const { return share_[2 * c]; }
  double high(std::int64_t c) const { return share_[2 * c + 1]; }

  const Array<double>& theta_;
  double packed_;
  std::int64_t plane_; ///< cells on the floor
  std::vector<double> share_;
};

/// The figures of log.csv. Forces are means over the steps since the last row, so that rows add up to the force
/// balance whatever their interval; extremes and counts are over the same steps; the rest is of the moment.
class Figures {
public:
  Figures(const Setup& setup, const fluid::Domain& domain);

  void bind_state(run::Registry& registry);

  std::vector<run::LogColumn> columns() const;
  void add(const Step<Cpu>& step, const Fastest& gas, const Fastest& parcel, double dt);
  /// Ends the interval.
  std::vector<double> row(const Step<Cpu>& step);

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

private:
  void count_dense_cells(const Step<Cpu>& step);

  const Setup& setup_;
  const fluid::Domain& domain_;
  Measures measures_;
  Interval interval_;
  Array<std::uint64_t> dense_cells_; ///< of all steps since the last row, by theta in bins
  Outflow outflow_;
  HeatLog heat_;
  AuditLog audit_;
  GasLog gas_;
};

} // namespace corral::mppic

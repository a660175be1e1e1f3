#pragma once

#include "mppic/setup.hpp"
#include "mppic/step.hpp"
#include "run/books.hpp"
#include "run/driver.hpp"

#include <cstdint>
#include <vector>

namespace corral::mppic {

/// The figures of log.csv. Forces are means over the steps since the last row, so that rows add up to the force
/// balance whatever their interval; extremes and counts are over the same steps; the rest is of the moment.
class Figures {
public:
  Figures(const Setup& setup, const fluid::Domain& domain, const run::Books& books)
      : setup_(setup), domain_(domain), books_(books) {}

  static std::vector<run::LogColumn> columns(bool audit);
  void add(const Step& step, double dt);
  /// Ends the interval.
  std::vector<double> row(const Step& step);

  /// Mean pressure of the floor's faces less that of the top's, less the gas's own head [Pa]; for the last step.
  static double pressure_drop(const Setup& setup, const fluid::Domain& domain, const Step& step);

private:
  struct Interval {
    std::int64_t steps = 0;
    double time = 0, pressure_drop = 0, floor_contact = 0, wall_impulse = 0, weight = 0;
    double pressure_iterations = 0, linear = 0, paid = 1;
    int contact_rounds = 0, displacement_rounds = 0;
    double theta_max = 0, mixture_residual = 0, drift_rms = 0, drift_max = 0, momentum_residual = 0, speed_max = 0;
    std::int64_t clipped = 0, contact_failures = 0;
    StepBooks books;                       ///< sums over the steps; residuals and rise the largest
    std::vector<std::int64_t> dense_cells; ///< of all steps, by theta in bins of theta_bin
  };

  double floor_area() const { return setup_.size[0] * setup_.size[1]; }
  double floor_contact(const Step& step) const;
  double speed_rms(const Step& step) const;
  double solids_volume(const Step& step) const;
  double centre_z(const Step& step) const;
  double height_99(const Step& step) const;
  void add_books(const StepBooks& step);
  static std::vector<double> row_of_books(const StepBooks& books);
  void count_dense_cells(const Step& step);
  double theta_999() const;
  /// What the parcels whose centres lie in the half cells along z fill of them, from occupancy's two values per cell.
  std::vector<double> half_cells(const Step& step) const;
  double half_cells_rms(const std::vector<double>& halves, const Step& step) const;
  double floor_occupancy(const std::vector<double>& halves, const Step& step) const;

  const Setup& setup_;
  const fluid::Domain& domain_;
  const run::Books& books_;
  Interval interval_;
};

} // namespace corral::mppic

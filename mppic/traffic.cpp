#include "mppic/traffic.hpp"

#include "fluid/pressure/pressure.hpp"

namespace corral::mppic {

namespace {

struct Traffic {
  double parcel = 0, cell = 0; ///< [bytes] of each
  int iterations = 0;          ///< of the solver of pressures
};

constexpr double of_a_value = 8;

// Iterations count where the report has them, at the end of each phase.
Traffic traffic(StepPlace place, const StepReport& report) {
  using enum StepPlace;
  switch (place) {
  case sort: return {.parcel = 370};
  case spread: return {.parcel = 230, .cell = 23 * of_a_value};
  case gas_without_pressure: return {.cell = 41 * of_a_value};
  case pressure: return {.cell = 40 * of_a_value};
  case gas_with_pressure: return {.cell = 41 * of_a_value, .iterations = report.gas.iterations};
  case contact_law: return {.cell = 37 * of_a_value};
  case contact_pressure: return {.cell = 10 * of_a_value};
  case contact_push: return {.cell = 26 * of_a_value, .iterations = report.contact.linear};
  case velocities: return {.parcel = 110, .cell = 13 * of_a_value};
  case isotropy: return {.parcel = 170};
  case drag: return {.parcel = 60, .cell = 4 * of_a_value};
  case room: return {.parcel = 60, .cell = 20 * of_a_value};
  case displacement_potential: return {.cell = 10 * of_a_value};
  case displacement: return {.parcel = 50, .cell = 20 * of_a_value, .iterations = report.displacement.linear};
  case move: return {.parcel = 100, .cell = 6 * of_a_value};
  default: return {};
  }
}

} // namespace

double least_bytes(StepPlace place, const StepReport& report, std::int64_t parcels, std::int64_t cells) {
  const Traffic bytes = traffic(place, report);
  const double of_cell = bytes.cell + fluid::PressureSolver::bytes_of_an_iteration * bytes.iterations;
  return bytes.parcel * static_cast<double>(parcels) + of_cell * static_cast<double>(cells);
}

} // namespace corral::mppic

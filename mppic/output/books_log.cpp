#include "mppic/output/logs.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace corral::mppic {

namespace {

struct AuditColumn {
  run::LogColumn column;
  double (*value)(const StepBooks& b);
  bool CollisionModel::* only = nullptr; ///< there where the case has it

  bool of(const CollisionModel& model) const { return !only || model.*only; }
};

constexpr std::size_t at(Term term) { return static_cast<std::size_t>(term); }

const std::vector<AuditColumn> audit_columns{
    {{"kinetic_energy", "J", "of the parcels inside"}, [](const StepBooks& b) { return b.kinetic; }},
    {{"potential_energy", "J", "of the parcels inside, 0 at the origin"},
     [](const StepBooks& b) { return b.potential; }},
    {{"energy_rise", "J", "of both together in a step, without what entered and left; largest since the last row"},
     [](const StepBooks& b) { return b.rise; }},
    {{"work_gravity", "J", "done on the parcels since the last row, as all that follow"},
     [](const StepBooks& b) { return b.work[at(Term::gravity)]; }},
    {{"work_pressure", "J", "of the gas's pressure gradient"},
     [](const StepBooks& b) { return b.work[at(Term::pressure)]; }},
    {{"work_drag", "J", "of drag"}, [](const StepBooks& b) { return b.work[at(Term::drag)]; }},
    {{"work_contact", "J", "of contact, walls' own included"},
     [](const StepBooks& b) { return b.work[at(Term::contact)]; }},
    {{"work_friction", "J", "of friction between parcels"},
     [](const StepBooks& b) { return b.work[at(Term::friction)]; }},
    {{"work_collisions", "J", "of collisions between parcels"},
     [](const StepBooks& b) { return b.work[at(Term::collisions)]; }},
    {{"work_isotropy", "J", "of the return to isotropy: round-off"},
     [](const StepBooks& b) { return b.work[at(Term::isotropy)]; }, &CollisionModel::isotropy},
    {{"work_walls", "J", "of hits on walls"}, [](const StepBooks& b) { return b.work[at(Term::walls)]; }},
    {{"kinetic_entered", "J", "with parcels through inlets"}, [](const StepBooks& b) { return b.kinetic_entered; }},
    {{"kinetic_left", "J", "with parcels through outlets"}, [](const StepBooks& b) { return b.kinetic_left; }},
    {{"lift_flight", "J", "potential energy gained by moving with the velocity"},
     [](const StepBooks& b) { return b.lift_flight; }},
    {{"lift_displacement", "J", "by displacement"}, [](const StepBooks& b) { return b.lift_displacement; }},
    {{"lift_sides", "J", "by reflection at walls and wrapping around periodic sides"},
     [](const StepBooks& b) { return b.lift_sides; }},
    {{"potential_entered", "J", "with parcels through inlets"}, [](const StepBooks& b) { return b.potential_entered; }},
    {{"potential_left", "J", "with parcels through outlets"}, [](const StepBooks& b) { return b.potential_left; }},
    {{"mass_entered", "kg", "of parcels through inlets"}, [](const StepBooks& b) { return b.mass_entered; }},
    {{"mass_left", "kg", "of parcels through outlets"}, [](const StepBooks& b) { return b.mass_left; }},
    {{"impulse_gravity", "N s", "vertical momentum given to the parcels since the last row, as all that follow"},
     [](const StepBooks& b) { return b.impulse[at(Term::gravity)][2]; }},
    {{"impulse_pressure", "N s", "by the gas's pressure gradient"},
     [](const StepBooks& b) { return b.impulse[at(Term::pressure)][2]; }},
    {{"impulse_drag", "N s", "by drag"}, [](const StepBooks& b) { return b.impulse[at(Term::drag)][2]; }},
    {{"impulse_contact", "N s", "by contact: what walls carry of it"},
     [](const StepBooks& b) { return b.impulse[at(Term::contact)][2]; }},
    {{"impulse_friction", "N s", "by friction between parcels: round-off"},
     [](const StepBooks& b) { return b.impulse[at(Term::friction)][2]; }},
    {{"impulse_collisions", "N s", "by collisions between parcels: round-off"},
     [](const StepBooks& b) { return b.impulse[at(Term::collisions)][2]; }},
    {{"impulse_isotropy", "N s", "by the return to isotropy: round-off"},
     [](const StepBooks& b) { return b.impulse[at(Term::isotropy)][2]; }, &CollisionModel::isotropy},
    {{"impulse_walls", "N s", "by hits on walls"}, [](const StepBooks& b) { return b.impulse[at(Term::walls)][2]; }},
    {{"energy_residual", "", "kinetic energy of a step that no work explains, over what was turned over; largest since "
                             "the last row"}, [](const StepBooks& b) { return b.energy_residual; }},
    {{"momentum_books", "", "momentum of a step that no impulse explains, over what was exchanged; largest since the "
                            "last row"}, [](const StepBooks& b) { return b.momentum_residual; }},
};

} // namespace

std::vector<run::LogColumn> AuditLog::columns() const {
  std::vector<run::LogColumn> columns;
  for (const AuditColumn& figure : audit_columns)
    if (figure.of(collisions_)) columns.push_back(figure.column);
  return columns;
}

namespace {

/// What a row adds up beside works and impulses.
constexpr std::array sums{
    std::pair{"kinetic_entered", &StepBooks::kinetic_entered},
    std::pair{"kinetic_left", &StepBooks::kinetic_left},
    std::pair{"potential_entered", &StepBooks::potential_entered},
    std::pair{"potential_left", &StepBooks::potential_left},
    std::pair{"mass_entered", &StepBooks::mass_entered},
    std::pair{"mass_left", &StepBooks::mass_left},
    std::pair{"lift_flight", &StepBooks::lift_flight},
    std::pair{"lift_displacement", &StepBooks::lift_displacement},
    std::pair{"lift_sides", &StepBooks::lift_sides},
};

/// Of what it has the largest.
constexpr std::array extremes{
    std::pair{"rise", &StepBooks::rise},
    std::pair{"energy_residual", &StepBooks::energy_residual},
    std::pair{"momentum_residual", &StepBooks::momentum_residual},
};

/// Works, impulses and the two energies of the moment beside them.
static_assert(sizeof(StepBooks) == sizeof(double) * (4 * term_count + sums.size() + extremes.size() + 2));

} // namespace

void AuditLog::bind_state(run::Registry& registry) {
  const auto bind = [&](const std::string& name, double& value) {
    // Optional: a run that goes on may begin to keep them.
    registry.bind("row_audit_" + name, "", "books for the next row of log.csv", value, run::Use::saved | run::Use::optional);
  };
  bind("steps", steps_);
  for (std::size_t t = 0; t < term_count; ++t) {
    if (t == at(Term::isotropy) && !collisions_.isotropy) continue;
    bind(std::string("work_") + term_names[t], books_.work[t]);
    bind(std::string("impulse_") + term_names[t], books_.impulse[t][2]);
  }
  for (const auto& [name, member] : sums) bind(name, books_.*member);
  for (const auto& [name, member] : extremes) bind(name, books_.*member);
}

void AuditLog::add(const StepBooks& step) {
  StepBooks& b = books_;
  for (std::size_t t = 0; t < term_count; ++t) {
    b.work[t] += step.work[t];
    b.impulse[t][2] += step.impulse[t][2];
  }
  b.kinetic = step.kinetic;
  b.potential = step.potential;
  b.rise = steps_ == 0 ? step.rise : std::max(b.rise, step.rise);
  ++steps_;
  b.energy_residual = std::max(b.energy_residual, step.energy_residual);
  b.momentum_residual = std::max(b.momentum_residual, step.momentum_residual);
  for (const auto& [name, member] : sums) b.*member += step.*member;
}

std::vector<double> AuditLog::row(const StepBooks& books) {
  std::vector<double> row;
  for (const AuditColumn& figure : audit_columns)
    if (figure.of(collisions_)) row.push_back(figure.value(books));
  steps_ = 0;
  books_ = {};
  return row;
}

std::vector<run::LogColumn> GasLog::columns() {
  return {
      {"gas_momentum", "N s", "vertical, of the gas inside"},
      {"gas_from_parcels", "N s", "vertical momentum given to the gas since the last row, as the three that follow: by drag, "
                                  "with the pressure that parcels hand on"},
      {"gas_through_sides", "N s", "by gas that came in, less what left"},
      {"gas_from_walls", "N s", "by what holds the gas at walls and inlets"},
      {"gas_drift", "N s", "by mass that the gas's fluxes did not foresee"},
      {"gas_fraction_drift", "", "largest change of a face's gas fraction in a step that they did not, since the last row"},
      {"gas_books", "", "momentum of a step that nothing explains, over what was exchanged and is carried; largest since "
                        "the last row"},
  };
}

void GasLog::bind_state(run::Registry& registry) {
  const auto bind = [&](const char* name, const char* unit, double& value) {
    registry.bind(std::string("row_gas_") + name, unit, "books of the gas for the next row of log.csv", value);
  };
  bind("momentum", "N s", momentum_);
  bind("drift", "N s", drift_);
  bind("parcels", "N s", parcels_);
  bind("sides", "N s", sides_);
  bind("walls", "N s", walls_);
  bind("fraction", "", largest_drift_);
  bind("residual", "", residual_);
}

void GasLog::add(const GasBooks& step) {
  momentum_ = step.after[2];
  drift_ += step.drift[2];
  parcels_ += step.parcels[2];
  sides_ += step.sides[2];
  walls_ += step.walls[2];
  largest_drift_ = std::max(largest_drift_, step.largest_drift);
  residual_ = std::max(residual_, step.residual);
}

std::vector<double> GasLog::row() {
  const std::vector<double> row{momentum_, parcels_, sides_, walls_, drift_, largest_drift_, residual_};
  const double momentum = momentum_;
  *this = {};
  momentum_ = momentum;
  return row;
}

} // namespace corral::mppic

#include "mppic/output/audit_log.hpp"

#include <algorithm>
#include <utility>

namespace corral::mppic {

namespace {

struct AuditColumn {
  run::LogColumn column;
  double (*value)(const StepBooks& b);
};

constexpr std::size_t at(Term term) { return static_cast<std::size_t>(term); }

const std::vector<AuditColumn> figures{
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
    {{"impulse_walls", "N s", "by hits on walls"}, [](const StepBooks& b) { return b.impulse[at(Term::walls)][2]; }},
    {{"energy_residual", "", "kinetic energy of a step that no work explains, over what was turned over; largest since "
                             "the last row"}, [](const StepBooks& b) { return b.energy_residual; }},
    {{"momentum_books", "", "momentum of a step that no impulse explains, over what was exchanged; largest since the "
                            "last row"}, [](const StepBooks& b) { return b.momentum_residual; }},
};

} // namespace

std::vector<run::LogColumn> AuditLog::columns() {
  std::vector<run::LogColumn> columns;
  for (const AuditColumn& figure : figures) columns.push_back(figure.column);
  return columns;
}

void AuditLog::add(const StepBooks& step) {
  StepBooks& b = books_;
  for (std::size_t t = 0; t < term_count; ++t) {
    b.work[t] += step.work[t];
    for (std::size_t d = 0; d < 3; ++d) b.impulse[t][d] += step.impulse[t][d];
  }
  b.kinetic = step.kinetic;
  b.potential = step.potential;
  b.rise = empty_ ? step.rise : std::max(b.rise, step.rise);
  empty_ = false;
  b.energy_residual = std::max(b.energy_residual, step.energy_residual);
  b.momentum_residual = std::max(b.momentum_residual, step.momentum_residual);
  for (const auto member : {&StepBooks::kinetic_entered, &StepBooks::kinetic_left, &StepBooks::potential_entered,
                            &StepBooks::potential_left, &StepBooks::mass_entered, &StepBooks::mass_left,
                            &StepBooks::lift_flight, &StepBooks::lift_displacement, &StepBooks::lift_sides})
    b.*member += step.*member;
}

std::vector<double> AuditLog::row(const Step& step) {
  const StepBooks books = empty_ ? step.start_books() : books_;
  *this = {};
  std::vector<double> row;
  for (const AuditColumn& figure : figures) row.push_back(figure.value(books));
  return row;
}

} // namespace corral::mppic

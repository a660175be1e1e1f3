#include "mppic/output/figures.t.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace corral::mppic {

namespace {

using Interval = Figures::Interval;

/// All of them: the state of a run holds what its next row is made of.
constexpr std::array interval_members{
    std::pair{"steps", &Interval::steps},
    std::pair{"time", &Interval::time},
    std::pair{"pressure_drop", &Interval::pressure_drop},
    std::pair{"floor_contact", &Interval::floor_contact},
    std::pair{"wall_impulse", &Interval::wall_impulse},
    std::pair{"weight", &Interval::weight},
    std::pair{"pressure_iterations", &Interval::pressure_iterations},
    std::pair{"linear", &Interval::linear},
    std::pair{"paid", &Interval::paid},
    std::pair{"given", &Interval::given},
    std::pair{"contact_rounds", &Interval::contact_rounds},
    std::pair{"displacement_rounds", &Interval::displacement_rounds},
    std::pair{"theta_max", &Interval::theta_max},
    std::pair{"mixture_residual", &Interval::mixture_residual},
    std::pair{"drift_rms", &Interval::drift_rms},
    std::pair{"drift_max", &Interval::drift_max},
    std::pair{"momentum_residual", &Interval::momentum_residual},
    std::pair{"speed_max", &Interval::speed_max},
    std::pair{"gas_speed", &Interval::gas_speed},
    std::pair{"gas_courant", &Interval::gas_courant},
    std::pair{"parcel_courant", &Interval::parcel_courant},
    std::pair{"clipped", &Interval::clipped},
    std::pair{"contact_failures", &Interval::contact_failures},
    std::pair{"isotropy_momentum", &Interval::isotropy_momentum},
    std::pair{"isotropy_energy", &Interval::isotropy_energy},
};

/// What a row is made of.
struct Moment {
  const StepReport& report;
  const run::Books& books;
  std::int64_t parcels;
  const FiguresOfBed& bed;
  const Interval& interval;
  const std::vector<std::uint64_t>& dense_cells;

  double mean(double Interval::* integral) const { return interval.time > 0 ? interval.*integral / interval.time : 0; }
  double mean_of_steps(double Interval::* total) const { return interval.*total / std::max(interval.steps, 1.0); }
};

double count(auto number) { return static_cast<double>(number); }

double theta_999(const std::vector<std::uint64_t>& dense_cells) {
  std::uint64_t cells = 0, above = 0;
  for (const std::uint64_t n : dense_cells) cells += n;
  for (std::size_t b = dense_cells.size(); b-- > 0 && cells > 0;) {
    above += dense_cells[b];
    if (1000 * above > cells) return theta_bin * static_cast<double>(b + 1);
  }
  return 0;
}

struct FigureColumn {
  run::LogColumn column;
  double (*value)(const Moment& m);
  bool CollisionModel::* only = nullptr; ///< there where the case has it

  bool of(const Setup& setup) const { return !only || setup.collisions.*only; }
};

const std::vector<FigureColumn> figures{
    {{"parcels", "", "inside the box"}, [](const Moment& m) { return count(m.parcels); }},
    {{"created", "", "parcels since the start"}, [](const Moment& m) { return count(m.books.created()); }},
    {{"left", "", "parcels that left through an outlet since the start"},
     [](const Moment& m) { return count(m.books.left()); }},
    {{"rejected", "", "parcels that found no room at an inlet since the start"},
     [](const Moment& m) { return count(m.books.rejected()); }},
    {{"solids_volume", "m3", "of the parcels inside"},
     [](const Moment& m) { return m.bed.solids_volume; }},
    {{"centre_z", "m", "height of the parcels' centre of mass"},
     [](const Moment& m) { return m.bed.centre_z; }},
    {{"height_99", "m", "height below which 99 % of the solids lie"},
     [](const Moment& m) { return m.bed.height_99; }},
    {{"theta_max", "", "largest mapped solids fraction of a cell since the last row"},
     [](const Moment& m) { return m.interval.theta_max; }},
    {{"theta_999", "", "mapped solids fraction that one in a thousand of the dense cells exceeds, over the cells with "
                       "at least half of close packing and the steps since the last row"},
     [](const Moment& m) { return theta_999(m.dense_cells); }},
    {{"half_cells", "", "how unevenly the halves along z of packed cells are filled: rms of (upper - lower)/(upper + "
                        "lower)"}, [](const Moment& m) { return m.bed.unevenness; }},
    {{"floor_occupancy", "", "of the lowest half cells along z, over the mean of the bed's packed cells; 0 where "
                             "nothing is packed"}, [](const Moment& m) { return m.bed.floor_occupancy; }},
    {{"occupancy_max", "", "largest volume of the parcels whose centres lie in one cell, over the cell's"},
     [](const Moment& m) { return m.bed.occupancy_max; }},
    {{"pressure_drop", "Pa", "mean at the floor less mean at the top or outlet less the gas's own head; mean since the "
                             "last row"}, [](const Moment& m) { return m.mean(&Interval::pressure_drop); }},
    {{"floor_contact", "Pa", "of contact and friction with the solids above; mean since the last row"},
     [](const Moment& m) { return m.mean(&Interval::floor_contact); }},
    {{"wall_impulse", "Pa", "vertical impulse of wall hits, all walls, over floor area and time; mean since the last "
                            "row"}, [](const Moment& m) { return m.mean(&Interval::wall_impulse); }},
    {{"weight", "Pa", "of the parcels inside, buoyed by the gas, over the floor area; mean since the last row"},
     [](const Moment& m) {
       return m.interval.steps > 0 ? m.mean(&Interval::weight) : m.bed.weight;
     }},
    {{"pressure_iterations", "", "of the pressure solver; mean since the last row"},
     [](const Moment& m) { return m.mean_of_steps(&Interval::pressure_iterations); }},
    {{"mixture_residual", "", "dt max |div(eps u + theta u_s) - source|; largest since the last row"},
     [](const Moment& m) { return m.interval.mixture_residual; }},
    {{"theta_drift_rms", "", "rms over cells of |solids fraction - predicted|; largest since the last row"},
     [](const Moment& m) { return m.interval.drift_rms; }},
    {{"theta_drift_max", "", "largest |solids fraction - predicted| since the last row"},
     [](const Moment& m) { return m.interval.drift_max; }},
    {{"momentum_residual", "", "|momentum given to the gas less that taken from the parcels| over what was exchanged "
                               "and what gravity gave; largest since the last row"},
     [](const Moment& m) { return m.interval.momentum_residual; }},
    {{"speed_max", "m/s", "of the fastest parcel since the last row"},
     [](const Moment& m) { return m.interval.speed_max; }},
    {{"speed_rms", "m/s", "of the parcels, weighted by volume"},
     [](const Moment& m) { return m.bed.speed_rms; }},
    {{"velocity_z", "m/s", "mean of the parcels, weighted by mass"},
     [](const Moment& m) { return m.bed.velocity_z; }},
    {{"gas_speed_max", "m/s", "of the gas between the particles, largest part along an axis since the last row"},
     [](const Moment& m) { return m.interval.gas_speed; }},
    {{"gas_courant", "", "cells that the fastest gas crossed in a step; largest since the last row"},
     [](const Moment& m) { return m.interval.gas_courant; }},
    {{"parcel_courant", "", "cells that the fastest parcel crossed in a step, or could have; largest since the last "
                            "row"}, [](const Moment& m) { return m.interval.parcel_courant; }},
    {{"eps_clipped", "", "faces whose gas fraction was raised to .05 since the last row"},
     [](const Moment& m) { return m.interval.clipped; }},
    {{"contact_rounds", "", "of the search for the cells in contact; largest since the last row"},
     [](const Moment& m) { return m.interval.contact_rounds; }},
    {{"displacement_rounds", "", "likewise for those that are displaced"},
     [](const Moment& m) { return m.interval.displacement_rounds; }},
    {{"contact_failures", "", "steps since the last row in which one of the two did not converge"},
     [](const Moment& m) { return m.interval.contact_failures; }},
    {{"contact_iterations", "", "of their linear systems; mean of a step since the last row"},
     [](const Moment& m) { return m.mean_of_steps(&Interval::linear); }},
    {{"displacement_paid", "", "least share of the displacement that a step could pay for, since the last row"},
     [](const Moment& m) { return m.interval.paid; }},
    {{"displacement_given", "J", "energy that lifted overfull solids though nothing paid for it, since the last row"},
     [](const Moment& m) { return m.interval.given; }},
    {{"isotropy_momentum", "", "change of a group's momentum by the return to isotropy, over the sum of its parcels' before "
                               "and after: round-off; largest since the last row"},
     [](const Moment& m) { return m.interval.isotropy_momentum; }, &CollisionModel::isotropy},
    {{"isotropy_energy", "", "likewise of its kinetic energy"},
     [](const Moment& m) { return m.interval.isotropy_energy; }, &CollisionModel::isotropy},
    {{"maps", "", "fields spread and interpolated in the last step"},
     [](const Moment& m) { return count(m.report.maps); }},
    {{"sorts", "", "of the parcels in the last step"}, [](const Moment& m) { return count(m.report.sorts); }},
};

} // namespace

Figures::Figures(const Setup& setup, const fluid::Domain& domain, Memory memory)
    : setup_(setup), measures_(setup, domain), dense_cells_(theta_bins, 0, memory), outflow_(domain, setup),
      heat_(setup, domain), audit_(setup.collisions) {}

void Figures::bind_state(run::Registry& registry) {
  static_assert(sizeof(Interval) == sizeof(double) * interval_members.size());
  for (const auto& [name, member] : interval_members) {
    if (!setup_.collisions.isotropy && std::string_view(name).starts_with("isotropy")) continue;
    registry.bind(std::string("row_") + name, "", "for the next row of log.csv, of the steps since the last one",
                  interval_.*member);
  }
  registry.bind("row_dense_cells", "cells of the steps since the last row of log.csv, by solids fraction", dense_cells_);
  outflow_.bind_state(registry);
  if (setup_.heat.on()) heat_.bind_state(registry);
  if (setup_.audit) audit_.bind_state(registry);
  if (setup_.gas.carries_conservatively()) gas_.bind_state(registry);
}

std::vector<run::LogColumn> Figures::columns() const {
  std::vector<run::LogColumn> columns;
  for (const FigureColumn& figure : figures)
    if (figure.of(setup_)) columns.push_back(figure.column);
  for (const run::LogColumn& column : outflow_.columns()) columns.push_back(column);
  const auto append = [&](const std::vector<run::LogColumn>& more) { columns.insert(columns.end(), more.begin(), more.end()); };
  append(SolidBooks::columns(setup_));
  if (setup_.heat.on()) append(heat_.columns());
  if (setup_.gas.carries_conservatively()) append(GasLog::columns());
  if (setup_.audit) append(audit_.columns());
  return columns;
}

void Figures::add(const StepReport& r, const FiguresOfStep& of_step, double dt) {
  Interval& i = interval_;
  if (setup_.gas.carries_conservatively()) gas_.add(r.gas.books);
  outflow_.add(of_step.gas_out, r.left_mass, dt);
  ++i.steps;
  i.time += dt;
  i.pressure_drop += dt * of_step.pressure_drop;
  i.floor_contact += dt * of_step.floor_contact;
  i.wall_impulse += r.moved.wall_impulse[2] / (setup_.size[0] * setup_.size[1]);
  i.weight += dt * of_step.weight;
  i.pressure_iterations += r.gas.iterations;
  i.contact_rounds = std::max(i.contact_rounds, count(r.contact.rounds));
  i.displacement_rounds = std::max(i.displacement_rounds, count(r.displacement.rounds));
  i.linear += r.contact.linear + r.displacement.linear;
  i.paid = std::min(i.paid, r.paid);
  i.given += r.given;
  i.theta_max = std::max(i.theta_max, r.theta_max);
  i.mixture_residual = std::max(i.mixture_residual, r.gas.mixture_residual);
  i.drift_rms = std::max(i.drift_rms, r.drift_rms);
  i.drift_max = std::max(i.drift_max, r.drift_max);
  i.momentum_residual = std::max(i.momentum_residual, r.momentum_residual);
  i.speed_max = std::max(i.speed_max, std::sqrt(r.moved.speed_squared));
  i.clipped += count(r.gas.clipped);
  i.isotropy_momentum = std::max(i.isotropy_momentum, r.isotropy.momentum);
  i.isotropy_energy = std::max(i.isotropy_energy, r.isotropy.energy);
  i.contact_failures += r.contact.converged && r.displacement.converged ? 0 : 1;
}

std::vector<double> Figures::row(const StepReport& report, const run::Books& books, std::int64_t parcels,
                                 const FiguresOfBed& bed) const {
  const std::vector<std::uint64_t> dense_cells = dense_cells_.values();
  const Moment moment{report, books, parcels, bed, interval_, dense_cells};
  std::vector<double> row;
  for (const FigureColumn& figure : figures)
    if (figure.of(setup_)) row.push_back(figure.value(moment));
  return row;
}

template void Figures::add(const Step<Cpu>&, const Fastest&, const Fastest&, double);
template std::vector<double> Figures::row(Step<Cpu>&);

} // namespace corral::mppic

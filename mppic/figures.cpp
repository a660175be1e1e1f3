#include "mppic/figures.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

namespace {

const std::vector<run::LogColumn> audit_columns{
    {"kinetic_energy", "J", "of the parcels inside"},
    {"potential_energy", "J", "of the parcels inside, 0 at the origin"},
    {"energy_rise", "J", "of both together in a step, without what entered and left; largest since the last row"},
    {"work_gravity", "J", "done on the parcels since the last row, as all that follow"},
    {"work_pressure", "J", "of the gas's pressure gradient"},
    {"work_drag", "J", "of drag"},
    {"work_contact", "J", "of contact, walls' own included"},
    {"work_friction", "J", "of friction between parcels"},
    {"work_collisions", "J", "of collisions between parcels"},
    {"work_walls", "J", "of hits on walls"},
    {"kinetic_entered", "J", "with parcels through inlets"},
    {"kinetic_left", "J", "with parcels through outlets"},
    {"lift_flight", "J", "potential energy gained by moving with the velocity"},
    {"lift_displacement", "J", "by displacement"},
    {"lift_sides", "J", "by reflection at walls and wrapping around periodic sides"},
    {"potential_entered", "J", "with parcels through inlets"},
    {"potential_left", "J", "with parcels through outlets"},
    {"mass_entered", "kg", "of parcels through inlets"},
    {"mass_left", "kg", "of parcels through outlets"},
    {"impulse_gravity", "N s", "vertical momentum given to the parcels since the last row, as all that follow"},
    {"impulse_pressure", "N s", "by the gas's pressure gradient"},
    {"impulse_drag", "N s", "by drag"},
    {"impulse_contact", "N s", "by contact: what walls carry of it"},
    {"impulse_friction", "N s", "by friction between parcels: round-off"},
    {"impulse_collisions", "N s", "by collisions between parcels: round-off"},
    {"impulse_walls", "N s", "by hits on walls"},
    {"energy_residual", "", "kinetic energy of a step that no work explains, over what was turned over; largest since "
                            "the last row"},
    {"momentum_books", "", "momentum of a step that no impulse explains, over what was exchanged; largest since the "
                           "last row"},
};

} // namespace

std::vector<run::LogColumn> Figures::columns(bool audit) {
  std::vector<run::LogColumn> columns{
      {"parcels", "", "inside the box"},
      {"created", "", "parcels since the start"},
      {"left", "", "parcels that left through an outlet since the start"},
      {"rejected", "", "parcels that found no room at an inlet since the start"},
      {"solids_volume", "m3", "of the parcels inside"},
      {"centre_z", "m", "height of the parcels' centre of mass"},
      {"height_99", "m", "height below which 99 % of the solids lie"},
      {"theta_max", "", "largest mapped solids fraction of a cell since the last row"},
      {"theta_999", "", "mapped solids fraction that one in a thousand of the dense cells exceeds, over the cells with "
                        "at least half of close packing and the steps since the last row"},
      {"half_cells", "", "how unevenly the halves along z of packed cells are filled: rms of (upper - lower)/(upper + "
                         "lower)"},
      {"floor_occupancy", "", "of the lowest half cells along z, over the mean of the bed's packed cells; 0 where "
                              "nothing is packed"},
      {"occupancy_max", "", "largest volume of the parcels whose centres lie in one cell, over the cell's"},
      {"pressure_drop", "Pa", "mean at the floor less mean at the top or outlet less the gas's own head; mean since "
                              "the last row"},
      {"floor_contact", "Pa", "of contact and friction with the solids above; mean since the last row"},
      {"wall_impulse", "Pa", "vertical impulse of wall hits, all walls, over floor area and time; mean since the last "
                             "row"},
      {"weight", "Pa", "of the parcels inside, buoyed by the gas, over the floor area; mean since the last row"},
      {"pressure_iterations", "", "of the pressure solver; mean since the last row"},
      {"mixture_residual", "", "dt max |div(eps u + theta u_s) - source|; largest since the last row"},
      {"theta_drift_rms", "", "rms over cells of |solids fraction - predicted|; largest since the last row"},
      {"theta_drift_max", "", "largest |solids fraction - predicted| since the last row"},
      {"momentum_residual", "", "|momentum given to the gas less that taken from the parcels| over what was exchanged "
                                "and what gravity gave; largest since the last row"},
      {"speed_max", "m/s", "of the fastest parcel since the last row"},
      {"speed_rms", "m/s", "of the parcels, weighted by volume"},
      {"eps_clipped", "", "faces whose gas fraction was raised to .05 since the last row"},
      {"contact_rounds", "", "of the search for the cells in contact; largest since the last row"},
      {"displacement_rounds", "", "likewise for those that are displaced"},
      {"contact_failures", "", "steps since the last row in which one of the two did not converge"},
      {"contact_iterations", "", "of their linear systems; mean of a step since the last row"},
      {"displacement_paid", "", "least share of the displacement that a step could pay for, since the last row"},
      {"maps", "", "fields spread and interpolated in the last step"},
      {"sorts", "", "of the parcels in the last step"},
  };
  if (audit) columns.insert(columns.end(), audit_columns.begin(), audit_columns.end());
  return columns;
}

void Figures::add(const Step& step, double dt) {
  const StepReport& r = step.report();
  Interval& i = interval_;
  ++i.steps;
  if (setup_.audit) add_books(step.audit().books());
  count_dense_cells(step);
  i.time += dt;
  i.pressure_drop += dt * pressure_drop(setup_, domain_, step);
  i.floor_contact += dt * floor_contact(step);
  i.wall_impulse += r.moved.wall_impulse[2] / floor_area();
  i.weight += dt * solids_volume(step) * (setup_.solids.rho - setup_.gas.rho) * -setup_.gravity[2] / floor_area();
  i.pressure_iterations += r.gas.iterations;
  i.contact_rounds = std::max(i.contact_rounds, r.contact.rounds);
  i.displacement_rounds = std::max(i.displacement_rounds, r.displacement.rounds);
  i.linear += r.contact.linear + r.displacement.linear;
  i.paid = std::min(i.paid, r.paid);
  i.theta_max = std::max(i.theta_max, r.theta_max);
  i.mixture_residual = std::max(i.mixture_residual, r.gas.mixture_residual);
  i.drift_rms = std::max(i.drift_rms, r.drift_rms);
  i.drift_max = std::max(i.drift_max, r.drift_max);
  i.momentum_residual = std::max(i.momentum_residual, r.momentum_residual);
  i.speed_max = std::max(i.speed_max, std::sqrt(r.moved.speed_squared));
  i.clipped += r.gas.clipped;
  i.contact_failures += r.contact.converged && r.displacement.converged ? 0 : 1;
}

std::vector<double> Figures::row(const Step& step) {
  const double theta_999 = this->theta_999();
  const std::vector<double> halves = half_cells(step);
  double occupancy_max = 0;
  for (std::size_t c = 0; 2 * c < halves.size(); ++c)
    occupancy_max = std::max(occupancy_max, 0.5 * (halves[2 * c] + halves[2 * c + 1]));
  const Interval i = interval_;
  interval_ = {};
  const double time = i.time > 0 ? i.time : 1, steps = i.steps > 0 ? static_cast<double>(i.steps) : 1;
  const StepReport& r = step.report();
  const double weight = i.steps > 0 ? i.weight / time
                                    : solids_volume(step) * (setup_.solids.rho - setup_.gas.rho) *
                                          -setup_.gravity[2] / floor_area();
  std::vector<double> values{static_cast<double>(step.parcels().size()),
          static_cast<double>(books_.created()),
          static_cast<double>(books_.left()),
          static_cast<double>(books_.rejected()),
          solids_volume(step),
          centre_z(step),
          height_99(step),
          i.theta_max,
          theta_999,
          half_cells_rms(halves, step),
          floor_occupancy(halves, step),
          occupancy_max,
          i.pressure_drop / time,
          i.floor_contact / time,
          i.wall_impulse / time,
          weight,
          i.pressure_iterations / steps,
          i.mixture_residual,
          i.drift_rms,
          i.drift_max,
          i.momentum_residual,
          i.speed_max,
          speed_rms(step),
          static_cast<double>(i.clipped),
          static_cast<double>(i.contact_rounds),
          static_cast<double>(i.displacement_rounds),
          static_cast<double>(i.contact_failures),
          i.linear / steps,
          i.paid,
          static_cast<double>(r.maps),
          static_cast<double>(r.sorts)};
  if (setup_.audit) {
    const std::vector<double> books = row_of_books(i.steps > 0 ? i.books : step.start_books());
    values.insert(values.end(), books.begin(), books.end());
  }
  return values;
}

void Figures::add_books(const StepBooks& step) {
  StepBooks& b = interval_.books;
  for (std::size_t t = 0; t < term_count; ++t) {
    b.work[t] += step.work[t];
    for (std::size_t d = 0; d < 3; ++d) b.impulse[t][d] += step.impulse[t][d];
  }
  b.kinetic = step.kinetic;
  b.potential = step.potential;
  b.rise = interval_.steps == 1 ? step.rise : std::max(b.rise, step.rise);
  b.energy_residual = std::max(b.energy_residual, step.energy_residual);
  b.momentum_residual = std::max(b.momentum_residual, step.momentum_residual);
  for (const auto member : {&StepBooks::kinetic_entered, &StepBooks::kinetic_left, &StepBooks::potential_entered,
                            &StepBooks::potential_left, &StepBooks::mass_entered, &StepBooks::mass_left,
                            &StepBooks::lift_flight, &StepBooks::lift_displacement, &StepBooks::lift_sides})
    b.*member += step.*member;
}

std::vector<double> Figures::row_of_books(const StepBooks& b) {
  std::vector<double> row{b.kinetic, b.potential, b.rise};
  row.insert(row.end(), b.work.begin(), b.work.end());
  for (const double value : {b.kinetic_entered, b.kinetic_left, b.lift_flight, b.lift_displacement, b.lift_sides,
                             b.potential_entered, b.potential_left, b.mass_entered, b.mass_left})
    row.push_back(value);
  for (const auto& impulse : b.impulse) row.push_back(impulse[2]);
  row.push_back(b.energy_residual);
  row.push_back(b.momentum_residual);
  return row;
}

double Figures::pressure_drop(const Setup& setup, const fluid::Domain& domain, const Step& step) {
  const Grid& grid = domain.grid();
  const std::int64_t plane = setup.cells[0] * setup.cells[1], top = plane * (setup.cells[2] - 1);
  const double h = grid.axis(2).spacing;
  const Array<double>& p = step.flow().pressure;
  const auto G = [&](std::int64_t f) { return step.gas().mixture_gradient(2, f, step.flow()); };
  const std::int64_t top_face = grid.points(Staggering::face_z) - plane; // a periodic axis has no other end
  const double floor = sum(Cpu{}, plane, [&](std::int64_t c) { return p[c] - 0.5 * h * G(c); });
  const double ceiling =
      sum(Cpu{}, plane, [&](std::int64_t c) { return p[top + c] + 0.5 * h * G(top_face + c); });
  return (floor - ceiling) / static_cast<double>(plane) + setup.gas.rho * setup.gravity[2] * setup.size[2];
}

double Figures::floor_contact(const Step& step) const {
  if (!setup_.solids.packing || setup_.solids.frozen) return 0;
  const std::int64_t plane = setup_.cells[0] * setup_.cells[1];
  return sum(Cpu{}, plane, [&](std::int64_t f) { return step.contact().floor_load(f); }) / static_cast<double>(plane);
}

double Figures::speed_rms(const Step& step) const {
  const Parcels& p = step.parcels();
  const double volume = solids_volume(step);
  if (volume <= 0) return 0;
  const double squares = sum(Cpu{}, p.size(), [&](std::int64_t i) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += (*p.velocity[d])[i] * (*p.velocity[d])[i];
    return p.volume[i] * square;
  });
  return std::sqrt(squares / volume);
}

double Figures::solids_volume(const Step& step) const {
  const Array<double>& v = step.parcels().volume;
  return sum(Cpu{}, v.size(), [&](std::int64_t i) { return v[i]; });
}

double Figures::centre_z(const Step& step) const {
  const double volume = solids_volume(step);
  const Array<double>&v = step.parcels().volume, &z = *step.parcels().position[2];
  return volume > 0 ? sum(Cpu{}, v.size(), [&](std::int64_t i) { return v[i] * z[i]; }) / volume : 0;
}

/// From a histogram of the heights by volume, linear within a bin.
double Figures::height_99(const Step& step) const {
  constexpr std::int64_t bins = 4096;
  const Array<double>&v = step.parcels().volume, &z = *step.parcels().position[2];
  const double low = setup_.origin[2], width = setup_.size[2] / bins;
  std::vector<double> histogram(bins, 0.0);
  double total = 0;
  for (std::int64_t i = 0; i < v.size(); ++i) {
    const auto b = std::clamp(static_cast<std::int64_t>((z[i] - low) / width), std::int64_t{0}, bins - 1);
    histogram[static_cast<std::size_t>(b)] += v[i];
    total += v[i];
  }
  double above = 0;
  for (std::int64_t b = bins - 1; b >= 0; --b) {
    const double here = histogram[static_cast<std::size_t>(b)];
    if (above + here > 0.01 * total) return low + width * (static_cast<double>(b) + 1 - (0.01 * total - above) / here);
    above += here;
  }
  return low;
}

namespace {
constexpr double theta_bin = 0.0005;
}

void Figures::count_dense_cells(const Step& step) {
  std::vector<std::int64_t>& count = interval_.dense_cells;
  if (count.empty()) count.resize(4096, 0);
  const double least = 0.5 * setup_.solids.stress.theta_cp;
  for (const double theta : step.flow().solids_fraction)
    if (theta >= least) ++count[static_cast<std::size_t>(std::min(theta / theta_bin, static_cast<double>(count.size() - 1)))];
}

double Figures::theta_999() const {
  std::int64_t cells = 0, above = 0;
  for (const std::int64_t n : interval_.dense_cells) cells += n;
  for (std::size_t b = interval_.dense_cells.size(); b-- > 0 && cells > 0;) {
    above += interval_.dense_cells[b];
    if (1000 * above > cells) return theta_bin * static_cast<double>(b + 1);
  }
  return 0;
}

std::vector<double> Figures::half_cells(const Step& step) const {
  const Grid& grid = domain_.grid();
  std::vector<double> share(2 * static_cast<std::size_t>(grid.cells()), 0.0);
  const Parcels& p = step.parcels();
  const double scale = 2 / grid.cell_volume();
  for (std::int64_t i = 0; i < p.size(); ++i) {
    std::int64_t cell = 0, stride = 1;
    for (int d = 0; d < 2; ++d) {
      const Axis& a = grid.axis(d);
      cell += stride * std::clamp(static_cast<std::int64_t>(a.index((*p.position[static_cast<std::size_t>(d)])[i])),
                                  std::int64_t{0}, a.cells - 1);
      stride *= a.cells;
    }
    const Axis& z = grid.axis(2);
    const auto half = std::clamp(static_cast<std::int64_t>(2 * z.index((*p.position[2])[i])), std::int64_t{0},
                                 2 * z.cells - 1);
    share[static_cast<std::size_t>(2 * (cell + stride * (half / 2)) + half % 2)] += scale * p.volume[i];
  }
  return share;
}

double Figures::half_cells_rms(const std::vector<double>& halves, const Step& step) const {
  const double packed = 0.9 * setup_.solids.stress.theta_cp;
  double squares = 0;
  std::int64_t cells = 0;
  for (std::int64_t c = 0; c < domain_.grid().cells(); ++c) {
    const double low = halves[static_cast<std::size_t>(2 * c)], high = halves[static_cast<std::size_t>(2 * c + 1)];
    if (step.flow().solids_fraction[c] < packed || low + high <= 0) continue;
    squares += (high - low) * (high - low) / ((high + low) * (high + low));
    ++cells;
  }
  return cells > 0 ? std::sqrt(squares / static_cast<double>(cells)) : 0;
}

double Figures::floor_occupancy(const std::vector<double>& halves, const Step& step) const {
  const double packed = 0.9 * setup_.solids.stress.theta_cp;
  const std::int64_t plane = setup_.cells[0] * setup_.cells[1];
  double bed = 0, floor = 0;
  std::int64_t cells = 0;
  for (std::int64_t c = 0; c < domain_.grid().cells(); ++c) {
    if (c < plane) floor += halves[static_cast<std::size_t>(2 * c)] / static_cast<double>(plane);
    if (step.flow().solids_fraction[c] < packed) continue;
    bed += 0.5 * (halves[static_cast<std::size_t>(2 * c)] + halves[static_cast<std::size_t>(2 * c + 1)]);
    ++cells;
  }
  return cells > 0 ? floor * static_cast<double>(cells) / bed : 0;
}

} // namespace corral::mppic

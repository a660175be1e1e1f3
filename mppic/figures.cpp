#include "mppic/figures.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

std::vector<run::LogColumn> Figures::columns() {
  return {
      {"parcels", "", "inside the box"},
      {"created", "", "parcels since the start"},
      {"left", "", "parcels that left through an outlet since the start"},
      {"rejected", "", "parcels that found no room at an inlet since the start"},
      {"solids_volume", "m3", "of the parcels inside"},
      {"centre_z", "m", "height of the parcels' centre of mass"},
      {"height_99", "m", "height below which 99 % of the solids lie"},
      {"theta_max", "", "largest mapped solids fraction of a cell since the last row"},
      {"occupancy_max", "", "largest volume of the parcels whose centres lie in one cell, over the cell's"},
      {"pressure_drop", "Pa", "mean at the floor less mean at the top or outlet less the gas's own head; mean since "
                              "the last row"},
      {"floor_contact", "Pa", "mean contact pressure at the floor; mean since the last row"},
      {"wall_impulse", "Pa", "vertical impulse of wall hits, all walls, over floor area and time; mean since the last "
                             "row"},
      {"weight", "Pa", "of the parcels inside, buoyed by the gas, over the floor area; mean since the last row"},
      {"pressure_iterations", "", "of the pressure solver; mean since the last row"},
      {"mixture_residual", "", "dt max |div(eps u + theta u_s) - source|; largest since the last row"},
      {"theta_drift_rms", "", "rms over cells of |solids fraction - predicted|; largest since the last row"},
      {"theta_drift_max", "", "largest |solids fraction - predicted| since the last row"},
      {"momentum_residual", "", "|momentum given to the gas less that taken from the parcels| over what was exchanged; "
                                "largest since the last row"},
      {"speed_max", "m/s", "of the fastest parcel since the last row"},
      {"eps_clipped", "", "faces whose gas fraction was raised to .05 since the last row"},
      {"packing_iterations", "", "of the contact pressure's Newton method; mean since the last row"},
      {"packing_failures", "", "steps since the last row whose contact pressure did not converge to 1e-6"},
      {"maps", "", "fields spread and interpolated in the last step"},
      {"sorts", "", "of the parcels in the last step"},
  };
}

void Figures::add(const Step& step, double dt) {
  const StepReport& r = step.report();
  Interval& i = interval_;
  ++i.steps;
  i.time += dt;
  i.pressure_drop += dt * pressure_drop(setup_, domain_, step);
  i.floor_contact += dt * floor_contact(step);
  i.wall_impulse += r.moved.wall_impulse[2] / floor_area();
  i.weight += dt * solids_volume(step) * (setup_.solids.rho - setup_.gas.rho) * -setup_.gravity[2] / floor_area();
  i.pressure_iterations += r.gas.iterations;
  i.packing_iterations += r.packing.newton;
  i.theta_max = std::max(i.theta_max, r.theta_max);
  i.mixture_residual = std::max(i.mixture_residual, r.gas.mixture_residual);
  i.drift_rms = std::max(i.drift_rms, r.drift_rms);
  i.drift_max = std::max(i.drift_max, r.drift_max);
  i.momentum_residual = std::max(i.momentum_residual, r.momentum_residual);
  i.speed_max = std::max(i.speed_max, std::sqrt(r.moved.speed_squared));
  i.clipped += r.gas.clipped;
  i.packing_failures += r.packing.converged ? 0 : 1;
}

std::vector<double> Figures::row(const Step& step) {
  const Interval i = interval_;
  interval_ = {};
  const double time = i.time > 0 ? i.time : 1, steps = i.steps > 0 ? static_cast<double>(i.steps) : 1;
  const StepReport& r = step.report();
  const double weight = i.steps > 0 ? i.weight / time
                                    : solids_volume(step) * (setup_.solids.rho - setup_.gas.rho) *
                                          -setup_.gravity[2] / floor_area();
  return {static_cast<double>(step.parcels().size()),
          static_cast<double>(books_.created()),
          static_cast<double>(books_.left()),
          static_cast<double>(books_.rejected()),
          solids_volume(step),
          centre_z(step),
          height_99(step),
          i.theta_max,
          occupancy_max(step),
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
          static_cast<double>(i.clipped),
          i.packing_iterations / steps,
          static_cast<double>(i.packing_failures),
          static_cast<double>(r.maps),
          static_cast<double>(r.sorts)};
}

double Figures::pressure_drop(const Setup& setup, const fluid::Domain& domain, const Step& step) {
  const Grid& grid = domain.grid();
  const std::int64_t plane = setup.cells[0] * setup.cells[1], top = plane * (setup.cells[2] - 1);
  const double h = grid.axis(2).spacing;
  const Array<double>& p = step.flow().pressure;
  const Array<double>& G = step.gas().pressure_gradient()[2];
  const std::int64_t top_face = grid.points(Staggering::face_z) - plane; // a periodic axis has no other end
  const double floor = sum(Cpu{}, plane, [&](std::int64_t c) { return p[c] - 0.5 * h * G[c]; });
  const double ceiling =
      sum(Cpu{}, plane, [&](std::int64_t c) { return p[top + c] + 0.5 * h * G[top_face + c]; });
  return (floor - ceiling) / static_cast<double>(plane) + setup.gas.rho * setup.gravity[2] * setup.size[2];
}

double Figures::floor_contact(const Step& step) const {
  const std::int64_t plane = setup_.cells[0] * setup_.cells[1];
  if (!setup_.solids.packing || setup_.solids.frozen) return 0;
  const Array<double>& pi = step.flow().contact_pressure;
  return sum(Cpu{}, plane, [&](std::int64_t c) { return pi[c]; }) / static_cast<double>(plane);
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

double Figures::occupancy_max(const Step& step) const {
  const Grid& grid = domain_.grid();
  std::vector<double> volume(static_cast<std::size_t>(grid.cells()), 0.0);
  const Parcels& p = step.parcels();
  const double *x = p.position[0]->data(), *y = p.position[1]->data(), *z = p.position[2]->data();
  const auto place = [&](int d, double at) {
    const Axis& a = grid.axis(d);
    return std::clamp(static_cast<std::int64_t>(a.index(at)), std::int64_t{0}, a.cells - 1);
  };
  for (std::int64_t i = 0; i < p.size(); ++i) {
    const std::int64_t cell = place(0, x[i]) + setup_.cells[0] * (place(1, y[i]) + setup_.cells[1] * place(2, z[i]));
    volume[static_cast<std::size_t>(cell)] += p.volume[i];
  }
  return *std::max_element(volume.begin(), volume.end()) / grid.cell_volume();
}

} // namespace corral::mppic

#include "mppic/output/figures.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

double Measures::pressure_drop(const Step<Cpu>& step) const {
  if (!setup_.gas.solved) return 0; // its pressure is its head alone
  const Grid& grid = domain_.grid();
  const std::int64_t plane = setup_.cells[0] * setup_.cells[1], top = plane * (setup_.cells[2] - 1);
  const double h = grid.axis(2).spacing;
  const Array<double>& p = step.flow().pressure;
  const auto G = [&](std::int64_t f) { return step.gas().mixture_gradient(2, f, step.flow()); };
  const std::int64_t top_face = grid.points(Staggering::face_z) - plane; // a periodic axis has no other end
  const double floor = sum(step.execution(), plane, [&](std::int64_t c) { return p[c] - 0.5 * h * G(c); });
  const double ceiling =
      sum(step.execution(), plane, [&](std::int64_t c) { return p[top + c] + 0.5 * h * G(top_face + c); });
  const VaryingGas* varying = step.heat() ? step.heat()->gas().varying() : nullptr;
  double rho = setup_.gas.rho;
  if (varying) { // of the step
    const Array<double>& density = varying->density();
    rho = sum(step.execution(), density.size(), [&](std::int64_t c) { return density[c]; }) / static_cast<double>(density.size());
  }
  const double drive = step.gas().drive(2) * (setup_.size[2] - h); // between the cells' centres; beyond them G has it
  return (floor - ceiling) / static_cast<double>(plane) - drive + rho * setup_.gravity[2] * setup_.size[2];
}

double Measures::floor_contact(const Step<Cpu>& step) const {
  if (!setup_.solids.packing || setup_.solids.frozen) return 0;
  const std::int64_t plane = setup_.cells[0] * setup_.cells[1];
  return sum(step.execution(), plane, [&](std::int64_t f) { return step.contact().floor_load(f); }) / static_cast<double>(plane);
}

double Measures::weight(const Step<Cpu>& step) const {
  const double area = setup_.size[0] * setup_.size[1];
  if (setup_.solids.densities_differ())
    return (mass(step) - setup_.gas.rho * solids_volume(step)) * -setup_.gravity[2] / area;
  const double pull = -setup_.gravity[2] * (setup_.solids.rho - setup_.gas.rho);
  return solids_volume(step) * pull / area;
}

double Measures::mass(const Step<Cpu>& step) const {
  const Array<double>& v = step.parcels().volume;
  const ParcelProperty rho = step.parcels().density();
  return sum(step.execution(), v.size(), [&](std::int64_t i) { return rho[i] * v[i]; });
}

double Measures::solids_volume(const Step<Cpu>& step) const {
  const Array<double>& v = step.parcels().volume;
  return sum(step.execution(), v.size(), [&](std::int64_t i) { return v[i]; });
}

double Measures::speed_rms(const Step<Cpu>& step) const {
  const Parcels& p = step.parcels();
  const double volume = solids_volume(step);
  if (volume <= 0) return 0;
  const double squares = sum(step.execution(), p.size(), [&](std::int64_t i) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += (*p.velocity[d])[i] * (*p.velocity[d])[i];
    return p.volume[i] * square;
  });
  return std::sqrt(squares / volume);
}

/// Mean of a column, weighted by mass.
double Measures::centre_of_mass(const Step<Cpu>& step, const Array<double>& column) const {
  const double all = mass(step);
  const Array<double>& v = step.parcels().volume;
  const ParcelProperty rho = step.parcels().density();
  return all > 0 ? sum(step.execution(), v.size(), [&](std::int64_t i) { return rho[i] * v[i] * column[i]; }) / all : 0;
}

double Measures::velocity_z(const Step<Cpu>& step) const {
  if (setup_.solids.densities_differ()) return centre_of_mass(step, *step.parcels().velocity[2]);
  const double volume = solids_volume(step);
  const Array<double>&v = step.parcels().volume, &u = *step.parcels().velocity[2];
  return volume > 0 ? sum(step.execution(), v.size(), [&](std::int64_t i) { return v[i] * u[i]; }) / volume : 0;
}

double Measures::centre_z(const Step<Cpu>& step) const {
  if (setup_.solids.densities_differ()) return centre_of_mass(step, *step.parcels().position[2]);
  const double volume = solids_volume(step);
  const Array<double>&v = step.parcels().volume, &z = *step.parcels().position[2];
  return volume > 0 ? sum(step.execution(), v.size(), [&](std::int64_t i) { return v[i] * z[i]; }) / volume : 0;
}

/// From a histogram of the heights by volume, linear within a bin.
double Measures::height_99(const Step<Cpu>& step) const {
  constexpr std::int64_t bins = 4096;
  const Array<double>&v = step.parcels().volume, &z = *step.parcels().position[2];
  const double low = setup_.origin[2], width = setup_.size[2] / bins;
  std::vector<double> histogram(bins, 0.0);
  double total = 0;
  for (std::int64_t i = 0; i < v.size(); ++i) {
    const auto b = std::clamp(static_cast<std::int64_t>((z[i] - low) / width), std::int64_t{0}, bins - 1);
    histogram[b] += v[i];
    total += v[i];
  }
  double above = 0;
  for (std::int64_t b = bins - 1; b >= 0; --b) {
    const double here = histogram[b];
    if (above + here > 0.01 * total) return low + width * (static_cast<double>(b) + 1 - (0.01 * total - above) / here);
    above += here;
  }
  return low;
}

HalfCells::HalfCells(const Setup& setup, const Grid& grid, const Step<Cpu>& step)
    : theta_(step.flow().solids_fraction), packed_(0.9 * setup.solids.stress.theta_cp),
      plane_(setup.cells[0] * setup.cells[1]), share_(2 * static_cast<std::size_t>(grid.cells()), 0.0) {
  const Parcels& p = step.parcels();
  const double scale = 2 / grid.cell_volume();
  for (std::int64_t i = 0; i < p.size(); ++i) {
    std::int64_t cell = 0, stride = 1;
    for (int d = 0; d < 2; ++d) {
      const Axis& a = grid.axis(d);
      cell += stride * std::clamp(static_cast<std::int64_t>(a.index((*p.position[d])[i])),
                                  std::int64_t{0}, a.cells - 1);
      stride *= a.cells;
    }
    const Axis& z = grid.axis(2);
    const auto half = std::clamp(static_cast<std::int64_t>(2 * z.index((*p.position[2])[i])), std::int64_t{0},
                                 2 * z.cells - 1);
    share_[static_cast<std::size_t>(2 * (cell + stride * (half / 2)) + half % 2)] += scale * p.volume[i];
  }
}

double HalfCells::largest_cell() const {
  double largest = 0;
  for (std::int64_t c = 0; c < theta_.size(); ++c) largest = std::max(largest, 0.5 * (low(c) + high(c)));
  return largest;
}

double HalfCells::unevenness() const {
  double squares = 0;
  std::int64_t cells = 0;
  for (std::int64_t c = 0; c < theta_.size(); ++c) {
    const double both = low(c) + high(c);
    if (theta_[c] < packed_ || both <= 0) continue;
    squares += (high(c) - low(c)) * (high(c) - low(c)) / (both * both);
    ++cells;
  }
  return cells > 0 ? std::sqrt(squares / static_cast<double>(cells)) : 0;
}

double HalfCells::floor() const {
  double bed = 0, floor = 0;
  std::int64_t cells = 0;
  for (std::int64_t c = 0; c < theta_.size(); ++c) {
    if (c < plane_) floor += low(c) / static_cast<double>(plane_);
    if (theta_[c] < packed_) continue;
    bed += 0.5 * (low(c) + high(c));
    ++cells;
  }
  return cells > 0 ? floor * static_cast<double>(cells) / bed : 0;
}

} // namespace corral::mppic

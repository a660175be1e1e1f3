#pragma once

/// The loops of measures.hpp, for either processor.

#include "mppic/output/measures.hpp"
#include "mppic/parcels/sums.t.hpp"

#include <corral/atomic.hpp>
#include <corral/for_each.hpp>
#include <corral/together.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

// Volumes are added up as whole numbers of these units, so that no order of parcels shows in their sums.
inline constexpr double half_unit = 0x1p-40;  ///< of half a cell
inline constexpr double layer_unit = 0x1p-60; ///< of the box

/// Mass of gas out of the box through the outlets of a side, over faces' area: a number of a sum.
template <Execution E> int add_mass_out(Together<E>& all, const VaryingGas& gas, const fluid::Domain& domain, int side) {
  const fluid::FacesOfSide faces(domain.grid(), fluid::Planes(), side);
  const double* mass_flux = gas.mass_flux()[side / 2]->data();
  const fluid::DomainView view = domain.view(memory_for<E>);
  return all.sum(faces.count(), [=] CORRAL_BODY(std::int64_t k) {
    return view.kind(side / 2, faces[k]) == fluid::FaceKind::outlet ? mass_flux[faces[k]] : 0.0;
  });
}

template <Execution E> FiguresOfStep Measures::of_step(const Step<E>& step) const {
  const Grid& grid = domain_.grid();
  const double plane = static_cast<double>(setup_.cells[0] * setup_.cells[1]);
  Together<E> all(step.execution());
  const int volume = add_total(all, step.parcels().size(), step.parcels().volume.data());
  const Mass mass = setup_.solids.densities_differ() ? add_mass(all, step.parcels()) : Mass{volume, setup_.solids.rho};
  const bool touches = setup_.solids.packing && !setup_.solids.frozen;
  const Array<double>& load = step.contact().floor_load();
  const int contact = touches ? add_total(all, load.size(), load.data()) : -1;
  const Gas::Report& gas = step.report().gas;
  const VaryingGas* varying = step.varying_gas();
  const int density = varying ? add_total(all, varying->density().size(), varying->density().data()) : -1;
  std::array<int, 6> out{};
  for (int s = 0; s < 6; ++s)
    out[s] = varying && domain_.side_kind(s) == fluid::SideKind::outlet ? add_mass_out(all, *varying, domain_, s) : -1;

  const auto found = step.parcels().ranks.totals(all.values(), {volume, mass.number});
  FiguresOfStep figures;
  figures.weight = weight(mass(found, 1), found[volume]);
  if (touches) figures.floor_contact = step.planes().totals(std::array{found[contact]})[0] / plane;
  if (setup_.gas.solved) { // else its pressure is its head alone
    double rho = setup_.gas.rho;
    if (varying) rho = found[density] / static_cast<double>(grid.cells());
    const double drive = step.gas().drive(2) * (setup_.size[2] - grid.axis(2).spacing); // between the cells' centres; beyond them G has it
    figures.pressure_drop = (gas.floor - gas.ceiling) / plane - drive +
                            rho * setup_.gravity[2] * setup_.size[2];
  }
  for (int s = 0; s < 6; ++s) {
    const double area = grid.cell_volume() / grid.axis(s / 2).spacing;
    figures.gas_out[s] = (s % 2 == 0 ? -area : area) * (varying ? out[s] < 0 ? 0 : found[out[s]] : gas.out[s]);
  }
  return figures;
}

/// Volume in halves of cells, the lower one of each first, in units: whole numbers, which doubles add up exactly, too.
template <Execution E> void Measures::fill_halves(const Step<E>& step, Array<double>& counted) const {
  const StepScratch& scratch = step.state().scratch;
  const distributed::FieldOfPlanes field{counted.span(), 2 * fluid::points_of_plane(domain_.grid(), Staggering::centre)};
  distributed::PiecesOfRanks reached; // parcels have moved since they were sorted
  if constexpr (std::same_as<E, Cpu>)
    if (scratch.own_sums) reached = planes_around_parcels(step.execution(), domain_.grid(), scratch.planes(), step.parcels());
  scratch.clear(step.execution(), field, reached);
  std::uint64_t* halves = fluid::seen_as<std::uint64_t>(counted).data();
  const std::array<const double*, 3> x = step.parcels().places();
  const double *volume = step.parcels().volume.data(), scale = 2 / domain_.grid().cell_volume() / half_unit;
  const Grid grid = domain_.grid();
  for_each(step.execution(), step.parcels().size(), [=] CORRAL_BODY(std::int64_t i) {
    std::int64_t cell = 0, stride = 1;
    for (int d = 0; d < 2; ++d) {
      const Axis& a = grid.axis(d);
      cell += stride * std::clamp(static_cast<std::int64_t>(a.index(x[d][i])), std::int64_t{0}, a.cells - 1);
      stride *= a.cells;
    }
    const Axis& z = grid.axis(2);
    const std::int64_t half = std::clamp(static_cast<std::int64_t>(2 * z.index(x[2][i])), std::int64_t{0}, 2 * z.cells - 1);
    add_atomically(halves[2 * (cell + stride * (half / 2)) + half % 2], static_cast<std::uint64_t>(scale * volume[i] + 0.5));
  });
  double* const units = counted.data();
  const fluid::Planes& planes = scratch.planes_of_sums();
  fluid::for_each_point(step.execution(), fluid::points_asked(grid, planes, reached, Staggering::centre), [=] CORRAL_BODY(std::int64_t c) {
    for (std::int64_t half = 2 * c; half < 2 * c + 2; ++half) units[half] = static_cast<double>(halves[half]);
  });
  scratch.add_over(step.parcels().ranks, {field}, reached);
}

template <Execution E> void Measures::fill_heights(const Step<E>& step) {
  if (heights_.memory() != memory_for<E>) heights_ = Array<std::uint64_t>(memory_for<E>);
  heights_.resize(height_bins);
  heights_.zero();
  std::uint64_t* heights = heights_.data();
  const double *z = step.parcels().position[2]->data(), *volume = step.parcels().volume.data();
  const double low = setup_.origin[2], width = setup_.size[2] / height_bins;
  const double scale = 1 / (setup_.size[0] * setup_.size[1] * setup_.size[2]) / layer_unit;
  for_each(step.execution(), step.parcels().size(), [=] CORRAL_BODY(std::int64_t i) {
    const std::int64_t bin = std::clamp(static_cast<std::int64_t>((z[i] - low) / width), std::int64_t{0}, height_bins - 1);
    add_atomically(heights[bin], static_cast<std::uint64_t>(scale * volume[i] + 0.5));
  });
  step.parcels().ranks.add(heights_.span());
}

/// What halves of cells hold, over their volume.
struct HalfCells {
  const double* counted;
  CORRAL_HOST_DEVICE double low(std::int64_t c) const { return half_unit * counted[2 * c]; }
  CORRAL_HOST_DEVICE double high(std::int64_t c) const { return half_unit * counted[2 * c + 1]; }
  CORRAL_HOST_DEVICE double both(std::int64_t c) const { return low(c) + high(c); }
};

/// Numbers of sums over halves of cells.
struct HalfSums {
  int largest, squares, filled; ///< filled: packed cells with parcels in them
  int floor, bed, packed;
};

/// Of its own cells.
template <Execution E>
HalfSums add_halves(Together<E>& all, const double* counted, const StepState& state, double packed, std::int64_t plane) {
  const fluid::OwnRange own = state.own(Staggering::centre);
  const HalfCells halves{counted + 2 * own.first};
  const double* theta = state.flow.solids_fraction.data() + own.first;
  const std::int64_t cells = own.count;
  HalfSums sums{};
  sums.largest = all.maximum(cells, 0, [=] CORRAL_BODY(std::int64_t c) { return 0.5 * halves.both(c); });
  sums.squares = all.sum(cells, [=] CORRAL_BODY(std::int64_t c) {
    const double both = halves.both(c), difference = halves.high(c) - halves.low(c);
    return theta[c] < packed || both <= 0 ? 0.0 : difference * difference / (both * both);
  });
  sums.filled = all.sum(cells, [=] CORRAL_BODY(std::int64_t c) { return theta[c] < packed || halves.both(c) <= 0 ? 0.0 : 1.0; });
  sums.floor = all.sum(std::clamp(plane - own.first, std::int64_t{0}, cells), [=] CORRAL_BODY(std::int64_t c) { return halves.low(c); });
  sums.bed = all.sum(cells, [=] CORRAL_BODY(std::int64_t c) { return theta[c] < packed ? 0.0 : 0.5 * halves.both(c); });
  sums.packed = all.sum(cells, [=] CORRAL_BODY(std::int64_t c) { return theta[c] < packed ? 0.0 : 1.0; });
  return sums;
}

/// Numbers of sums over parcels.
struct ParcelSums {
  int volume, squares; ///< squares: of speeds, by volume
  Mass mass;
  int height, velocity; ///< along z, by mass; by volume where there is one density
};

template <Execution E> ParcelSums add_parcels(Together<E>& all, const Parcels& parcels, bool densities_differ) {
  const std::int64_t n = parcels.size();
  const double *v = parcels.volume.data(), *z = parcels.position[2]->data();
  const std::array<double*, 3> u = run::pointers(parcels.velocity);
  ParcelSums sums{};
  sums.volume = add_total(all, n, v);
  sums.mass = densities_differ ? add_mass(all, parcels) : Mass{sums.volume, 1};
  sums.squares = all.sum(n, [=] CORRAL_BODY(std::int64_t i) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += u[d][i] * u[d][i];
    return v[i] * square;
  });
  ParcelProperty rho = parcels.density();
  if (!densities_differ) rho = {.all = 1};
  sums.height = all.sum(n, [=] CORRAL_BODY(std::int64_t i) { return rho[i] * v[i] * z[i]; });
  sums.velocity = all.sum(n, [=] CORRAL_BODY(std::int64_t i) { return rho[i] * v[i] * u[2][i]; });
  return sums;
}

template <Execution E> FiguresOfBed Measures::of_bed(Step<E>& step) {
  fill_heights(step);
  fluid::Scratch& fields = step.scratch().fields;
  Array<double> halves;
  fields.take(2 * domain_.grid().cells(), halves);
  fill_halves(step, halves);
  Together<E> all(step.execution());
  const bool differ = setup_.solids.densities_differ();
  const ParcelSums p = add_parcels(all, step.parcels(), differ);
  const std::int64_t plane = setup_.cells[0] * setup_.cells[1];
  const double dense = 0.9 * setup_.solids.stress.theta_cp;
  const HalfSums h = add_halves(all, halves.data(), step.state(), dense, plane);
  const auto of_parcels = step.parcels().ranks.totals(all.values(), {p.volume, p.mass.number, p.squares, p.height, p.velocity});
  const auto found = step.state().over_planes(of_parcels, {h.squares, h.filled, h.floor, h.bed, h.packed}, {h.largest});
  fields.give_back(halves);
  const auto over = [&](int sum, double by) { return by > 0 ? found[sum] / by : 0; };
  const double volume = found[p.volume], mass = p.mass(found, 1), packed = found[h.packed];
  FiguresOfBed figures;
  figures.solids_volume = volume;
  figures.weight = weight(differ ? mass : setup_.solids.rho * volume, volume);
  figures.speed_rms = std::sqrt(over(p.squares, volume));
  figures.velocity_z = over(p.velocity, mass);
  figures.centre_z = over(p.height, mass);
  figures.height_99 = height_99(heights_.values());
  figures.occupancy_max = found[h.largest];
  figures.unevenness = std::sqrt(over(h.squares, found[h.filled]));
  if (packed > 0) figures.floor_occupancy = found[h.floor] / static_cast<double>(plane) * packed / found[h.bed];
  return figures;
}

} // namespace corral::mppic

#pragma once

#include "fluid/domain.hpp"
#include "fluid/transport/advection.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/laws/gas_laws.hpp"

#include <array>
#include <cstdint>

/// What single cells and faces do in the balance of the gas's heat, for either processor.
namespace corral::mppic {

/// How walls take heat from the gas beside them: a value, for loops.
struct HeatWalls {
  fluid::DomainView domain;
  std::array<HeatSide, 6> sides;
  double conductivity;          ///< of the gas [W/(m K)]
  fluid::ConstFacePointers eps; ///< gas fraction of faces [-]

  /// [W/(m2 K)] between the wall on that face and the cell beside it; 0 where gas comes in, too.
  CORRAL_HOST_DEVICE double conductance(int side, std::int64_t face) const {
    const int d = side / 2;
    const HeatSide& wall = sides[side];
    if (wall.kind == HeatSide::Kind::adiabatic || domain.given_velocity(d, face) != 0) return 0;
    if (wall.kind == HeatSide::Kind::transferring) return wall.coefficient;
    return 2 * conductivity * eps[d][face] / domain.grid.axis(d).spacing;
  }
};

namespace heat {

CORRAL_HOST_DEVICE inline fluid::Cell cell_of(const Grid& grid, std::int64_t i) {
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
  return fluid::cell_at(grid, {i % nx, i / nx % ny, i / (nx * ny)});
}

/// Temperature of what flows through a face [K]: that of where it comes from, beyond a side what an inlet lets in or what is
/// outside of an outlet; with van Leer's scheme between that and the next, where there are cells on both sides.
struct UpwindTemperature {
  const double *temperature, *inflow;
  const std::uint8_t* marks;
  double outside; ///< [K]
  Grid grid;
  int axis;       ///< of the faces
  bool van_leer;

  CORRAL_HOST_DEVICE double operator()(const fluid::Face& f, double flux) const {
    const std::int64_t from = flux > 0 ? f.below : f.above, to = flux > 0 ? f.above : f.below;
    if (from < 0)
      return static_cast<fluid::FaceKind>(marks[f.index] & fluid::FaceMark::kind) == fluid::FaceKind::outlet ? outside : inflow[f.index];
    if (!van_leer || to < 0) return temperature[from];
    const std::int64_t behind = fluid::neighbour(grid, cell_of(grid, from), axis, !(flux > 0));
    if (behind < 0) return temperature[from];
    return fluid::advected<fluid::Advection::van_leer>(temperature[behind], temperature[from], temperature[to]);
  }
};

/// What crosses a face in a sub-step [K kg/(m2 s)]: carried upwind, and conducted between cells.
struct HeatFlux {
  const double *mass_flux, *eps;
  UpwindTemperature upwind;
  double conductance; ///< conductivity over heat capacity and cell size, 0 where conduction is implicit

  CORRAL_HOST_DEVICE double operator()(const fluid::Face& f) const {
    const double F = mass_flux[f.index], carried = F * upwind(f, F);
    if (f.boundary()) return carried;
    return carried - conductance * eps[f.index] * (upwind.temperature[f.above] - upwind.temperature[f.below]);
  }
};

/// A cell's balance over a sub-step: takes T = has. All of `has` but the flux are positive shares of temperatures that take
/// part, so that T is a mean of them for any step.
struct CellBalance {
  HeatWalls walls;
  const double *temperature, *mass, *next_mass, *share, *given;
  fluid::ConstFacePointers flux;
  double capacity, dt; ///< [J/(kg K)]; of the sub-step [s]
  double done, part;   ///< shares of the step before the sub-step, and of it
  double gained, gains; ///< shares of the change of mass that have come before it, and by its end
  double source;          ///< that the gas gives off [W/m3]
  double specific_volume; ///< of the gas [m3/kg], of an ideal gas per temperature [m3/(kg K)]
  bool ideal;
  // Of an ideal gas: div F, where heat is foreseen with a mass that stays all the same [kg/(m3 s)]; solids fraction, where
  // its pressure rises in the sub-step, by so much.
  const double* staying = nullptr;
  const double* theta = nullptr;
  double rise = 0; ///< [Pa]

  CORRAL_HOST_DEVICE double room(std::int64_t i) const { return walls.domain.grid.cell_volume() * gas_share(theta[i]); }

  /// What the gas of a cell gives off in the sub-step [J].
  CORRAL_HOST_DEVICE double given_off(std::int64_t i) const {
    const double held = walls.domain.grid.cell_volume() * (mass[i] + gained * (next_mass[i] - mass[i]));
    return dt * source * held * specific_volume * (ideal ? temperature[i] : 1);
  }

  struct Sides {
    double takes, has; ///< [J/K], [J]
    double held_before, held; ///< by the gas [J/K]
  };
  CORRAL_HOST_DEVICE Sides operator()(const fluid::Cell& c) const {
    const Grid& grid = walls.domain.grid;
    const std::int64_t i = c.index;
    const double volume = grid.cell_volume(), gain = next_mass[i] - mass[i];
    Sides s{};
    s.held_before = capacity * volume * (mass[i] + gained * gain);
    s.held = capacity * volume * (mass[i] + gains * gain);
    s.takes = s.held + part * share[i];
    s.has = s.held_before * temperature[i] + part * given[i] -
            dt * capacity * volume * fluid::divergence(walls.domain, c, fluid::ValueOnFace{flux});
    if (source != 0) s.has += given_off(i);
    if (staying) s.has += dt * capacity * volume * temperature[i] * staying[i];
    if (theta) s.has += room(i) * rise;
    for (int side = 0; side < 6; ++side) {
      const auto d = static_cast<std::size_t>(side / 2);
      if (fluid::neighbour(grid, c, side / 2, side % 2 == 1) >= 0) continue;
      const double to_wall = dt * volume / grid.axis(side / 2).spacing *
                             walls.conductance(side, side % 2 == 1 ? c.high[d] : c.low[d]);
      s.takes += to_wall;
      s.has += to_wall * walls.sides[side].temperature;
    }
    return s;
  }
};

/// The share of a cell's gas that flows out of it in a step, or of its heat that is conducted away.
struct ShareLost {
  fluid::DomainView domain;
  fluid::ConstFacePointers mass_flux, eps;
  const double *mass, *next_mass;
  double conductivity, dt; ///< over heat capacity [kg/(m s)]; [s]
  bool by_conduction, by_inflow = false; ///< instead: how often what flows in replaces its gas

  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const {
    const fluid::Cell c = cell_of(domain.grid, i);
    double rate = 0;
    for (int d = 0; d < 3; ++d) {
      const double h = domain.grid.axis(d).spacing;
      const double low = domain.aperture(d, c.low[d]), high = domain.aperture(d, c.high[d]);
      const double in = low * mass_flux[d][c.low[d]], out = high * mass_flux[d][c.high[d]];
      if (by_inflow) rate += ((in > 0 ? in : 0) - (out < 0 ? out : 0)) / h;
      else if (!by_conduction) rate += ((out > 0 ? out : 0) - (in < 0 ? in : 0)) / h;
      else if (domain.grid.axis(d).cells > 1)
        rate += conductivity * (low * eps[d][c.low[d]] + high * eps[d][c.high[d]]) / (h * h);
    }
    const double least = mass[i] < next_mass[i] ? mass[i] : next_mass[i];
    return least > 0 ? dt * rate / least : 1e30;
  }
};

/// What the cells' heat did.
struct CellSums {
  double stored = 0, change = 0, to_solids = 0, exchanged = 0; ///< [J]
  double compressed = 0; ///< that the rise of pressure gave [J]
  double given_off = 0;  ///< [J]

  CORRAL_HOST_DEVICE void operator+=(const CellSums& b) {
    stored += b.stored;
    change += b.change;
    to_solids += b.to_solids;
    exchanged += b.exchanged;
    compressed += b.compressed;
    given_off += b.given_off;
  }
};

/// The end of a sub-step: T of the cells, and its share in the mean that parcels meet.
struct EndOfCell {
  CellBalance balance;
  double *temperature, *mean;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i, CellSums& sums) const {
    const CellBalance::Sides s = balance(cell_of(balance.walls.domain.grid, i));
    const double T = s.has / s.takes, part = balance.part;
    sums.stored += s.held * T;
    sums.change += s.held * T - s.held_before * temperature[i];
    sums.to_solids += part * (balance.share[i] * T - balance.given[i]);
    sums.exchanged += part * (balance.share[i] * T + balance.given[i]);
    if (balance.theta) sums.compressed += balance.room(i) * balance.rise;
    if (balance.source != 0) sums.given_off += balance.given_off(i);
    mean[i] = balance.done > 0 ? mean[i] + part * T : part * T;
    temperature[i] = T;
  }
};

} // namespace heat

} // namespace corral::mppic

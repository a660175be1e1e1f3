#pragma once

/// Sums of measures.hpp, for either processor.

#include "fluid/lattice/measures.hpp"

#include <corral/for_each.hpp>
#include <corral/host_device.hpp>
#include <corral/memory.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace corral::fluid::lattice {

namespace measuring {

/// Cells [begin, end) of a row along x, whose first cell is number `first`.
struct Stretch {
  std::int64_t first, begin, end, y, z;
};

/// sum of of(stretch) over all cells of the domain, over all ranks: whole rows of the CPU, whose loops along them vectorise; single
/// cells of a device.
template <Execution E, class F> double sum_of_stretches(E execution, const Domain& domain, F of) {
  const Grid& grid = domain.grid();
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells, nz = grid.axis(2).cells;
  if constexpr (std::same_as<E, Cpu>) {
    const auto own = domain.own();
    const std::int64_t rows = own.end[1] - own.begin[1];
    return domain.over_ranks(sum(execution, rows * (own.end[2] - own.begin[2]), [=](std::int64_t r) {
      const std::int64_t y = own.begin[1] + r % rows, z = own.begin[2] + r / rows;
      return of(Stretch{(y + z * ny) * nx, own.begin[0], own.end[0], y, z});
    }));
  } else {
    return sum(execution, nx * ny * nz, [=] CORRAL_BODY(std::int64_t c) {
      const std::int64_t r = c / nx, x = c - r * nx;
      return of(Stretch{r * nx, x, x + 1, r % ny, r / ny});
    });
  }
}

/// Of a row beside a wall: what is missing to its velocity, and that times the wall's.
struct AtWall {
  double squares = 0, work = 0;
  CORRAL_HOST_DEVICE void add(double u, double wall) { squares += (wall - u) * (wall - u), work += wall * (wall - u); }
};

/// What loops see of a flow.
class Viscous {
public:
  Viscous(const Domain& domain, Memory memory, const ConstFacePointers& u) : domain_(domain.view(memory)), u_(u) {
    const Grid& grid = domain.grid();
    for (int d = 0; d < 3; ++d) {
      n_[d] = grid.axis(d).cells;
      square_[d] = grid.axis(d).spacing * grid.axis(d).spacing;
      periodic_[d] = grid.axis(d).periodic();
    }
    for (int s = 0; s < 6; ++s)
      for (int d = 0; d < 3; ++d) wall_[s][d] = domain.wall_velocity(s)[static_cast<std::size_t>(d)];
  }

  /// Of differences over h of the velocity and another field, null: none.
  CORRAL_HOST_DEVICE double differences(const ConstFacePointers& other, const Stretch& s) const {
    double total = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      if (!other[d]) continue;
      const double *u = u_[d] + s.first, *v = other[d] + s.first;
      double along_x = products(u, v, 1, s.begin, s.end < n_[0] ? s.end : n_[0] - 1);
      if (periodic_[0] && s.end == n_[0]) along_x += products(u, v, 1 - n_[0], n_[0] - 1, n_[0]);
      total += along_x / square_[0] + across(1, s.y, n_[0], u, v, s) + across(2, s.z, n_[0] * n_[1], u, v, s);
    }
    return total;
  }

  /// Of squares of what is missing to walls over h/2, half as many.
  CORRAL_HOST_DEVICE double walls(const Stretch& s) const { return 2 * at_walls(s).squares; }

  /// Of velocities of walls and (u_w - u) over h/2.
  CORRAL_HOST_DEVICE double work(const Stretch& s) const { return 2 * at_walls(s).work; }

private:
  /// sum (a[i + to] - a[i]) (b[i + to] - b[i]), i in [begin, end).
  CORRAL_HOST_DEVICE static double products(const double* a, const double* b, std::int64_t to, std::int64_t begin,
                                            std::int64_t end) {
    double total = 0;
    for (std::int64_t i = begin; i < end; ++i) total += (a[i + to] - a[i]) * (b[i + to] - b[i]);
    return total;
  }

  /// With the row behind it along an axis.
  CORRAL_HOST_DEVICE double across(int d, std::int64_t at, std::int64_t stride, const double* u, const double* v,
                                   const Stretch& s) const {
    if (n_[d] < 2 || (at + 1 == n_[d] && !periodic_[d])) return 0;
    return products(u, v, at + 1 < n_[d] ? stride : -(n_[d] - 1) * stride, s.begin, s.end) / square_[d];
  }

  /// Over the squares of spacings.
  CORRAL_HOST_DEVICE AtWall at_walls(const Stretch& s) const {
    AtWall total;
    for (int side = 0; side < 6; ++side) {
      if (domain_.sides[static_cast<std::size_t>(side)] != SideKind::no_slip) continue;
      const int d = side / 2;
      const std::int64_t at = side % 2 == 0 ? 0 : n_[d] - 1;
      if (d > 0 && (d == 1 ? s.y : s.z) != at) continue;
      if (d == 0 && (at < s.begin || at >= s.end)) continue;
      AtWall of;
      for (std::int64_t x = d == 0 ? at : s.begin; x < (d == 0 ? at + 1 : s.end); ++x)
        for (int e = 0; e < 3; ++e) of.add(u_[static_cast<std::size_t>(e)][s.first + x], wall(side, e, x, s));
      total.squares += of.squares / square_[d], total.work += of.work / square_[d];
    }
    return total;
  }

  CORRAL_HOST_DEVICE double wall(int side, int component, std::int64_t x, const Stretch& s) const {
    if (component != side / 2) return wall_[side][component];
    const Cell c = cell_at(domain_.grid, {x, s.y, s.z});
    const auto d = static_cast<std::size_t>(component);
    return domain_.given_velocity(component, side % 2 == 0 ? c.low[d] : c.high[d]);
  }

  DomainView domain_;
  ConstFacePointers u_;
  std::int64_t n_[3] = {};
  double square_[3] = {}; ///< of spacings [m2]
  bool periodic_[3] = {};
  double wall_[6][3] = {}; ///< velocities [m/s]
};

} // namespace measuring

template <Execution E>
ViscousWork viscous_work(E execution, const Domain& domain, const LatticeProperties& p, const ConstFacePointers& velocity,
                         const ConstFacePointers& force) {
  using measuring::Stretch;
  const measuring::Viscous flow(domain, memory_for<E>, velocity);
  const Grid& grid = domain.grid();
  const double h = grid.axis(0).spacing, by_force = response_at_points(p, h).mean * h * h, mu = p.viscosity;
  const double dissipated = measuring::sum_of_stretches(execution, domain, [=] CORRAL_BODY(const Stretch& s) {
    return mu * (flow.differences(velocity, s) + flow.walls(s)) + by_force * flow.differences(force, s);
  });
  const double by_walls =
      measuring::sum_of_stretches(execution, domain, [=] CORRAL_BODY(const Stretch& s) { return mu * flow.work(s); });
  return {grid.cell_volume() * dissipated, grid.cell_volume() * by_walls};
}

template <Execution E> double kinetic_energy(E execution, const Domain& domain, double density, const ConstFacePointers& u) {
  return 0.5 * density * lattice::power(execution, domain, u, u);
}

template <Execution E>
double power(E execution, const Domain& domain, const ConstFacePointers& force, const ConstFacePointers& u) {
  using measuring::Stretch;
  const Grid& grid = domain.grid();
  return grid.cell_volume() * measuring::sum_of_stretches(execution, domain, [=] CORRAL_BODY(const Stretch& s) {
           double total = 0;
           for (std::size_t d = 0; d < 3; ++d)
             for (std::int64_t c = s.first + s.begin; c < s.first + s.end; ++c) total += force[d][c] * u[d][c];
           return total;
         });
}

} // namespace corral::fluid::lattice

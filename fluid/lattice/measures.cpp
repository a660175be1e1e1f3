#include "fluid/lattice/measures.hpp"

#include <corral/for_each.hpp>

#include <array>
#include <cstdint>

namespace corral::fluid::lattice {

namespace {

/// sum of of_row(the row's first cell, y, z) over all rows along x.
template <class F> double sum_of_rows(Cpu cpu, const Grid& grid, F of_row) {
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
  return sum(cpu, ny * grid.axis(2).cells, [=](std::int64_t r) { return of_row(r * nx, r % ny, r / ny); });
}

/// sum (b - a) (b' - a') of two fields.
double products(const double* a, const double* b, const double* a2, const double* b2, std::int64_t n) {
  double total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += (b[i] - a[i]) * (b2[i] - a2[i]);
  return total;
}

/// Of a row beside a wall: what is missing to its velocity, and that times the wall's.
struct AtWall {
  double squares = 0, work = 0;
  void add(double u, double wall) { squares += (wall - u) * (wall - u), work += wall * (wall - u); }
};

class Viscous {
public:
  Viscous(const Domain& domain, const ConstFacePointers& u) : domain_(domain), grid_(domain.grid()), u_(u) {
    for (int d = 0; d < 3; ++d) n_[d] = grid_.axis(d).cells;
  }

  /// Of differences over h of the velocity and another field, null: none.
  double differences_of_row(const ConstFacePointers& other, std::int64_t first, std::int64_t y, std::int64_t z) const {
    double total = 0;
    for (int d = 0; d < 3; ++d) {
      if (!other[d]) continue;
      const double *u = u_[d] + first, *v = other[d] + first;
      double along_x = products(u, u + 1, v, v + 1, n_[0] - 1);
      if (grid_.axis(0).periodic()) along_x += products(u + n_[0] - 1, u, v + n_[0] - 1, v, 1);
      total += along_x / square_of(0) + across(1, y, n_[0], u, v) + across(2, z, n_[0] * n_[1], u, v);
    }
    return total;
  }

  /// Of squares of what is missing to walls over h/2, half as many.
  double walls_of_row(std::int64_t first, std::int64_t y, std::int64_t z) const { return 2 * at_walls(first, y, z).squares; }

  /// Of velocities of walls and (u_w - u) over h/2.
  double work_of_row(std::int64_t first, std::int64_t y, std::int64_t z) const { return 2 * at_walls(first, y, z).work; }

private:
  double square_of(int d) const { return grid_.axis(d).spacing * grid_.axis(d).spacing; }

  /// With the row behind it along an axis.
  double across(int d, std::int64_t at, std::int64_t stride, const double* u, const double* v) const {
    if (n_[d] < 2 || (at + 1 == n_[d] && !grid_.axis(d).periodic())) return 0;
    const std::int64_t to = at + 1 < n_[d] ? stride : -(n_[d] - 1) * stride;
    return products(u, u + to, v, v + to, n_[0]) / square_of(d);
  }

  /// Over the squares of spacings.
  AtWall at_walls(std::int64_t first, std::int64_t y, std::int64_t z) const {
    AtWall total;
    for (int s = 0; s < 6; ++s) {
      if (domain_.side_kind(s) != SideKind::no_slip) continue;
      const int d = s / 2;
      const std::int64_t last = n_[d] - 1, at = s % 2 == 0 ? 0 : last;
      if (d > 0 && (d == 1 ? y : z) != at) continue;
      AtWall of;
      for (std::int64_t x = d == 0 ? at : 0; x < (d == 0 ? at + 1 : n_[0]); ++x)
        for (int e = 0; e < 3; ++e) of.add(u_[e][first + x], wall(s, e, {x, y, z}));
      total.squares += of.squares / square_of(d), total.work += of.work / square_of(d);
    }
    return total;
  }

  double wall(int side, int component, const std::array<std::int64_t, 3>& cell) const {
    if (component != side / 2) return domain_.wall_velocity(side)[component];
    const Cell c = cell_at(grid_, cell);
    return domain_.given_velocity(component, side % 2 == 0 ? c.low[component] : c.high[component]);
  }

  const Domain& domain_;
  const Grid& grid_;
  ConstFacePointers u_;
  std::array<std::int64_t, 3> n_{};
};

} // namespace

ViscousWork viscous_work(Cpu cpu, const Domain& domain, const LatticeProperties& p, const ConstFacePointers& velocity,
                         const ConstFacePointers& force) {
  const Viscous rows(domain, velocity);
  const Grid& grid = domain.grid();
  const double h = grid.axis(0).spacing, by_force = response_at_points(p, h).mean * h * h, mu = p.viscosity;
  const double dissipated = sum_of_rows(cpu, grid, [&](std::int64_t first, std::int64_t y, std::int64_t z) {
    return mu * (rows.differences_of_row(velocity, first, y, z) + rows.walls_of_row(first, y, z)) +
           by_force * rows.differences_of_row(force, first, y, z);
  });
  const double by_walls = sum_of_rows(cpu, grid, [&](std::int64_t first, std::int64_t y, std::int64_t z) {
    return mu * rows.work_of_row(first, y, z);
  });
  return {grid.cell_volume() * dissipated, grid.cell_volume() * by_walls};
}

AtPoints response_at_points(const LatticeProperties& p, double spacing) {
  const double late = relaxation_time(p, spacing) - 0.5;
  const double magic = p.collision == Collision::bgk ? late * late : p.collision == Collision::trt ? p.magic : 0.5 * late;
  return {1. / 4 - 2. / 3 * magic, 3. / 20 - 4. / 15 * magic};
}

double kinetic_energy(Cpu cpu, const Domain& domain, double density, const ConstFacePointers& u) {
  return 0.5 * density * power(cpu, domain, u, u);
}

double power(Cpu cpu, const Domain& domain, const ConstFacePointers& force, const ConstFacePointers& u) {
  const Grid& grid = domain.grid();
  return grid.cell_volume() * sum_of_rows(cpu, grid, [&](std::int64_t first, std::int64_t, std::int64_t) {
           double total = 0;
           for (int d = 0; d < 3; ++d)
             for (std::int64_t c = first; c < first + grid.axis(0).cells; ++c) total += force[d][c] * u[d][c];
           return total;
         });
}

} // namespace corral::fluid::lattice

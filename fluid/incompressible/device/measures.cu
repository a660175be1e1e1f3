/// Measures of a flow whose fields lie on a device.

#include "fluid/incompressible/measures.hpp"

#include "fluid/incompressible/device/momentum.hpp"

#include <corral/for_each.cuh>
#include <corral/together.cuh>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace corral::fluid {

using namespace spectral_flow;

namespace {

/// Of the faces on the lower sides of a cell, but for those on walls.
struct Products {
  Box box;
  ConstFacePointers a, b;
  CORRAL_HOST_DEVICE double operator()(std::int64_t cell) const {
    const Place p = box.place(cell);
    double total = 0;
    for (int d = 0; d < 3; ++d)
      if (const std::int64_t f = box.face(d, p); !box.on_wall(d, p)) total += a[d][f] * b[d][f];
    return total;
  }
};

/// Of one component.
struct Values {
  Box box;
  int d;
  const double* u;
  CORRAL_HOST_DEVICE double operator()(std::int64_t cell) const {
    const Place p = box.place(cell);
    return box.on_wall(d, p) ? 0 : u[box.face(d, p)];
  }
};

/// Its magnitude; no number where it is infinite.
struct Magnitudes {
  Values values;
  CORRAL_HOST_DEVICE double operator()(std::int64_t cell) const {
    const double u = values(cell);
    return std::abs(u) + 0 * u;
  }
};

/// Velocities of the walls along the box.
struct Walls {
  double low[3], high[3]; ///< [m/s]
};

/// Squares of differences to the faces before over the squares of spacings, and what is beside walls.
struct SquaredDifferences {
  Box box;
  ConstFacePointers u;
  Walls walls;
  double per_square[3]; ///< [1/m2]

  CORRAL_HOST_DEVICE double operator()(std::int64_t cell) const {
    const Place p = box.place(cell);
    double total = 0;
    for (int d = 0; d < 3; ++d) {
      if (box.on_wall(d, p)) continue;
      const double here = u[d][box.face(d, p)];
      total += to(d, here, p, 0) + to(d, here, p, 2);
      if (!box.walled || p.j > 0) total += to(d, here, p, 1);
      if (!box.walled) continue;
      if (d == 1 && p.j == box.ny - 1) total += square(here - u[1][box.face(1, {p.i, box.ny, p.k})]) * per_square[1];
      if (d != 1 && p.j == 0) total += 2 * square(walls.low[d] - here) * per_square[1];
      if (d != 1 && p.j == box.ny - 1) total += 2 * square(walls.high[d] - here) * per_square[1];
    }
    return total;
  }

private:
  CORRAL_HOST_DEVICE static double square(double a) { return a * a; }
  CORRAL_HOST_DEVICE double to(int d, double here, const Place& p, int axis) const {
    return square(here - u[d][box.face(d, box.beside(p, axis, false))]) * per_square[axis];
  }
};

/// Beside both walls: their velocities times what is missing to them, over the square of the spacing, twice.
struct WorkOfWalls {
  Box box;
  ConstFacePointers u;
  Walls walls;
  double per_square; ///< [1/m2]

  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const {
    const Place low{i % box.nx, 0, i / box.nx}, high{low.i, box.ny - 1, low.k};
    double total = 0;
    for (int d = 0; d < 3; d += 2)
      total += walls.low[d] * (walls.low[d] - u[d][box.face(d, low)]) + walls.high[d] * (walls.high[d] - u[d][box.face(d, high)]);
    return 2 * total * per_square;
  }
};

} // namespace

double kinetic_energy(Gpu gpu, const Domain& domain, double density, const ConstFacePointers& u) {
  return 0.5 * density * power(gpu, domain, u, u);
}

double power(Gpu gpu, const Domain& domain, const ConstFacePointers& force, const ConstFacePointers& u) {
  return domain.grid().cell_volume() * sum(gpu, domain.grid().cells(), Products{box_of(domain), force, u});
}

std::array<double, 3> momentum(Gpu gpu, const Domain& domain, double density, const ConstFacePointers& u) {
  Together<Gpu> sums(gpu);
  for (int d = 0; d < 3; ++d) sums.sum(domain.grid().cells(), Values{box_of(domain), d, u[static_cast<std::size_t>(d)]});
  const double factor = density * domain.grid().cell_volume();
  const auto& found = sums.values();
  return {factor * found[0], factor * found[1], factor * found[2]};
}

std::array<double, 3> fastest(Gpu gpu, const Domain& domain, const ConstFacePointers& u) {
  Together<Gpu> most(gpu);
  for (int d = 0; d < 3; ++d) most.maximum(domain.grid().cells(), 0, Magnitudes{{box_of(domain), d, u[static_cast<std::size_t>(d)]}});
  const auto& found = most.values();
  return {found[0], found[1], found[2]};
}

ViscousWork viscous_work(Gpu gpu, const Domain& domain, double viscosity, const ConstFacePointers& u) {
  const Grid& grid = domain.grid();
  const Box box = box_of(domain);
  Walls walls{};
  for (int d = 0; d < 3 && box.walled; ++d) {
    walls.low[d] = domain.wall_velocity(side(1, false))[static_cast<std::size_t>(d)];
    walls.high[d] = domain.wall_velocity(side(1, true))[static_cast<std::size_t>(d)];
  }
  const auto per_square = [&](int d) { return 1 / (grid.axis(d).spacing * grid.axis(d).spacing); };
  Together<Gpu> sums(gpu);
  sums.sum(grid.cells(), SquaredDifferences{box, u, walls, {per_square(0), per_square(1), per_square(2)}});
  sums.sum(box.walled ? box.nx * box.nz : 0, WorkOfWalls{box, u, walls, per_square(1)});
  const double factor = viscosity * grid.cell_volume();
  const auto& found = sums.values();
  return {factor * found[0], factor * found[1]};
}

} // namespace corral::fluid

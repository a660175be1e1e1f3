#include "fluid/incompressible/varying_viscosity.hpp"

#include "fluid/incompressible/flow_rows.hpp"
#include "fluid/incompressible/stress_rows.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace corral::fluid {
namespace {

std::int64_t back(std::int64_t at, std::int64_t n) { return at == 0 ? n - 1 : at - 1; }
std::int64_t on(std::int64_t at, std::int64_t n) { return at == n - 1 ? 0 : at + 1; }

/// Six sums, or two, of rows: added in fixed order.
struct RowSums {
  std::array<double, 6> value{};
  RowSums& operator+=(const RowSums& other) {
    for (std::size_t i = 0; i < value.size(); ++i) value[i] += other.value[i];
    return *this;
  }
};

} // namespace

VaryingViscosity::VaryingViscosity(const Domain& domain)
    : domain_(domain), layout_(domain), cells_(domain.grid().cells()), fluidity_(domain.grid().cells()) {
  edges_[xy].resize(domain.grid().points(face(1)));
  edges_[xz].resize(domain.grid().cells());
  edges_[yz].resize(domain.grid().points(face(1)));
}

void VaryingViscosity::set(Cpu cpu, const double* mu) {
  for_each(cpu, cells_.size(), [to = cells_.data(), inverse = fluidity_.data(), mu](std::int64_t c) {
    to[c] = mu[c];
    inverse[c] = 1 / mu[c];
  });
  const std::int64_t nx = layout_.shape.nx, ny = layout_.grid.axis(1).cells, nz = layout_.grid.axis(2).cells;
  const std::int64_t rows = layout_.walled ? ny + 1 : ny; // of edges beside faces of y
  const auto mean = [=](const double* a, const double* b, const double* c, const double* d, std::int64_t i, std::int64_t k) {
    return 4 / ((a[i] + b[k]) + (c[i] + d[k]));
  };
  for_each_chunk(cpu, rows * nz, rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t j = row % rows, k = row / rows;
      // On walls there are cells on one side alone.
      const std::int64_t above = std::min(j, ny - 1), below = layout_.walled ? std::max<std::int64_t>(j - 1, 0) : back(j, ny);
      const auto row_of = [&](std::int64_t at_j, std::int64_t at_k) { return fluidity_.data() + layout_.begin(0, at_j, at_k); };
      const double *const here = row_of(above, k), *const under = row_of(below, k);
      const double *const behind = row_of(above, back(k, nz)), *const both = row_of(below, back(k, nz));
      double* const to_xy = edges_[xy].data() + layout_.begin(1, j, k);
      double* const to_yz = edges_[yz].data() + layout_.begin(1, j, k);
      for (std::int64_t i = 0; i < nx; ++i) {
        to_xy[i] = mean(here, here, under, under, i, back(i, nx));
        to_yz[i] = mean(here, under, behind, both, i, i);
      }
      if (j == ny) continue;
      double* const to_xz = edges_[xz].data() + layout_.begin(0, j, k);
      for (std::int64_t i = 0; i < nx; ++i) to_xz[i] = mean(here, here, behind, behind, i, back(i, nx));
    }
  });
  set_ = true;
}

void VaryingViscosity::find_force(Cpu cpu, const ConstFacePointers& u, Walls walls, const FacePointers& force) const {
  const std::int64_t nx = layout_.shape.nx, ny = layout_.grid.axis(1).cells, nz = layout_.grid.axis(2).cells;
  const std::array<double, 3> per{1 / layout_.spacing(0), 1 / layout_.spacing(1), 1 / layout_.spacing(2)};
  for_each_chunk(cpu, ny * nz, rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    std::array<Array<double>, 2> beyond{Array<double>(nx), Array<double>(nx)};
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t j = row % ny, k = row / ny, j0 = layout_.walled ? j - 1 : back(j, ny), k0 = back(k, nz);
      const std::int64_t j1 = layout_.walled ? j + 1 : on(j, ny), k1 = on(k, nz);
      const auto at = [&](int d, std::int64_t b, std::int64_t c) { return u[d] + layout_.begin(d, b, c); };
      // Rows beside along y of a component along walls.
      const auto beside = [&](int d, bool high) {
        if (!layout_.walled || (high ? j < ny - 1 : j > 0)) return at(d, high ? j1 : j0, k);
        const double wall = walls == Walls::slide ? domain_.wall_velocity(side(1, high))[d] : 0;
        mirror_row(nx, wall, at(d, j, k), beyond[high ? 1 : 0].data());
        return static_cast<const double*>(beyond[high ? 1 : 0].data());
      };
      stress_row(StressRowOfX{.n = nx,
                              .per_spacing = per,
                              .u = at(0, j, k),
                              .u_low = {beside(0, false), at(0, j, k0)},
                              .u_high = {beside(0, true), at(0, j, k1)},
                              .mu = cell_row(j, k),
                              .edge_low = {edge_row(xy, j, k), edge_row(xz, j, k)},
                              .edge_high = {edge_row(xy, j1, k), edge_row(xz, j, k1)},
                              .side_low = {at(1, j, k), at(2, j, k)},
                              .side_high = {at(1, j1, k), at(2, j, k1)}},
                 force[0] + layout_.begin(0, j, k));
      stress_row(StressRowOfOther{.n = nx, .per_x = per[0], .per_a = per[2], .per_b = per[1],
                                  .u = at(2, j, k), .u_low_a = at(2, j, k0), .u_high_a = at(2, j, k1),
                                  .u_low_b = beside(2, false), .u_high_b = beside(2, true),
                                  .mu = cell_row(j, k), .mu_back = cell_row(j, k0),
                                  .edge_x = edge_row(xz, j, k), .x = at(0, j, k), .x_back = at(0, j, k0),
                                  .edge_b_low = edge_row(yz, j, k), .edge_b_high = edge_row(yz, j1, k),
                                  .b_low = at(1, j, k), .b_low_back = at(1, j, k0),
                                  .b_high = at(1, j1, k), .b_high_back = at(1, j1, k0)},
                 force[2] + layout_.begin(2, j, k));
      if (layout_.walled && j == 0) continue;
      stress_row(StressRowOfOther{.n = nx, .per_x = per[0], .per_a = per[1], .per_b = per[2],
                                  .u = at(1, j, k), .u_low_a = at(1, j0, k), .u_high_a = at(1, j1, k),
                                  .u_low_b = at(1, j, k0), .u_high_b = at(1, j, k1),
                                  .mu = cell_row(j, k), .mu_back = cell_row(j0, k),
                                  .edge_x = edge_row(xy, j, k), .x = at(0, j, k), .x_back = at(0, j0, k),
                                  .edge_b_low = edge_row(yz, j, k), .edge_b_high = edge_row(yz, j, k1),
                                  .b_low = at(2, j, k), .b_low_back = at(2, j0, k),
                                  .b_high = at(2, j, k1), .b_high_back = at(2, j0, k1)},
                 force[1] + layout_.begin(1, j, k));
    }
  });
}

/// Of a row of cells and of the edges on its lower sides, where a wall ends the box of those on its upper sides as well:
/// calls normal(axis, mu, du/dx) and shear(place of xy xz yz, mu, rate, share of the edge that is in the box, wall), `wall`
/// the velocity of the wall that the edge lies on along its component, 0 elsewhere.
class VaryingViscosity::Sums {
public:
  Sums(const VaryingViscosity& v, const ConstFacePointers& u) : v_(v), u_(u) {
    for (int d = 0; d < 3; ++d) per_[static_cast<std::size_t>(d)] = 1 / v.layout_.spacing(d);
  }

  template <class Normal, class Shear> void row(std::int64_t j, std::int64_t k, Normal normal, Shear shear) const {
    const std::int64_t nx = v_.layout_.shape.nx, ny = v_.layout_.grid.axis(1).cells, nz = v_.layout_.grid.axis(2).cells;
    const bool walled = v_.layout_.walled;
    const std::int64_t j1 = walled ? j + 1 : on(j, ny), k0 = back(k, nz), k1 = on(k, nz);
    const double *u = at(0, j, k), *v = at(1, j, k), *v_high = at(1, j1, k), *w = at(2, j, k), *w_high = at(2, j, k1);
    const double* mu = v_.cell_row(j, k);
    for (std::int64_t i = 0; i < nx; ++i) {
      normal(0, mu[i], (u[on(i, nx)] - u[i]) * per_[0]);
      normal(1, mu[i], (v_high[i] - v[i]) * per_[1]);
      normal(2, mu[i], (w_high[i] - w[i]) * per_[2]);
    }
    const double *u_behind = at(0, j, k0), *edges = v_.edge_row(xz, j, k);
    for (std::int64_t i = 0; i < nx; ++i)
      shear(xz, edges[i], (u[i] - u_behind[i]) * per_[2] + (w[i] - w[back(i, nx)]) * per_[0], 1.0, 0.0);
    if (v_.layout_.beside_low_wall(j)) {
      on_wall(false, j, k, shear);
    } else {
      const std::int64_t j0 = back(j, ny); // between walls there is one
      const double *u_low = at(0, j0, k), *w_low = at(2, j0, k), *v_behind = at(1, j, k0);
      const double *of_x = v_.edge_row(xy, j, k), *of_z = v_.edge_row(yz, j, k);
      for (std::int64_t i = 0; i < nx; ++i) {
        shear(xy, of_x[i], (u[i] - u_low[i]) * per_[1] + (v[i] - v[back(i, nx)]) * per_[0], 1.0, 0.0);
        shear(yz, of_z[i], (w[i] - w_low[i]) * per_[1] + (v[i] - v_behind[i]) * per_[2], 1.0, 0.0);
      }
    }
    if (v_.layout_.beside_high_wall(j)) on_wall(true, j, k, shear);
  }

  template <class Add> RowSums over_box(Cpu cpu, Add add) const {
    const CellBox& own = v_.layout_.own;
    const std::int64_t ny = own.end[1] - own.begin[1], rows = ny * (own.end[2] - own.begin[2]);
    const std::int64_t parts = (rows + rows_per_task - 1) / rows_per_task;
    Array<RowSums> sums(parts, RowSums{});
    for_each_chunk(cpu, parts, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p)
        for (std::int64_t r = p * rows_per_task; r < std::min(rows, (p + 1) * rows_per_task); ++r)
          add(own.begin[1] + r % ny, own.begin[2] + r / ny, sums[p]);
    });
    RowSums total;
    for (const RowSums& part : sums) total += part;
    if (v_.layout_.shared) {
      const std::vector<double> all = v_.layout_.shared->team().sums(total.value);
      std::copy(all.begin(), all.end(), total.value.begin());
    }
    for (double& value : total.value) value *= v_.layout_.grid.cell_volume();
    return total;
  }

private:
  const double* at(int d, std::int64_t j, std::int64_t k) const { return u_[d] + v_.layout_.begin(d, j, k); }
  template <class Shear> void on_wall(bool high, std::int64_t j, std::int64_t k, Shear shear) const {
    const std::array<double, 3>& wall = v_.domain_.wall_velocity(side(1, high));
    const double factor = (high ? 2 : -2) * per_[1];
    for (const int d : {0, 2}) {
      const double *u = at(d, j, k), *mu = v_.edge_row(d == 0 ? xy : yz, high ? j + 1 : j, k);
      const double velocity = wall[static_cast<std::size_t>(d)];
      for (std::int64_t i = 0; i < v_.layout_.shape.nx; ++i)
        shear(d == 0 ? xy : yz, mu[i], factor * (velocity - u[i]), 0.5, (high ? 1 : -1) * velocity * per_[1]);
    }
  }

  const VaryingViscosity& v_;
  const ConstFacePointers& u_;
  std::array<double, 3> per_{};
};

ViscousWork VaryingViscosity::work(Cpu cpu, const ConstFacePointers& u) const {
  const Sums sums(*this, u);
  const RowSums total = sums.over_box(cpu, [&](std::int64_t j, std::int64_t k, RowSums& sum) {
    sums.row(
        j, k, [&](int, double mu, double rate) { sum.value[0] += 2 * mu * rate * rate; },
        [&](std::size_t, double mu, double rate, double share, double wall) {
          sum.value[0] += share * mu * rate * rate;
          sum.value[1] += mu * rate * wall;
        });
  });
  return {.dissipated = total.value[0], .by_walls = total.value[1]};
}

std::array<double, 6> VaryingViscosity::excess_stress(Cpu cpu, double mu0, const ConstFacePointers& u) const {
  const Sums sums(*this, u);
  return sums
      .over_box(cpu,
                [&](std::int64_t j, std::int64_t k, RowSums& sum) {
                  sums.row(
                      j, k,
                      [&](int d, double mu, double rate) { sum.value[static_cast<std::size_t>(d)] += 2 * (mu - mu0) * rate; },
                      [&](std::size_t edges, double mu, double rate, double share, double) {
                        sum.value[3 + edges] += share * (mu - mu0) * rate;
                      });
                })
      .value;
}

} // namespace corral::fluid

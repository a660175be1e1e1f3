#include "fluid/incompressible/measures.hpp"

#include "fluid/incompressible/row_sums.hpp"
#include "fluid/spectral/box_layout.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace corral::fluid {
namespace {

template <class F> void add_along(Cpu cpu, const Grid& grid, const BoxShear& shear, const FacePointers& to, F value) {
  for (const int axis : {shear.flow, shear.gradient})
    if (axis < 0 || axis > 2) throw Error("axis " + std::to_string(axis) + " of a shear (axes are 0, 1 and 2)");
  if (shear.flow == shear.gradient)
    throw Error("a shear along its own gradient (both are axis " + std::to_string(shear.flow) + ") take two axes");
  if (!grid.axis(shear.gradient).periodic())
    throw Error("a sheared box with walls at the ends of its gradient (it wraps) let a wall slide");
  double* const values = to[shear.flow];
  for_each_face(cpu, grid, shear.flow, [&](const Face& f) { values[f.index] += value(f.place[shear.gradient]); });
}

} // namespace

void add_shear(Cpu cpu, const Grid& grid, const BoxShear& shear, const FacePointers& velocity) {
  const auto n = static_cast<double>(grid.axis(shear.gradient).cells);
  const double step = shear.rate * grid.axis(shear.gradient).spacing;
  add_along(cpu, grid, shear, velocity,
            [=](std::int64_t j) { return step * (static_cast<double>(j) + 0.5 - 0.5 * n); });
}

void add_shear_force(Cpu cpu, const Grid& grid, const BoxShear& shear, double viscosity, const FacePointers& force) {
  const std::int64_t n = grid.axis(shear.gradient).cells;
  const double h = grid.axis(shear.gradient).spacing;
  // Around the end the velocity falls by rate n h.
  const double jump = viscosity * shear.rate * static_cast<double>(n) / h;
  add_along(cpu, grid, shear, force, [=](std::int64_t j) { return (j == n - 1 ? jump : 0.0) - (j == 0 ? jump : 0.0); });
}

namespace {

constexpr std::int64_t rows_of_a_part = 32; ///< fixed, so that sums don't depend on the number of threads

/// Sum of add(d, j, k), what a row of faces of component d adds, over this rank's rows that are not on walls.
template <class R, class Add> R sum_rows(Cpu cpu, const spectral::BoxLayout& layout, Add add) {
  const CellBox& own = layout.own;
  const std::int64_t ny = own.end[1] - own.begin[1], rows = ny * (own.end[2] - own.begin[2]);
  const std::int64_t parts = (rows + rows_of_a_part - 1) / rows_of_a_part;
  Array<R> sums(3 * parts, R{});
  for_each_chunk(cpu, 3 * parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p) {
      const int d = static_cast<int>(p / parts);
      const std::int64_t first = p % parts * rows_of_a_part, last = std::min(rows, first + rows_of_a_part);
      for (std::int64_t row = first; row < last; ++row)
        if (const std::int64_t j = own.begin[1] + row % ny; d != 1 || !layout.beside_low_wall(j))
          add(d, j, own.begin[2] + row / ny, sums[p]);
    }
  });
  R total{};
  for (const R& part : sums) total += part;
  return total;
}

struct ThreeSums {
  std::array<double, 3> value{};
  ThreeSums& operator+=(const ThreeSums& b) {
    for (std::size_t i = 0; i < 3; ++i) value[i] += b.value[i];
    return *this;
  }
};

struct ThreeMaxima {
  std::array<double, 3> value{};
  void add(std::size_t i, double v) { value[i] = v <= value[i] || value[i] != value[i] ? value[i] : v; }
  ThreeMaxima& operator+=(const ThreeMaxima& b) {
    for (std::size_t i = 0; i < 3; ++i) add(i, b.value[i]);
    return *this;
  }
};

double product_sum(Cpu cpu, const Domain& domain, const ConstFacePointers& a, const ConstFacePointers& b) {
  const spectral::BoxLayout layout(domain);
  const double mine = sum_rows<double>(cpu, layout, [&](int d, std::int64_t j, std::int64_t k, double& sum) {
    const double *const row_of_a = a[d] + layout.begin(d, j, k), *const row_of_b = b[d] + layout.begin(d, j, k);
    sum += sum_of_products(layout.shape.nx, row_of_a, row_of_b);
  });
  return layout.grid.cell_volume() * domain.over_ranks(mine);
}

ThreeSums over_ranks(const Domain& domain, const ThreeSums& mine) {
  if (!domain.shared()) return mine;
  const std::vector<double> all = domain.shared()->team().sums(mine.value);
  return {{all[0], all[1], all[2]}};
}

/// Squares of differences to the rows and values before, along each axis over h^2, and what is beside walls.
class ViscousRows {
public:
  ViscousRows(const Domain& domain, const spectral::BoxLayout& layout, const ConstFacePointers& u)
      : domain_(domain), layout_(layout), u_(u) {}

  void operator()(int d, std::int64_t j, std::int64_t k, ThreeSums& sum) const {
    const double* const here = row(d, j, k);
    double& dissipated = sum.value[0];
    const std::int64_t nx = layout_.shape.nx;
    add(dissipated, 0, sum_of_squared_differences(nx - 1, here + 1, here) + (here[0] - here[nx - 1]) * (here[0] - here[nx - 1]));
    add_row(dissipated, 2, here, row(d, j, layout_.back(2, k)));
    if (!layout_.walled) return add_row(dissipated, 1, here, row(d, layout_.back(1, j), k));
    const bool low = layout_.beside_low_wall(j), high = layout_.beside_high_wall(j);
    if (d == 1) { // faces on walls count for the sums of those beside
      add_row(dissipated, 1, here, row(d, j - 1, k));
      if (high) add_row(dissipated, 1, here, row(d, j + 1, k));
      return;
    }
    if (!low) add_row(dissipated, 1, here, row(d, j - 1, k));
    if (low) add_wall(sum, d, false, here);
    if (high) add_wall(sum, d, true, here);
  }

private:
  const double* row(int d, std::int64_t j, std::int64_t k) const {
    return u_[d] + layout_.begin(d, j, k);
  }
  void add(double& sum, int axis, double squares) const {
    sum += squares / (layout_.spacing(axis) * layout_.spacing(axis));
  }
  void add_row(double& sum, int axis, const double* a, const double* b) const {
    add(sum, axis, sum_of_squared_differences(layout_.shape.nx, a, b));
  }
  void add_wall(ThreeSums& sum, int d, bool high, const double* here) const {
    const double wall = domain_.wall_velocity(side(1, high))[d];
    const double h = layout_.spacing(1);
    for (std::int64_t i = 0; i < layout_.shape.nx; ++i) {
      const double difference = wall - here[i];
      sum.value[0] += 2 * difference * difference / (h * h);
      sum.value[1] += 2 * wall * difference / (h * h);
    }
  }

  const Domain& domain_;
  const spectral::BoxLayout& layout_;
  const ConstFacePointers& u_;
};

} // namespace

double kinetic_energy(Cpu cpu, const Domain& domain, double density, const ConstFacePointers& u) {
  return 0.5 * density * product_sum(cpu, domain, u, u);
}

std::array<double, 3> fastest(Cpu cpu, const Domain& domain, const ConstFacePointers& u) {
  const spectral::BoxLayout layout(domain);
  ThreeMaxima all = sum_rows<ThreeMaxima>(cpu, layout, [&](int d, std::int64_t j, std::int64_t k, ThreeMaxima& most) {
    const auto i = static_cast<std::size_t>(d);
    most.add(i, largest_of_row(layout.shape.nx, u[i] + layout.begin(d, j, k)));
  });
  for (double& most : all.value)
    if (domain.shared()) most = domain.shared()->team().maximum(most);
  return all.value;
}

double power(Cpu cpu, const Domain& domain, const ConstFacePointers& force, const ConstFacePointers& u) {
  return product_sum(cpu, domain, force, u);
}

ViscousWork viscous_work(Cpu cpu, const Domain& domain, double viscosity, const ConstFacePointers& u) {
  const spectral::BoxLayout layout(domain);
  const ThreeSums sums = over_ranks(domain, sum_rows<ThreeSums>(cpu, layout, ViscousRows(domain, layout, u)));
  const double factor = viscosity * layout.grid.cell_volume();
  return {factor * sums.value[0], factor * sums.value[1]};
}

std::array<double, 3> momentum(Cpu cpu, const Domain& domain, double density, const ConstFacePointers& u) {
  const spectral::BoxLayout layout(domain);
  ThreeSums sums = over_ranks(domain, sum_rows<ThreeSums>(cpu, layout, [&](int d, std::int64_t j, std::int64_t k, ThreeSums& sum) {
    const double* const row = u[d] + layout.begin(d, j, k);
    sum.value[d] += sum_of_row(layout.shape.nx, row);
  }));
  for (double& s : sums.value) s *= density * layout.grid.cell_volume();
  return sums.value;
}

} // namespace corral::fluid

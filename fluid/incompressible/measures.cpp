#include "fluid/incompressible/measures.hpp"

#include "fluid/spectral/box_layout.hpp"

#include <corral/for_each.hpp>

namespace corral::fluid {
namespace {

constexpr std::int64_t rows_of_a_part = 32; ///< fixed, so that sums don't depend on the number of threads

/// Sum of add(d, j, k), what a row of faces of component d adds, over the rows that are not on walls.
template <class R, class Add> R sum_rows(Cpu cpu, const spectral::BoxLayout& layout, Add add) {
  const std::int64_t ny = layout.grid.axis(1).cells, nz = layout.grid.axis(2).cells, rows = ny * nz;
  const std::int64_t parts = (rows + rows_of_a_part - 1) / rows_of_a_part;
  Array<R> sums(3 * parts, R{});
  for_each_chunk(cpu, 3 * parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p) {
      const int d = static_cast<int>(p / parts);
      const std::int64_t first = p % parts * rows_of_a_part, last = std::min(rows, first + rows_of_a_part);
      for (std::int64_t row = first; row < last; ++row)
        if (const std::int64_t j = row % ny; !layout.walled || d != 1 || j > 0) add(d, j, row / ny, sums[p]);
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

double product_sum(Cpu cpu, const Domain& domain, const ConstFacePointers& a, const ConstFacePointers& b) {
  const spectral::BoxLayout layout(domain);
  return layout.grid.cell_volume() *
         sum_rows<double>(cpu, layout, [&](int d, std::int64_t j, std::int64_t k, double& sum) {
           const auto i = static_cast<std::size_t>(d);
           const std::int64_t begin = layout.begin(d, j, k);
           for (std::int64_t x = begin; x < begin + layout.shape.nx; ++x) sum += a[i][x] * b[i][x];
         });
}

/// Squares of differences to the rows and values before, along each axis over h^2, and what is beside walls.
class ViscousRows {
public:
  ViscousRows(const Domain& domain, const spectral::BoxLayout& layout, const ConstFacePointers& u)
      : domain_(domain), layout_(layout), u_(u) {}

  void operator()(int d, std::int64_t j, std::int64_t k, ThreeSums& sum) const {
    const double* const here = row(d, j, k);
    double& dissipated = sum.value[0];
    const std::int64_t nx = layout_.shape.nx, ny = layout_.grid.axis(1).cells, nz = layout_.grid.axis(2).cells;
    for (std::int64_t i = 0; i < nx; ++i) add(dissipated, 0, here[i] - here[i > 0 ? i - 1 : nx - 1]);
    add_row(dissipated, 2, here, row(d, j, k > 0 ? k - 1 : nz - 1));
    if (!layout_.walled) return add_row(dissipated, 1, here, row(d, j > 0 ? j - 1 : ny - 1, k));
    if (d == 1) { // faces on walls count for the sums of those beside
      add_row(dissipated, 1, here, row(d, j - 1, k));
      if (j == ny - 1) add_row(dissipated, 1, here, row(d, j + 1, k));
      return;
    }
    if (j > 0) add_row(dissipated, 1, here, row(d, j - 1, k));
    if (j == 0) add_wall(sum, d, false, here);
    if (j == ny - 1) add_wall(sum, d, true, here);
  }

private:
  const double* row(int d, std::int64_t j, std::int64_t k) const {
    return u_[static_cast<std::size_t>(d)] + layout_.begin(d, j, k);
  }
  void add(double& sum, int axis, double difference) const {
    const double rate = difference / layout_.spacing(axis);
    sum += rate * rate;
  }
  void add_row(double& sum, int axis, const double* a, const double* b) const {
    for (std::int64_t i = 0; i < layout_.shape.nx; ++i) add(sum, axis, a[i] - b[i]);
  }
  void add_wall(ThreeSums& sum, int d, bool high, const double* here) const {
    const double wall = domain_.wall_velocity(side(1, high))[static_cast<std::size_t>(d)];
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

double power(Cpu cpu, const Domain& domain, const ConstFacePointers& force, const ConstFacePointers& u) {
  return product_sum(cpu, domain, force, u);
}

ViscousWork viscous_work(Cpu cpu, const Domain& domain, double viscosity, const ConstFacePointers& u) {
  const spectral::BoxLayout layout(domain);
  const ThreeSums sums = sum_rows<ThreeSums>(cpu, layout, ViscousRows(domain, layout, u));
  const double factor = viscosity * layout.grid.cell_volume();
  return {factor * sums.value[0], factor * sums.value[1]};
}

std::array<double, 3> momentum(Cpu cpu, const Domain& domain, double density, const ConstFacePointers& u) {
  const spectral::BoxLayout layout(domain);
  ThreeSums sums = sum_rows<ThreeSums>(cpu, layout, [&](int d, std::int64_t j, std::int64_t k, ThreeSums& sum) {
    const auto i = static_cast<std::size_t>(d);
    const std::int64_t begin = layout.begin(d, j, k);
    for (std::int64_t x = begin; x < begin + layout.shape.nx; ++x) sum.value[i] += u[i][x];
  });
  for (double& s : sums.value) s *= density * layout.grid.cell_volume();
  return sums.value;
}

} // namespace corral::fluid

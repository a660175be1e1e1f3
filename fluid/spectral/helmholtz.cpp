#include "fluid/spectral/helmholtz.hpp"

#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/transformer.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/spectral/helmholtz.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/spectral/lanes/banded-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

/// Factors, one per mode.
inline void wrapping_column(const HelmholtzColumn& h, const ColumnSymbols& symbols, const DifferenceSymbols& planes,
                            double* column) {
  const Eight square = Eight::load(symbols.square), divisor = Eight::load(symbols.divisor);
  const double mean = h.mass > 0 ? h.scale / h.mass * column[0] : 0;
  for (std::int64_t p = 0; p < h.planes; ++p) {
    const Eight k2 = p == 0 ? divisor : square + Eight(planes.square(p));
    double* const at = column + SpectrumShape::place_size * p;
    (ComplexEight::load(at) * (Eight(h.scale) / multiply_add(Eight(h.diffusion), k2, Eight(h.mass)))).store(at);
  }
  if (h.first) column[0] = mean;
}

inline void column_between_walls(const HelmholtzColumn& h, const ColumnSymbols& symbols, double* column,
                                 double* pivots) {
  const Eight square = Eight::load(symbols.square), divisor = Eight::load(symbols.divisor);
  const Eight per_square(h.diffusion / (h.spacing * h.spacing)), mass(h.mass);
  const bool neumann = h.across_walls == AcrossWalls::neumann, on_faces = h.across_walls == AcrossWalls::dirichlet_on_faces;
  // Where nothing holds a constant, and in lines that stand for no mode, the first value is pinned.
  const Eight pin = neumann && h.mass == 0 ? (divisor - square) * per_square : Eight(0.0);
  const Eight end = neumann ? -per_square : on_faces ? Eight(0.0) : per_square;
  const Tridiagonal matrix{.diagonal = multiply_add(Eight(h.diffusion), square, mass) + per_square + per_square,
                           .off = -per_square,
                           .first = end + pin,
                           .last = end};
  const std::int64_t n = on_faces ? h.planes - 1 : h.planes, place = SpectrumShape::place_size;
  double* const values = on_faces ? column + place : column;
  const bool singular = h.first && neumann && h.mass == 0;
  const auto take_mean_out = [&] {
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += values[place * j];
    for (std::int64_t j = 0; j < n; ++j) values[place * j] -= sum / static_cast<double>(n);
  };
  if (singular) take_mean_out();
  matrix.factorise(n, pivots);
  matrix.solve(n, pivots, std::array<double*, 1>{values});
  if (singular) take_mean_out();
  for (std::int64_t j = 0; j < n; ++j)
    (ComplexEight::load(values + place * j) * Eight(h.scale)).store(values + place * j);
}

inline void helmholtz_column(const HelmholtzColumn& h, const ColumnSymbols& symbols, const DifferenceSymbols& planes,
                             double* column, double* pivots) {
  h.across_walls == AcrossWalls::periodic ? wrapping_column(h, symbols, planes, column)
                                       : column_between_walls(h, symbols, column, pivots);
}

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::fluid::spectral {

HWY_EXPORT(helmholtz_column);

void solve_column(const HelmholtzColumn& h, const ColumnSymbols& symbols, const DifferenceSymbols& planes,
                  double* column, double* pivots) {
  HWY_DYNAMIC_DISPATCH(helmholtz_column)(h, symbols, planes, column, pivots);
}

namespace {

constexpr std::int64_t place = SpectrumShape::place_size;

/// Cells lie as component 0 does.
int component(Staggering s) {
  for (int d = 1; d < 3; ++d)
    if (s == face(d)) return d;
  return 0;
}

AcrossWalls across_walls(const BoxLayout& layout, Staggering s) {
  if (!layout.walled) return AcrossWalls::periodic;
  if (s == Staggering::centre) return AcrossWalls::neumann;
  return s == Staggering::face_y ? AcrossWalls::dirichlet_on_faces : AcrossWalls::dirichlet_in_cells;
}

} // namespace

HelmholtzSolver::HelmholtzSolver(const Domain& domain, Staggering staggering)
    : layout_(domain), staggering_(staggering),
      symbols_(layout_.shape, layout_.spacing(0), layout_.spacing(layout_.row_axis())),
      plane_symbols_(layout_.shape.planes, layout_.spacing(layout_.plane_axis())), workers_([this] {
        auto worker = std::make_unique<Worker>();
        worker->transformer =
            make_transformer(layout_.shape, layout_.walled ? AlongPlanes::kept : AlongPlanes::transformed);
        worker->columns.resize(worker->transformer->columns_at_once() * place * layout_.shape.planes, 0.0);
        worker->pivots.resize(8 * layout_.shape.planes, 0.0);
        return worker;
      }),
      spectrum_(layout_) {
  if (staggering == Staggering::node) throw Error("a Helmholtz solve on nodes (cells and faces are served)");
  spectrum_.need(1);
}

void HelmholtzSolver::solve(Cpu cpu, double mass, double diffusion, const double* b, double* x) {
  if (!(std::isfinite(mass) && std::isfinite(diffusion) && mass >= 0 && diffusion >= 0 && mass + diffusion > 0))
    throw Error("mass " + std::to_string(mass) + " and diffusion " + std::to_string(diffusion) +
                " of a Helmholtz solve (neither may be negative, and one is positive)");
  const int d = component(staggering_);
  const std::int64_t before = layout_.begin_plane(), planes = layout_.end_plane() - before, first_plane = layout_.first_plane(d);
  const FieldRows source(layout_, d, b, 1);
  const StoredRows sink(layout_, d, nullptr, x);
  for_each_chunk(cpu, planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = std::max(before + begin, first_plane); p < before + end; ++p)
      worker->transformer->forward_plane(source, p, spectrum_.plane(0, p));
  });
  spectrum_.to_columns(1);
  HelmholtzColumn problem{.planes = layout_.shape.planes,
                          .spacing = layout_.spacing(layout_.plane_axis()),
                          .mass = mass,
                          .diffusion = diffusion,
                          .scale = 1 / layout_.transform_factor(),
                          .across_walls = across_walls(layout_, staggering_),
                          .first = false};
  const std::int64_t at_once = workers_.take()->transformer->columns_at_once();
  const std::int64_t stride = spectrum_.column_stride();
  for_each_chunk(cpu, spectrum_.columns(), at_once, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t count = std::min(at_once, end - first);
      double *const columns = worker->columns.data(), *const at = spectrum_.column(0, first);
      worker->transformer->forward_columns(at, stride, count, columns);
      for (std::int64_t c = 0; c < count; ++c) {
        HelmholtzColumn column = problem;
        const std::int64_t of_all = spectrum_.first_column() + first + c;
        column.first = of_all == 0;
        solve_column(column, symbols_.column(of_all), plane_symbols_, columns + c * place * layout_.shape.planes,
                     worker->pivots.data());
      }
      worker->transformer->backward_columns(columns, count, at, stride);
    }
  });
  spectrum_.to_planes(1);
  for_each_chunk(cpu, planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = std::max(before + begin, first_plane); p < before + end; ++p)
      worker->transformer->backward_plane(spectrum_.plane(0, p), p, sink);
  });
  layout_.each_row_on_walls(d, [&](std::int64_t begin) { std::fill_n(x + begin, layout_.shape.nx, 0.0); });
}

} // namespace corral::fluid::spectral
#endif

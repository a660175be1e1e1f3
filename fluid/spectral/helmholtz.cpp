#include "fluid/spectral/helmholtz.hpp"

#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/transformer.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::fluid::spectral {
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
      }) {
  if (staggering == Staggering::node) throw Error("a Helmholtz solve on nodes (cells and faces are served)");
  spectrum_ = large_array(layout_.shape.size());
}

void HelmholtzSolver::solve(Cpu cpu, double mass, double diffusion, const double* b, double* x) {
  if (!(std::isfinite(mass) && std::isfinite(diffusion) && mass >= 0 && diffusion >= 0 && mass + diffusion > 0))
    throw Error("mass " + std::to_string(mass) + " and diffusion " + std::to_string(diffusion) +
                " of a Helmholtz solve (neither may be negative, and one is positive)");
  const int d = component(staggering_);
  const std::int64_t first_plane = layout_.first_plane(d), stride = layout_.shape.plane_stride();
  const FieldRows source(layout_, d, b, 1);
  const StoredRows sink(layout_, d, nullptr, x);
  for_each_chunk(cpu, layout_.shape.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = std::max(begin, first_plane); p < end; ++p)
      worker->transformer->forward_plane(source, p, spectrum_.data() + p * stride);
  });
  HelmholtzColumn problem{.planes = layout_.shape.planes,
                          .spacing = layout_.spacing(layout_.plane_axis()),
                          .mass = mass,
                          .diffusion = diffusion,
                          .scale = 1 / layout_.transform_factor(),
                          .across_walls = across_walls(layout_, staggering_),
                          .first = false};
  const std::int64_t at_once = workers_.take()->transformer->columns_at_once();
  for_each_chunk(cpu, layout_.shape.columns(), at_once, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t count = std::min(at_once, end - first);
      double *const columns = worker->columns.data(), *const at = spectrum_.data() + place * first;
      worker->transformer->forward_columns(at, stride, count, columns);
      for (std::int64_t c = 0; c < count; ++c) {
        HelmholtzColumn column = problem;
        column.first = first + c == 0;
        solve_column(column, symbols_.column(first + c), plane_symbols_, columns + c * place * layout_.shape.planes,
                     worker->pivots.data());
      }
      worker->transformer->backward_columns(columns, count, at, stride);
    }
  });
  for_each_chunk(cpu, layout_.shape.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = std::max(begin, first_plane); p < end; ++p)
      worker->transformer->backward_plane(spectrum_.data() + p * stride, p, sink);
  });
  layout_.each_row_on_walls(d, [&](std::int64_t begin) { std::fill_n(x + begin, layout_.shape.nx, 0.0); });
}

} // namespace corral::fluid::spectral

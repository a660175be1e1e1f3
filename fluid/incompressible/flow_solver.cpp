#include "fluid/incompressible/flow_solver.hpp"

#include "fluid/spectral/box_layout.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::fluid {
namespace {

constexpr std::int64_t place = spectral::SpectrumShape::place_size;
constexpr std::int64_t fields_of_a_column = 5;

/// Rows of a plane that were made before, one after another.
class RowsAtHand final : public spectral::RowSource {
public:
  RowsAtHand(const double* rows, const spectral::SpectrumShape& shape) : rows_(rows), nx_(shape.nx) {}
  void read(std::int64_t, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const override {
    for (std::int64_t r = 0; r < count; ++r) std::copy_n(rows_ + nx_ * (row + r), nx_, to + r * stride);
  }

private:
  const double* rows_;
  std::int64_t nx_;
};

} // namespace

FlowSolver::FlowSolver(const Domain& domain)
    : layout_(domain), symbols_(layout_.shape, layout_.spacing(0), layout_.spacing(layout_.row_axis())),
      plane_symbols_(layout_.shape.planes, layout_.spacing(layout_.plane_axis())),
      workers_([this] { return make_worker(); }) {
  for (Array<double>& spectrum : velocity_) spectrum = spectral::large_array(layout_.shape.size());
}

std::unique_ptr<FlowSolver::Worker> FlowSolver::make_worker() const {
  auto worker = std::make_unique<Worker>();
  worker->transformer = spectral::make_transformer(layout_.shape, layout_.walled ? spectral::AlongPlanes::kept
                                                                                 : spectral::AlongPlanes::transformed);
  const std::int64_t group = worker->transformer->columns_at_once() * place * layout_.shape.planes;
  worker->columns.resize(fields_of_a_column * group, 0.0);
  if (layout_.walled) {
    worker->scratch.resize(walled_scratch(layout_.shape.planes), 0.0);
    worker->rows.resize(planes_at_once() * layout_.shape.nx * layout_.shape.rows, 0.0);
  }
  return worker;
}

void FlowSolver::need_cells(std::size_t fields) {
  for (std::size_t f = 0; f < fields; ++f)
    if (cells_[f].empty()) cells_[f] = spectral::large_array(layout_.shape.size());
}

ColumnEquation FlowSolver::column_equation(const Equation& e) const {
  return {.planes = layout_.shape.planes,
          .spacing = layout_.spacing(layout_.plane_axis()),
          .mass = e.mass,
          .diffusion = e.diffusion,
          .scale = 1 / layout_.transform_factor()};
}

void FlowSolver::forward_planes(Worker& worker, const spectral::RowSource& source, std::int64_t begin, std::int64_t end,
                                double* spectrum) const {
  const spectral::SpectrumShape& shape = layout_.shape;
  const std::int64_t plane_size = shape.nx * shape.rows;
  if (layout_.walled)
    for (std::int64_t r = 0; r < shape.rows; ++r)
      for (std::int64_t p = begin; p < end; ++p)
        source.read(p, r, 1, worker.rows.data() + (p - begin) * plane_size + r * shape.nx, shape.nx);
  for (std::int64_t p = begin; p < end; ++p) {
    const RowsAtHand at_hand(worker.rows.data() + (p - begin) * plane_size, shape);
    const spectral::RowSource& rows = layout_.walled ? at_hand : source;
    worker.transformer->forward_plane(rows, p, spectrum + p * shape.plane_stride());
  }
}

void FlowSolver::forward(Cpu cpu, const Sources& sources) {
  const std::array<int, 3> axes{0, layout_.row_axis(), layout_.plane_axis()};
  for_each_chunk(cpu, layout_.shape.planes, planes_at_once(), [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t first = begin; first < end; first += planes_at_once())
      for (std::size_t c = 0; c < 3; ++c)
        forward_planes(*worker, *sources[axes[c]],
                       std::max(first, layout_.first_plane(axes[c])), std::min(end, first + planes_at_once()),
                       velocity_[c].data());
  });
}

void FlowSolver::backward(Cpu cpu, const Sinks& sinks, const std::array<const spectral::RowSink*, 2>& cells) {
  const std::array<int, 3> axes{0, layout_.row_axis(), layout_.plane_axis()};
  for_each_chunk(cpu, layout_.shape.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = begin; p < end; ++p) {
      const std::int64_t at = p * layout_.shape.plane_stride();
      for (std::size_t c = 0; c < 3; ++c)
        if (p >= layout_.first_plane(axes[c]))
          worker->transformer->backward_plane(velocity_[c].data() + at, p, *sinks[axes[c]]);
      for (std::size_t f = 0; f < cells.size(); ++f)
        if (cells[f] != nullptr) worker->transformer->backward_plane(cells_[f].data() + at, p, *cells[f]);
    }
  });
}

template <class F> void FlowSolver::for_each_column(Cpu cpu, std::int64_t cell_fields, const F& solve) {
  const std::int64_t at_once = workers_.take()->transformer->columns_at_once(), stride = layout_.shape.plane_stride();
  const std::int64_t column = place * layout_.shape.planes, fields = 3 + cell_fields;
  for_each_chunk(cpu, layout_.shape.columns(), at_once, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t count = std::min(at_once, end - first);
      const auto field = [&](std::int64_t f) { return worker->columns.data() + f * at_once * column; };
      for (std::size_t f = 0; f < 3; ++f)
        worker->transformer->forward_columns(velocity_[f].data() + place * first, stride, count,
                                             field(static_cast<std::int64_t>(f)));
      for (std::int64_t c = 0; c < count; ++c)
        solve(*worker, first + c, VelocityColumn{field(0) + c * column, field(1) + c * column, field(2) + c * column},
              std::array<double*, 2>{field(3) + c * column, field(4) + c * column});
      for (std::int64_t f = 0; f < fields; ++f) {
        Array<double>& spectrum = f < 3 ? velocity_[f] : cells_[f - 3];
        worker->transformer->backward_columns(field(f), count, spectrum.data() + place * first, stride);
      }
    }
  });
}

void FlowSolver::solve(Cpu cpu, const Equation& equation, const Sources& R, const Sinks& u,
                       const spectral::RowSink* potential) {
  need_cells(potential != nullptr ? 1 : 0);
  forward(cpu, R);
  const ColumnEquation e = column_equation(equation);
  for_each_column(cpu, potential != nullptr ? 1 : 0,
                  [&](Worker& worker, std::int64_t c, const VelocityColumn& v, const std::array<double*, 2>& cells) {
                    double* const P = potential != nullptr ? cells[0] : nullptr;
                    if (layout_.walled)
                      solve_walled_column(e, symbols_.column(c), c == 0, v, P, worker.scratch.data());
                    else
                      solve_periodic_column(e, symbols_.column(c), plane_symbols_, c == 0, equation.keep_mean, v, P);
                  });
  backward(cpu, u, {potential, nullptr});
}

void FlowSolver::split(Cpu cpu, const Equation& equation, const Sources& R, const Sinks& u, const Split& s) {
  const bool cells = s.phi != nullptr || s.pressure != nullptr;
  need_cells(cells ? 2 : 0);
  forward(cpu, R);
  const ColumnEquation e = column_equation(equation);
  for_each_column(cpu, cells ? 2 : 0,
                  [&](Worker& worker, std::int64_t c, const VelocityColumn& v, const std::array<double*, 2>& to) {
                    const WalledSplit split{.low = walls_[0].data() + place * c,
                                            .high = walls_[1].data() + place * c,
                                            .last_factor = s.last_factor,
                                            .phi = cells ? to[0] : nullptr,
                                            .pressure = cells ? to[1] : nullptr,
                                            .phi_factor = s.phi_factor,
                                            .divergence_factor = s.divergence_factor};
                    split_walled_column(e, symbols_.column(c), c == 0, v, split, worker.scratch.data());
                  });
  backward(cpu, u, {s.phi, s.pressure});
}

void FlowSolver::set_wall_potential(const spectral::RowSource& phi) {
  const auto worker = workers_.take();
  clear_wall_potential();
  worker->transformer->forward_plane(phi, 0, walls_[0].data());
  worker->transformer->forward_plane(phi, layout_.shape.planes - 1, walls_[1].data());
}

void FlowSolver::clear_wall_potential() {
  for (Array<double>& wall : walls_) {
    wall.resize(place * layout_.shape.columns());
    wall.fill(0);
  }
}

} // namespace corral::fluid

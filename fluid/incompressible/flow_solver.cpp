#include "fluid/incompressible/flow_solver.hpp"

#include "fluid/spectral/box_layout.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::fluid {
namespace {

constexpr std::int64_t place = spectral::SpectrumShape::place_size;
constexpr std::int64_t velocities = 3, fields_of_a_column = 5;

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
      workers_([this] { return make_worker(); }), spectra_(layout_) {
  spectra_.need(velocities);
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

ColumnEquation FlowSolver::column_equation(const Equation& e) const {
  return {.planes = layout_.shape.planes,
          .spacing = layout_.spacing(layout_.plane_axis()),
          .mass = e.mass,
          .diffusion = e.diffusion,
          .scale = 1 / layout_.transform_factor()};
}

void FlowSolver::forward_planes(Worker& worker, const spectral::RowSource& source, std::int64_t begin, std::int64_t end,
                                std::int64_t field) {
  const spectral::SpectrumShape& shape = layout_.shape;
  const std::int64_t plane_size = shape.nx * shape.rows;
  if (layout_.walled)
    for (std::int64_t r = 0; r < shape.rows; ++r)
      for (std::int64_t p = begin; p < end; ++p)
        source.read(p, r, 1, worker.rows.data() + (p - begin) * plane_size + r * shape.nx, shape.nx);
  for (std::int64_t p = begin; p < end; ++p) {
    const RowsAtHand at_hand(worker.rows.data() + (p - begin) * plane_size, shape);
    const spectral::RowSource& rows = layout_.walled ? at_hand : source;
    worker.transformer->forward_plane(rows, p, spectra_.plane(field, p));
  }
}

void FlowSolver::forward(Cpu cpu, const Sources& sources) {
  const std::array<int, 3> axes{0, layout_.row_axis(), layout_.plane_axis()};
  const std::int64_t before = layout_.begin_plane();
  for_each_chunk(cpu, layout_.end_plane() - before, planes_at_once(), [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t first = begin; first < end; first += planes_at_once())
      for (std::size_t c = 0; c < 3; ++c)
        forward_planes(*worker, *sources[axes[c]], std::max(before + first, layout_.first_plane(axes[c])),
                       before + std::min(end, first + planes_at_once()), static_cast<std::int64_t>(c));
  });
}

void FlowSolver::backward(Cpu cpu, const Sinks& sinks, const std::array<const spectral::RowSink*, 2>& cells) {
  const std::array<int, 3> axes{0, layout_.row_axis(), layout_.plane_axis()};
  const std::int64_t before = layout_.begin_plane();
  for_each_chunk(cpu, layout_.end_plane() - before, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = before + begin; p < before + end; ++p) {
      for (std::size_t c = 0; c < 3; ++c)
        if (p >= layout_.first_plane(axes[c]))
          worker->transformer->backward_plane(spectra_.plane(static_cast<std::int64_t>(c), p), p, *sinks[axes[c]]);
      for (std::size_t f = 0; f < cells.size(); ++f)
        if (cells[f] != nullptr)
          worker->transformer->backward_plane(spectra_.plane(velocities + static_cast<std::int64_t>(f), p), p, *cells[f]);
    }
  });
}

template <class F> void FlowSolver::for_each_column(Cpu cpu, std::int64_t cell_fields, const F& solve) {
  const std::int64_t at_once = workers_.take()->transformer->columns_at_once(), stride = spectra_.column_stride();
  const std::int64_t column = place * layout_.shape.planes, fields = velocities + cell_fields;
  spectra_.to_columns(velocities);
  for_each_chunk(cpu, spectra_.columns(), at_once, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t count = std::min(at_once, end - first);
      const auto field = [&](std::int64_t f) { return worker->columns.data() + f * at_once * column; };
      for (std::int64_t f = 0; f < velocities; ++f)
        worker->transformer->forward_columns(spectra_.column(f, first), stride, count, field(f));
      for (std::int64_t c = 0; c < count; ++c)
        solve(*worker, spectra_.first_column() + first + c, VelocityColumn{field(0) + c * column, field(1) + c * column, field(2) + c * column},
              std::array<double*, 2>{field(3) + c * column, field(4) + c * column});
      for (std::int64_t f = 0; f < fields; ++f)
        worker->transformer->backward_columns(field(f), count, spectra_.column(f, first), stride);
    }
  });
  spectra_.to_planes(fields);
}

void FlowSolver::solve(Cpu cpu, const Equation& equation, const Sources& R, const Sinks& u,
                       const spectral::RowSink* potential) {
  spectra_.need(velocities + (potential != nullptr ? 1 : 0));
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
  spectra_.need(velocities + (cells ? 2 : 0));
  forward(cpu, R);
  const ColumnEquation e = column_equation(equation);
  for_each_column(cpu, cells ? 2 : 0,
                  [&](Worker& worker, std::int64_t c, const VelocityColumn& v, const std::array<double*, 2>& to) {
                    const std::int64_t at = place * (c - spectra_.first_column());
                    const WalledSplit split{.low = walls_[0].data() + at,
                                            .high = walls_[1].data() + at,
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
  const std::int64_t first = layout_.begin_plane(), last = layout_.end_plane() - 1;
  if (layout_.low_wall) worker->transformer->forward_plane(phi, first, spectra_.plane(0, first));
  if (layout_.high_wall) worker->transformer->forward_plane(phi, last, spectra_.plane(0, last));
  spectra_.to_columns(1); // planes between them hold anything
  const double* const low = spectra_.column(0, 0);
  const double* const high = low + (layout_.shape.planes - 1) * spectra_.column_stride();
  std::copy_n(low, walls_[0].size(), walls_[0].data());
  std::copy_n(high, walls_[1].size(), walls_[1].data());
}

void FlowSolver::clear_wall_potential() {
  for (Array<double>& wall : walls_) {
    wall.resize(place * spectra_.columns());
    wall.fill(0);
  }
}

} // namespace corral::fluid

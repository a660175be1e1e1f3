#include "fluid/incompressible/varying_solver.hpp"

#include "fluid/spectral/transformer.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <string>

namespace corral::fluid {
namespace {

constexpr int most_iterations = 1000; // a ratio of 50 takes some 40

} // namespace

VaryingSolver::VaryingSolver(const Domain& domain, FlowSolver& solver, const Ghosts& ghosts)
    : domain_(domain), solver_(solver), ghosts_(ghosts), residual_(make_face_arrays(domain.grid())), direction_(make_face_arrays(domain.grid())),
      other_(make_face_arrays(domain.grid())), potential_(domain.grid().cells(), 0.0) {}

double VaryingSolver::solve(Cpu cpu, const Equation& e, const VaryingViscosity& viscosity, const FacePointers& u,
                            double* pressure, double pressure_factor, double scale) {
  ++solves_;
  const spectral::StoredRows first_potential(solver_.layout(), 0, nullptr, potential_.data(), pressure_factor);
  const spectral::StoredRows whole_potential(solver_.layout(), 0, potential_.data(), pressure, pressure_factor);
  double before = 0, first = 0;
  for (int iteration = 0;; ++iteration, ++iterations_) {
    precondition(cpu, e, iteration == 0 ? &first_potential : pressure != nullptr ? &whole_potential : nullptr);
    if (iteration == 0) take_gradient_out(cpu, 1 / pressure_factor);
    const double now = product(cpu, residual_, other_);
    if (iteration == 0) {
      first = now;
      if (pressure != nullptr)
        for_each(cpu, potential_.size(), [to = pressure, from = potential_.data()](std::int64_t c) { to[c] = from[c]; });
    }
    if (!(now > tolerance * std::max(scale, first))) return first; // a NaN ends it as well: who looks for them finds it
    if (iteration == most_iterations)
      throw Error("viscosities that are too far apart (after " + std::to_string(most_iterations) +
                  " iterations the flow has not been found) take viscosities that are nearer to each other");
    const double back = iteration == 0 ? 0 : now / before;
    for (std::size_t d = 0; d < 3; ++d)
      for_each(cpu, direction_[d].size(), [back, p = direction_[d].data(), z = other_[d].data()](std::int64_t i) {
        p[i] = z[i] + back * p[i];
      });
    ghosts_.fill(writable_pointers(direction_));
    const double along = now / apply(cpu, e, viscosity);
    for (std::size_t d = 0; d < 3; ++d)
      for_each(cpu, direction_[d].size(),
               [along, x = u[d], r = residual_[d].data(), p = direction_[d].data(), q = other_[d].data()](std::int64_t i) {
                 x[i] += along * p[i];
                 r[i] -= along * q[i];
               });
    before = now;
  }
}

/// What the solution for one viscosity makes of the residual, to `other`.
void VaryingSolver::precondition(Cpu cpu, const Equation& e, const spectral::RowSink* pressure) {
  const spectral::BoxLayout& layout = solver_.layout();
  const auto from = [&](int d) { return spectral::FieldRows(layout, d, residual_[d].data(), 1); };
  const auto to = [&](int d) { return spectral::StoredRows(layout, d, nullptr, other_[d].data()); };
  const std::array<spectral::FieldRows, 3> sources{from(0), from(1), from(2)};
  const std::array<spectral::StoredRows, 3> sinks{to(0), to(1), to(2)};
  // The operator's of the last direction stood there; on walls there is nothing.
  layout.each_row_on_walls(1, [&](std::int64_t begin) { std::fill_n(other_[1].data() + begin, layout.shape.nx, 0.0); });
  solver_.solve(cpu, {.mass = e.mass, .diffusion = e.factor * e.mu0, .keep_mean = e.keep_mean},
                {&sources[0], &sources[1], &sources[2]}, {&sinks[0], &sinks[1], &sinks[2]}, pressure);
}

/// residual -= factor grad potential
void VaryingSolver::take_gradient_out(Cpu cpu, double factor) {
  ghosts_.fill_cells(potential_.data());
  for (int d = 0; d < 3; ++d) {
    const double per = factor / domain_.grid().axis(d).spacing;
    for_each_face(cpu, domain_.grid(), d, [per, r = residual_[d].data(), P = potential_.data()](const Face& f) {
      if (!f.boundary()) r[f.index] -= per * (P[f.above] - P[f.below]);
    });
  }
}

/// other = (mass - factor div 2 mu D) direction; their product.
double VaryingSolver::apply(Cpu cpu, const Equation& e, const VaryingViscosity& viscosity) {
  viscosity.find_force(cpu, pointers(direction_), VaryingViscosity::Walls::rest, writable_pointers(other_));
  double total = 0;
  for (int d = 0; d < 3; ++d)
    total += sum_of_own(cpu, d, [&e, p = direction_[d].data(), q = other_[d].data()](std::int64_t i) {
      q[i] = e.mass * p[i] - e.factor * q[i];
      return p[i] * q[i];
    });
  return domain_.over_ranks(total);
}

double VaryingSolver::product(Cpu cpu, const FaceArrays& a, const FaceArrays& b) const {
  double total = 0;
  for (int d = 0; d < 3; ++d)
    total += sum_of_own(cpu, d, [x = a[d].data(), y = b[d].data()](std::int64_t i) { return x[i] * y[i]; });
  return domain_.over_ranks(total);
}

template <class F> double VaryingSolver::sum_of_own(Cpu cpu, int d, F f) const {
  if (!domain_.shared()) return sum(cpu, domain_.grid().points(face(d)), f);
  const spectral::BoxLayout& layout = solver_.layout();
  const CellBox& own = layout.own; // on walls there is nothing
  const std::int64_t nx = layout.shape.nx, rows = own.end[1] - own.begin[1];
  return sum(cpu, rows * (own.end[2] - own.begin[2]), [&](std::int64_t r) {
    const std::int64_t begin = layout.begin(d, own.begin[1] + r % rows, own.begin[2] + r / rows);
    double of_row = 0;
    for (std::int64_t i = begin; i < begin + nx; ++i) of_row += f(i);
    return of_row;
  });
}

} // namespace corral::fluid

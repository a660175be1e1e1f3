#pragma once

/// The solver of varying_solver.hpp, for either processor.

#include "fluid/incompressible/measures.hpp"
#include "fluid/incompressible/varying_solver.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

namespace corral::fluid {

namespace varying_solver {

inline constexpr int most_iterations = 1000; // a ratio of 50 takes some 40

template <Execution E> void copy(E execution, std::int64_t n, const double* from, double* to) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { to[i] = from[i]; });
}
/// p = z + back p
template <Execution E> void turn(E execution, std::int64_t n, double back, const double* z, double* p) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { p[i] = z[i] + back * p[i]; });
}
/// x += along p, r -= along q
template <Execution E>
void go_along(E execution, std::int64_t n, double along, const double* p, const double* q, double* x, double* r) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) {
    x[i] += along * p[i];
    r[i] -= along * q[i];
  });
}
/// q = mass p - factor q
template <Execution E> void complete(E execution, std::int64_t n, double mass, double factor, const double* p, double* q) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { q[i] = mass * p[i] - factor * q[i]; });
}

} // namespace varying_solver

template <Execution E>
VaryingSolver<E>::VaryingSolver(const Domain& domain, const spectral::BoxLayout& layout, const Ghosts* ghosts, ForOneViscosity for_one)
    : domain_(domain), layout_(layout), ghosts_(ghosts), for_one_(std::move(for_one)), residual_(make_face_arrays(domain.grid(), 0, memory)),
      direction_(make_face_arrays(domain.grid(), 0, memory)), other_(make_face_arrays(domain.grid(), 0, memory)),
      potential_(domain.grid().cells(), 0.0, memory) {}

template <Execution E>
double VaryingSolver<E>::solve(E execution, const Equation& e, const ViscousForce& force, const FacePointers& u, double* pressure,
                               double pressure_factor, double scale) {
  using namespace varying_solver;
  ++solves_;
  const Potential first_potential{potential_.data(), nullptr, pressure_factor};
  const Potential whole_potential{pressure, potential_.data(), pressure_factor};
  double before = 0, first = 0;
  for (int iteration = 0;; ++iteration, ++iterations_) {
    for_one_(e, pointers(residual_), writable_pointers(other_), iteration == 0 ? first_potential : whole_potential);
    if (iteration == 0) take_gradient_out(execution, 1 / pressure_factor);
    const double now = product(execution, residual_, other_);
    if (iteration == 0) {
      first = now;
      if (pressure != nullptr) copy(execution, potential_.size(), potential_.data(), pressure);
    }
    if (!(now > tolerance * std::max(scale, first))) return first; // a NaN ends it as well: who looks for them finds it
    if (iteration == most_iterations)
      throw Error("viscosities that are too far apart (after " + std::to_string(most_iterations) +
                  " iterations the flow has not been found) take viscosities that are nearer to each other");
    const double back = iteration == 0 ? 0 : now / before;
    for (std::size_t d = 0; d < 3; ++d) turn(execution, direction_[d].size(), back, other_[d].data(), direction_[d].data());
    if (ghosts_) ghosts_->fill(writable_pointers(direction_));
    const double along = now / apply(execution, e, force);
    for (std::size_t d = 0; d < 3; ++d)
      go_along(execution, direction_[d].size(), along, direction_[d].data(), other_[d].data(), u[d], residual_[d].data());
    before = now;
  }
}

template <Execution E> void VaryingSolver<E>::take_gradient_out(E execution, double factor) {
  if (ghosts_) ghosts_->fill_cells(potential_.data());
  subtract_gradient(execution, domain_, factor, potential_.data(), writable_pointers(residual_));
}

/// other = (mass - factor div 2 mu D) direction; their product.
template <Execution E> double VaryingSolver<E>::apply(E execution, const Equation& e, const ViscousForce& force) {
  force(pointers(direction_), writable_pointers(other_));
  if constexpr (std::same_as<E, Cpu>) { // both in one pass
    double total = 0;
    for (int d = 0; d < 3; ++d)
      total += sum_of_own(execution, d, [&e, p = direction_[d].data(), q = other_[d].data()](std::int64_t i) {
        q[i] = e.mass * p[i] - e.factor * q[i];
        return p[i] * q[i];
      });
    return domain_.over_ranks(total);
  } else {
    for (std::size_t d = 0; d < 3; ++d)
      varying_solver::complete(execution, other_[d].size(), e.mass, e.factor, direction_[d].data(), other_[d].data());
    return product(execution, direction_, other_);
  }
}

template <Execution E> double VaryingSolver<E>::product(E execution, const FaceArrays& a, const FaceArrays& b) const {
  if constexpr (std::same_as<E, Cpu>) {
    double total = 0;
    for (int d = 0; d < 3; ++d)
      total += sum_of_own(execution, d, [x = a[d].data(), y = b[d].data()](std::int64_t i) { return x[i] * y[i]; });
    return domain_.over_ranks(total);
  } else {
    return power(execution, domain_, pointers(a), pointers(b)) / domain_.grid().cell_volume();
  }
}

template <Execution E> template <class F> double VaryingSolver<E>::sum_of_own(Cpu cpu, int d, F f) const {
  if (!domain_.shared()) return sum(cpu, domain_.grid().points(face(d)), f);
  const CellBox& own = layout_.own; // on walls there is nothing
  const std::int64_t nx = layout_.shape.nx, rows = own.end[1] - own.begin[1];
  return sum(cpu, rows * (own.end[2] - own.begin[2]), [&](std::int64_t r) {
    const std::int64_t begin = layout_.begin(d, own.begin[1] + r % rows, own.begin[2] + r / rows);
    double of_row = 0;
    for (std::int64_t i = begin; i < begin + nx; ++i) of_row += f(i);
    return of_row;
  });
}

} // namespace corral::fluid

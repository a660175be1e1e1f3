#include "mppic/contact/complementarity.hpp"

namespace corral::mppic {

using fluid::Cell;
using fluid::Face;

Complementarity::Complementarity(const fluid::Domain& domain)
    : domain_(domain), cells_{domain.grid().axis(0).cells, domain.grid().axis(1).cells, domain.grid().axis(2).cells},
      step_{1, cells_[0], cells_[0] * cells_[1]},
      wraps_{domain.grid().axis(0).periodic(), domain.grid().axis(1).periodic(), domain.grid().axis(2).periodic()},
      solver_(cells_, wraps_), truncated_(fluid::make_face_arrays(domain.grid())) {
  const std::int64_t n = domain.grid().cells();
  for (Array<double>* a : {&diagonal_, &truncated_diagonal_, &F_, &slope_, &correction_, &start_}) a->resize(n, 0.0);
  active_.resize(n, 0);
}

void Complementarity::set_diagonal(Cpu cpu, const fluid::FaceArrays& b) {
  fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
    double sum = 0;
    for (std::size_t d = 0; d < 3; ++d) sum += b[d][c.low[d]] + b[d][c.high[d]];
    diagonal_[c.index] = sum;
  });
}

/// The linear system over active cells; a face to another cell, where x stays 0, becomes part of the diagonal.
int Complementarity::solve_truncated(Cpu cpu, const fluid::FaceArrays& b, double tolerance) {
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    fluid::for_each_face(cpu, domain_.grid(), d, [&, i](const Face& f) {
      truncated_[i][f.index] = !f.boundary() && active_[f.below] && active_[f.above] ? b[i][f.index] : 0;
    });
  }
  fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
    double kept = 0;
    for (std::size_t d = 0; d < 3; ++d) kept += truncated_[d][c.low[d]] + truncated_[d][c.high[d]];
    const bool active = active_[c.index] != 0;
    truncated_diagonal_[c.index] = active ? std::max(diagonal_[c.index] - kept, 0.0) + slope_[c.index] : 0;
    start_[c.index] = active ? -F_[c.index] : 0;
  });
  solver_.set_coefficients(cpu, {fluid::pointers(truncated_), truncated_diagonal_.data()});
  const auto solved =
      solver_.solve(cpu, start_.data(), correction_.data(), {.absolute_max = tolerance, .max_iterations = 100});
  return solved.iterations;
}

} // namespace corral::mppic

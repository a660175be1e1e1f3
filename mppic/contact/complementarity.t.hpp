#pragma once

/// The loops of complementarity.hpp, for either processor.

#include "fluid/pressure/pressure_rows.hpp"
#include "mppic/contact/complementarity.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

namespace corral::mppic {

namespace complementarity {

/// Rows or cells of one colour touch no other of it, also where an odd number of them wraps around: there the last has a
/// third colour.
struct Colours {
  std::array<std::int64_t, 3> last; ///< the place of a third colour along each axis; -1 where there is none
  int count;

  CORRAL_HOST_DEVICE int along(int d, std::int64_t at) const { return at == last[d] ? 2 : static_cast<int>(at % 2); }
  CORRAL_HOST_DEVICE int of_row(std::int64_t j, std::int64_t k) const { return (along(1, j) + along(2, k)) % count; }
  CORRAL_HOST_DEVICE int of_cell(const std::array<std::int64_t, 3>& place) const {
    return (along(0, place[0]) + along(1, place[1]) + along(2, place[2])) % count;
  }
};

/// Sum of b over a cell's faces: the diagonal of A.
CORRAL_HOST_DEVICE inline double diagonal(const fluid::ConstFacePointers& b, const fluid::Cell& c) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) sum += b[d][c.low[d]] + b[d][c.high[d]];
  return sum;
}

/// What loops see of the inequality.
template <class Law> struct Inequality {
  Grid grid;
  fluid::ConstFacePointers b;
  Law law;
  double* x;

  /// Sum of b x over a cell's neighbours.
  CORRAL_HOST_DEVICE double neighbours(const fluid::Cell& c) const {
    double sum = 0;
    std::int64_t step = 1;
    for (int d = 0; d < 3; ++d) {
      const std::int64_t cells = grid.axis(d).cells, around = (cells - 1) * step; // used on periodic axes only: elsewhere b is 0 there
      const double low = b[d][c.low[d]], high = b[d][c.high[d]];
      if (low != 0) sum += low * x[c.index + (c.place[d] > 0 ? -step : around)];
      if (high != 0) sum += high * x[c.index + (c.place[d] < cells - 1 ? step : -around)];
      step *= cells;
    }
    return sum;
  }
  /// Solves a cell for its own x.
  CORRAL_HOST_DEVICE void relax(const fluid::Cell& c) const {
    const double a = diagonal(b, c);
    x[c.index] = a > 0 ? law.root(c.index, a, neighbours(c)) : 0;
  }
  CORRAL_HOST_DEVICE double F(const fluid::Cell& c, const Complementarity::Value& v) const {
    const double a = diagonal(b, c);
    return a > 0 ? a * x[c.index] + v.r - neighbours(c) : 0;
  }
};

/// How far a cell is from the inequality.
CORRAL_HOST_DEVICE inline double missed(double x, double F) { return x > 0 ? std::abs(F) : std::max(-F, 0.0); }

/// The cell of an index: what a device's thread does.
CORRAL_HOST_DEVICE inline fluid::Cell cell_of(const Grid& grid, std::int64_t i) {
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
  return fluid::cell_at(grid, {i % nx, i / nx % ny, i / (nx * ny)});
}

template <class Law> struct RelaxColour {
  Inequality<Law> inequality;
  Colours colours;
  int now;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const fluid::Cell c = cell_of(inequality.grid, i);
    if (colours.of_cell(c.place) == now) inequality.relax(c);
  }
};

/// F and r's slope of a cell; its value is how far it is from the inequality.
template <class Law> struct SetResidual {
  Inequality<Law> inequality;
  double *F, *slope;

  CORRAL_HOST_DEVICE void set(const fluid::Cell& c) const {
    const Complementarity::Value v = inequality.law.at(c.index, inequality.x[c.index]);
    F[c.index] = inequality.F(c, v);
    slope[c.index] = v.slope;
  }
  CORRAL_HOST_DEVICE double operator()(std::int64_t i) const {
    set(cell_of(inequality.grid, i));
    return missed(inequality.x[i], F[i]);
  }
};

/// x <- max(0, start + s e); the first of a search keeps where it starts.
template <class Law> struct StepAlong {
  Inequality<Law> inequality;
  double* start;
  const double* correction;
  double s;
  bool first;
  CORRAL_HOST_DEVICE void step(const fluid::Cell& c) const {
    const std::int64_t i = c.index;
    if (first) start[i] = inequality.x[i];
    inequality.x[i] = std::max(0.0, inequality.law.beyond(i, start[i], s * correction[i], diagonal(inequality.b, c)));
  }
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const { step(cell_of(inequality.grid, i)); }
};

template <class Law> struct FallsOfCell {
  SetResidual<Law> residual;
  const double *start, *correction;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, Falls& sums) const {
    sums.fall -= residual.F[i] * correction[i]; // in the first of a search still what the correction was found for
    residual(i);
    sums.slope += residual.F[i] * (residual.inequality.x[i] - start[i]);
  }
};

inline Colours colours_of(const std::array<std::int64_t, 3>& cells, const std::array<bool, 3>& wraps, bool rows) {
  Colours colours{{-1, -1, -1}, rows ? 3 : 2};
  for (std::size_t d = 0; d < 3; ++d)
    if (wraps[d] && cells[d] % 2 == 1 && (rows || cells[d] > 1)) colours.last[d] = cells[d] - 1, colours.count = 3;
  return colours;
}

/// Other ranks' x beside a rank's own planes.
template <class Law> void fill_x(const Inequality<Law>& inequality, const fluid::Planes& planes) {
  fluid::fill_beside(inequality.grid, planes, Staggering::centre, inequality.x);
}

/// Every cell in turn is solved for its own x.
template <Execution E, class Law>
void sweep(E execution, const Inequality<Law>& inequality, const fluid::Planes& planes, const Colours& colours) {
  for (int now = 0; now < colours.count; ++now)
    if constexpr (std::same_as<E, Cpu>) {
      fill_x(inequality, planes);
      fluid::for_each_cell_of_rows(
          execution, inequality.grid, planes, [=](std::int64_t j, std::int64_t k) { return colours.of_row(j, k) == now; },
          [=](const fluid::Cell& c) { inequality.relax(c); });
    } else {
      for_each(execution, inequality.grid.cells(), RelaxColour<Law>{inequality, colours, now});
    }
}

/// F(x) and r's slope.
template <class Law> void set_residual(Cpu cpu, const SetResidual<Law>& residual, const fluid::Planes& planes) {
  fill_x(residual.inequality, planes);
  fluid::for_each_cell(cpu, residual.inequality.grid, planes, [=](const fluid::Cell& c) { residual.set(c); });
}

/// The same; returns how far the worst cell is from the inequality.
template <Execution E, class Law> double worst_residual(E execution, const SetResidual<Law>& residual, const fluid::Planes& planes) {
  const Inequality<Law>& inequality = residual.inequality;
  if constexpr (std::same_as<E, Cpu>) {
    set_residual(execution, residual, planes);
    const auto [first, own] = fluid::own_cells(inequality.grid, planes);
    const double *x = inequality.x + first, *F = residual.F + first;
    return planes.largest(maximum(execution, own, 0, [=](std::int64_t c) { return missed(x[c], F[c]); }));
  } else {
    return maximum(execution, inequality.grid.cells(), 0, residual);
  }
}

/// x <- max(0, x + s e), s = 1 or, where J would rise again, near its minimum along e. Kinks bend that path: a few
/// cells that cross one would cut s for all. It begins where F has the right-hand side that e was found for, -F of the cells in
/// the system.
template <class Law>
void search(Cpu cpu, const SetResidual<Law>& residual, const fluid::Planes& planes, double* start, const double* correction,
            Array<Falls>& falls) {
  const Inequality<Law>& at = residual.inequality;
  const double* F = residual.F;
  const auto add = [&](const auto& f) { return fluid::sum_cells(cpu, at.grid, planes, falls, f); };
  const double fall = add([=](std::int64_t c, Falls& sum) { sum.fall -= F[c] * correction[c]; }).fall;
  double s = 1;
  for (int tries = 0; tries < 4; ++tries) {
    const StepAlong<Law> along{at, start, correction, s, tries == 0};
    fluid::for_each_cell(cpu, at.grid, planes, [=](const fluid::Cell& c) { along.step(c); });
    set_residual(cpu, residual, planes);
    const double slope = add([=](std::int64_t c, Falls& sum) { sum.slope += F[c] * (at.x[c] - start[c]); }).slope / s;
    if (slope <= 1e-2 * std::abs(fall)) return;
    s *= std::clamp(fall / (fall - slope), 0.1, 0.9);
  }
}

/// The same with one wait a try.
template <class Law>
void search(Gpu gpu, const SetResidual<Law>& residual, const fluid::Planes&, double* start, const double* correction, Array<Falls>&) {
  const Inequality<Law>& at = residual.inequality;
  const std::int64_t n = at.grid.cells();
  double s = 1, fall = 0;
  for (int tries = 0; tries < 4; ++tries) {
    for_each(gpu, n, StepAlong<Law>{at, start, correction, s, tries == 0});
    const Falls falls = accumulate(gpu, n, Falls{}, FallsOfCell<Law>{residual, start, correction}, AddInPlace{});
    if (tries == 0) fall = falls.fall;
    const double slope = falls.slope / s;
    if (slope <= 1e-2 * std::abs(fall)) return;
    s *= std::clamp(fall / (fall - slope), 0.1, 0.9);
  }
}

} // namespace complementarity

template <Execution E, class Law>
Complementarity::Report Complementarity::solve(E execution, const fluid::FaceArrays& b, const Law& law,
                                               Array<double>& x, double tolerance) {
  using namespace complementarity;
  Report report;
  take();
  const Inequality<Law> inequality{domain_.grid(), fluid::pointers(b), law, x.data()};
  const SetResidual<Law> residual{inequality, F_.data(), diagonal_.data()};
  const Colours colours = colours_of(cells_, wraps_, std::same_as<E, Cpu>);
  for (report.rounds = 1;; ++report.rounds) {
    for (int sweeps = report.rounds < 4 ? 1 : report.rounds < 6 ? 4 : 16; sweeps > 0; --sweeps)
      sweep(execution, inequality, planes(), colours);
    const double worst = worst_residual(execution, residual, planes());
    if (worst <= tolerance) break;
    if (report.rounds == most_rounds || !std::isfinite(worst)) {
      report.converged = false;
      break;
    }
    report.linear += correct(execution, b, x, tolerance, std::max(0.1 * worst, 0.3 * tolerance));
    scratch_.fields.take_cells(domain_.grid(), start_);
    search(execution, residual, planes(), start_.data(), correction_.data(), falls_);
    scratch_.fields.give_back(start_);
  }
  scratch_.share(domain_.grid(), Staggering::centre, x);
  give_back();
  return report;
}

template <Execution E>
int Complementarity::correct(E execution, const fluid::FaceArrays& b, const Array<double>& values, double zero,
                             double linear_tolerance) {
  const double *x = values.data(), *F = F_.data();
  std::uint8_t* active = scratch_.active.data();
  double* correction = correction_.data();
  const fluid::OwnRange own = fluid::own_cells(domain_.grid(), planes());
  for_each(execution, own.count, [=] CORRAL_BODY(std::int64_t k) {
    const std::int64_t c = own.first + k;
    active[c] = x[c] > 0 || F[c] <= zero;
    correction[c] = 0;
  });
  planes().fill(active, cells_[0] * cells_[1]);
  return solve_truncated(execution, b, linear_tolerance);
}

/// The linear system over active cells; a face to another cell, where x stays 0, becomes part of the diagonal.
template <Execution E>
int Complementarity::solve_truncated(E execution, const fluid::FaceArrays& faces, double tolerance) {
  const std::uint8_t* active = scratch_.active.data();
  for (int d = 0; d < 3; ++d) {
    const double* b = faces[d].data();
    double* truncated = truncated_[d].data();
    fluid::for_each_face(execution, domain_.grid(), planes(), d, [=] CORRAL_BODY(const fluid::Face& f) {
      truncated[f.index] = !f.boundary() && active[f.below] && active[f.above] ? b[f.index] : 0;
    });
  }
  const fluid::ConstFacePointers b = fluid::pointers(faces), truncated = fluid::pointers(truncated_);
  double *own = diagonal_.data(), *rhs = F_.data();
  fluid::for_each_cell(execution, domain_.grid(), planes(), [=] CORRAL_BODY(const fluid::Cell& c) {
    const bool touches = active[c.index] != 0;
    const double cut = complementarity::diagonal(b, c) - complementarity::diagonal(truncated, c);
    own[c.index] = touches ? std::max(cut, 0.0) + own[c.index] : 0;
    rhs[c.index] = touches ? -rhs[c.index] : 0;
  });
  solver_.set_coefficients(execution, {truncated, diagonal_.data()});
  return solver_.solve(execution, F_.data(), correction_.data(),
                       {.absolute_max = tolerance, .max_iterations = 100, .whole = false})
      .iterations;
}

} // namespace corral::mppic

#pragma once

#include "stokes/accuracy/parameters.hpp"
#include "stokes/sums/kind.hpp"
#include "stokes/sums/normal_numbers.hpp"

#include <corral/execution.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace corral::stokes {

/// Points with a strength each.
struct Sources {
  Positions<double> at;                                        ///< anywhere: they wrap into the box [m]
  std::array<Column<const double>, most_strengths> strength{}; ///< the first strength_columns(sum) of them
};

/// Points, and columns for what is found there. A column without data is not asked for.
struct Targets {
  Positions<double> at;                     ///< [m]
  std::array<Column<double>, 3> velocity{}; ///< the first result_columns(sum, velocity) of them
  Column<double> pressure{};
  std::array<Column<double>, 9> gradient{}; ///< d u_i/d x_l at 3 i + l
};

/// Where the time of a call went [s].
struct SumSeconds {
  double sort = 0, spread = 0, transform = 0, interpolate = 0, near = 0;
  double total() const { return sort + spread + transform + interpolate + near; }
};

/// Sums over the sources, and their images along periodic axes, at targets: u_i = sum of G(x_i - y_j) f_j, G by `Sum`,
/// by Ewald's splitting (docs/stokes.md). Made once; each call takes any positions and strengths. Where all axes are
/// periodic the mean of every result over the box is 0: flows have no net flux, and a pressure gradient holds forces
/// that don't add up to 0. A source at a target's very place acts by its images and not itself. A plan serves one call
/// at a time. The same bits for any number of threads.
class SumPlan {
public:
  /// Throws Error as `choose` does, and std::bad_alloc.
  explicit SumPlan(const Task& task, const Parameters& fixed = {}, const CostModel& = {});
  ~SumPlan();
  SumPlan(SumPlan&&) noexcept;
  SumPlan& operator=(SumPlan&&) noexcept;

  const Task& task() const;
  const Parameters& parameters() const;

  /// Sets the targets' columns. Where both have the same positions in memory, these are sorted once. Throws Error, and
  /// has then changed nothing, for columns of other lengths, for strengths that are missing, for results that the plan
  /// was not made for, and where a coordinate or a strength is not finite.
  void operator()(Cpu, const Sources&, const Targets&);

  /// Sets the columns to random vectors of mean 0, and of the covariance <u_i u_j> that this sum has as a matrix: of
  /// spheres (Task::radius). Streams 0 to 2 are read by point of the grid, 3 to 5 by sphere. The far field's are made
  /// mode by mode, the near field's by a Krylov space, to the plan's tolerance (Fiore et al. 2017). Throws Error as a
  /// sum does, for points, and where some axes are free but not all.
  void fluctuate(Cpu, const Positions<double>& at, const NormalNumbers&, const std::array<Column<double>, 3>& velocity);

  const SumSeconds& seconds() const; ///< of the last call
  std::int64_t bytes() const;        ///< memory held, scratch included

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace corral::stokes

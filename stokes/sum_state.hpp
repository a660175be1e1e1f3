#pragma once

#include "fluid/spectral/mode_map.hpp"
#include "stokes/far/tensors.hpp"
#include "stokes/far/window.hpp"
#include "stokes/near/near_field.hpp"
#include "stokes/near/krylov_root.hpp"
#include "stokes/sum_plan.hpp"

#include <corral/cell_order.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace corral::stokes {

class Stopwatch {
public:
  /// Adds what has gone by since the last call.
  void add_to(double& seconds) {
    const auto now = std::chrono::steady_clock::now();
    seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// What a plan holds: both orders, the grid and its tensors, the near field.
struct SumPlan::State {
  using Columns = std::vector<Column<double>>;
  using Strengths = std::vector<Column<const double>>;

  State(const Task& t, const Parameters& fixed, const CostModel& cost);

  void sort(Cpu, const Positions<double>& sources, const Positions<double>& targets);
  void require_near(Cpu, const Positions<double>& at, const char* what) const;
  /// Sets the columns.
  void add_far(Cpu, const Strengths& strengths, const Columns& results);
  void interpolate(Cpu, const Columns& results);
  /// Adds to the columns.
  void add_near(Cpu, const Positions<double>& sources, const Positions<double>& targets, const Strengths& strengths,
                const Columns& results);
  /// Sets the columns to random vectors whose covariance is the far field of the sum.
  void set_noise(Cpu, const NormalNumbers& numbers, const Columns& velocity);
  /// What goes to the grid: the strengths, or q n + n q of a stresslet's.
  Strengths spread_columns(Cpu, const Strengths& strengths);
  bool apart() const { return !targets_are_sources; }

  Task task;
  Parameters parameters;
  std::unique_ptr<Window> window;
  Grid far_grid, near_grid;
  CellOrder<double> far_sources, near_sources, far_targets, near_targets;
  bool targets_are_sources = true;
  fluid::spectral::ModeMap modes;
  FarTensors tensors;
  std::optional<FarTensors> roots; ///< of the tensors, for random velocities
  NearField near;
  KrylovSpace krylov; ///< likewise
  std::vector<Array<double>> fields;
  Array<double> symmetric; ///< of stresslets, column behind column
  Array<double> unasked;   ///< results that come with others
  SumSeconds seconds;
};

} // namespace corral::stokes

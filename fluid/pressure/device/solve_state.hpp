#pragma once

#include "fluid/pressure/stopping.hpp"

#include <corral/host_device.hpp>

namespace corral::fluid {

/// Where a solve on a device stands. 0 is how it begins.
enum class SolvePhase : int {
  looking = 0, ///< the true residual decides what follows
  running = 1, ///< conjugate gradients
  ended = 2
};

/// Work that is to be done in one phase alone: what has been asked for beyond it changes nothing.
struct PhaseGate {
  const SolvePhase* phase;
  SolvePhase wanted;
  CORRAL_HOST_DEVICE bool closed() const { return *phase != wanted; }
};

/// What decides about a solve, on the device: alone a copy of it comes to the host. All 0 at the start.
struct SolveState {
  SolvePhase phase;
  int iterations;
  int looks;      ///< at true residuals
  bool converged;
  bool fresh;     ///< conjugate gradients begin: there is no direction yet
  ResidualNorms start, left; ///< of the right-hand side, of the residual
  double before;  ///< left.square when conjugate gradients began last
  double scale;   ///< of the residual, for the preconditioner's range
  double pr, pq, alpha, beta;
  double z_mean;  ///< of the preconditioned residual, where one unpinned part covers the grid
};

/// What launches add up: two numbers, or the norms of a residual.
struct SolveSum {
  double first = 0, second = 0;
  double max = 0;
  CORRAL_HOST_DEVICE SolveSum& operator+=(const SolveSum& other) {
    first += other.first;
    second += other.second;
    max = max < other.max ? other.max : max;
    return *this;
  }
};

} // namespace corral::fluid

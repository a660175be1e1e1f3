#pragma once

#include "run/time_step.hpp"
#include "structure/setup/immersed.hpp"

#include <corral/method.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace corral::membrane {

/// How membranes and fluid feel each other.
enum class Coupling : std::uint8_t {
  midpoint, ///< second order: forces and velocities at the middle of the step
  predictor ///< first order: forces at the predicted end of the step (Kassen, Shankar and Fogelson)
};

struct CouplingModel {
  Coupling scheme = Coupling::midpoint;
  std::string kernel = "composite43";
  Method method = Method::automatic; ///< of the spreads
  double repulsion_range = 0;        ///< distance at which membranes begin to repel each other [m]; 0: never
  double repulsion_stiffness = 0;    ///< [N/m] per pair of points
};

struct StepModel : run::StepLengths {
  double courant = 0.5; ///< cells that the fluid crosses in a step, at most
};

/// A checked case.
struct MembraneSetup : structure::Immersed {
  CouplingModel coupling;
  StepModel time;
  std::vector<std::string> warnings;

  /// What to say beside a shorter step: ", or time.step = adaptive", where the fluid has a choice.
  std::string or_adaptive(const char* before = ", or ") const { return lattice() ? "" : before + std::string("time.step = adaptive"); }
};

} // namespace corral::membrane

#pragma once

#include "membrane/case/setup.hpp"

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace corral::membrane {

/// The longest stable step of explicit coupling, and what bounds it.
struct StableStep {
  double dt = std::numeric_limits<double>::infinity(); ///< [s]
  std::string cause; ///< "the modulus 5e-4 N/m of [surface.red]"
};

/// Areas of parts of a surface over their own without stress, as it starts [-].
struct Dilation {
  double least = 1, most = 1;
};

/// How stiff the membranes of a case are for its grid, its fluid and its kernel (docs/membranes.md, "The time step").
class StepBounds {
public:
  explicit StepBounds(const MembraneSetup& setup);

  /// With membranes of each kind stretched so much at most [-]: Skalak's law stiffens.
  StableStep at(std::span<const double> stretches) const;
  /// As they start.
  StableStep at_start() const;

private:
  /// A wave along a membrane moves it along itself, or across; what either meets adds up.
  struct Wave {
    double rate = 0;    ///< 1/dt^2, in Stokes flow 1/dt
    double largest = 0; ///< part of it
    std::string cause;
    void add(double part, const std::string& what);
  };
  struct Kind {
    Wave along, across;   ///< without the elastic law, which is along
    double per_modulus;   ///< rate of a modulus of 1 N/m
    double start_stretch; ///< [-]
    Dilation dilation;    ///< that it keeps, as enclosed volumes do
  };
  class Maker;

  double longest(double rate) const;

  const MembraneSetup& setup_;
  std::vector<Kind> kinds_;
};

} // namespace corral::membrane

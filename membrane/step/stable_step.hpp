#pragma once

#include "membrane/setup/setup.hpp"
#include "structure/surfaces/shapes.hpp"

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

/// How far membranes are from their shape without stress.
struct Deformation {
  double stretch = 1;                        ///< longest edge over its own there [-]
  double largest_area = 1, least_area = 1; ///< of a part of the surface over its own there [-]
};

/// That of a membrane of triangles as it starts; `shape` has a reference.
Deformation deformation_of(const structure::SurfaceShape& shape);

/// How stiff the membranes of a case are for its grid, its fluid and its kernel (docs/membranes.md, "The time step").
class StepBounds {
public:
  explicit StepBounds(const MembraneSetup& setup);

  /// With membranes of each kind as far deformed as that: laws stiffen, and tension acts across.
  StableStep at(std::span<const Deformation> deformations) const;
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
    Wave along, across;              ///< without the elastic law
    double per_modulus, per_tension; ///< rates of 1 N/m
    Deformation start;
  };
  class Maker;

  double longest(double rate) const;

  const MembraneSetup& setup_;
  std::vector<Kind> kinds_;
};

} // namespace corral::membrane

#pragma once

#include "fluid/lattice/flow.hpp"
#include "run/case/keys.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"
#include "run/driver.hpp"
#include "run/time_step.hpp"
#include "structure/setup/flow.hpp"

#include <string>
#include <vector>

namespace corral::structure {

// The part of flow_case.hpp that lattice fluids have.

/// Rows of [lattice].
void declare_lattice(run::KeyTable&);
LatticeModel read_lattice(const run::Settings&);

/// How a driver's fluid moves on a device of which all else is the CPU's.
run::DeviceKind::Part lattice_on_device(const run::Settings&);

/// What a case's fluid is on the lattice in steps of dt [s].
fluid::LatticeProperties lattice_properties(const FlowSetup&, double dt);

/// Of its populations, in each cell.
double population_bytes(const FlowSetup&);
/// Memory of a CUDA device that a case asks for, about [bytes]; 0 where none moves its fluid. Populations lie on the host, too:
/// checkpoints are written there.
double device_bytes(const FlowSetup&);

/// What decides whether a lattice can follow a flow.
struct LatticeNumbers {
  double tau = 0;           ///< of even moments, in steps
  double speed = 0;         ///< the fastest that the case asks for: at the start, of walls and inlets, of what develops [m/s]
  double mach = 0;          ///< of that speed; sound crosses 1/sqrt 3 of a cell a step
  double grid_reynolds = 0; ///< speed times a cell over the kinematic viscosity

  static constexpr double least_tau = 0.5005, largest_mach = 0.3;
};
LatticeNumbers lattice_numbers(const FlowSetup&, double dt);

bool check_lattice(const FlowSetup&, const run::StepLengths&, const run::Settings&, run::Problems&);
std::vector<std::string> describe_lattice(const FlowSetup&, double dt);
std::vector<std::string> lattice_warnings(const FlowSetup&, double dt);

} // namespace corral::structure

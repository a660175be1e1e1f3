#pragma once

#include "run/case/flow_box.hpp"
#include "run/case/keys.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"
#include "run/time_step.hpp"
#include "structure/setup/flow.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corral::structure {

/// Which boxes a driver takes.
enum class Box : std::uint8_t {
  any,     ///< that a fluid takes, with inlets
  parallel ///< periodic, or along y between two walls
};

/// Rows of [grid], [sides], [fluid], [lattice], [drive] and, for any box, [inlet.NAME].
void declare_flow(run::KeyTable&, Box = Box::any);

/// Reads them into `flow`. What is wrong is added to `problems`; then the box is `flawed` at best.
run::BoxState read_flow(const run::Settings&, run::Problems&, FlowSetup& flow);

/// False, and a problem more, where the fluid cannot be solved for on such a grid, or in such steps.
bool check_flow(const FlowSetup&, const run::StepLengths&, const run::Settings&, run::Problems&);

/// The same of cells that are Fourier transformed: of a spectral fluid, and by those who ask where membranes enclose fluid.
bool check_transforms(const FlowSetup&, const run::Settings&, run::Problems&);

/// What `corral check` says of the fluid in steps of dt [s], a line each; nothing of the spectral one.
std::vector<std::string> describe_flow(const FlowSetup&, double dt);
/// What may be wrong with it though it runs, a sentence each.
std::vector<std::string> flow_warnings(const FlowSetup&, double dt);

/// Cells that the fluid crosses per time where it is fastest, summed over the axes, as the case has it start [1/s].
double starting_rate(const FlowSetup&);

} // namespace corral::structure

#include "membrane/case/case_reader.hpp"

#include "run/case/values.hpp"
#include "run/time_step.hpp"
#include "structure/fluids/flow_case.hpp"

#include <corral/kernels/shipped.hpp>

#include <string>

namespace corral::membrane {

using run::brief;

void SetupReader::flow() {
  const run::BoxState state = structure::read_flow(s_, problems_, setup_);
  has_box_ = state != run::BoxState::none;
  complained_ = complained_ || state != run::BoxState::good;
}

void SetupReader::coupling() {
  CouplingModel& coupling = setup_.coupling;
  coupling.scheme = s_.choice("coupling", "scheme") == "midpoint" ? Coupling::midpoint : Coupling::predictor;
  coupling.kernel = s_.choice("coupling", "kernel");
  const std::string method = s_.choice("coupling", "method");
  for (const Method m : all_methods(Cpu{}))
    if (name(m) == method) coupling.method = m;
  coupling.repulsion_range = s_.real("repulsion", "range");
  coupling.repulsion_stiffness = s_.real("repulsion", "stiffness");
  if ((coupling.repulsion_range > 0) != (coupling.repulsion_stiffness > 0))
    complain("repulsion", to_blame("repulsion", {"range", "stiffness"}),
             "[repulsion] has " + std::string(coupling.repulsion_range > 0 ? "a range but no stiffness"
                                                                            : "a stiffness but no range") +
                 " (it needs both) give the other, or neither");
  for (std::size_t d = 0; d < 3 && has_box_; ++d)
    if (setup_.sides[2 * d] == fluid::SideKind::periodic && 3 * coupling.repulsion_range > setup_.size[d]) {
      complain("repulsion", "range", "repulsion.range " + brief(coupling.repulsion_range) + " m is more than a third of "
                                     "the box along " + "xyz"[d] + " (" + brief(setup_.size[d]) + " m)");
      return;
    }
}

void SetupReader::time() {
  setup_.time = {read_step_lengths(s_, problems_), s_.real("time", "courant")};
  setup_.random_seed = static_cast<std::uint64_t>(s_.integer("random", "seed"));
}

} // namespace corral::membrane

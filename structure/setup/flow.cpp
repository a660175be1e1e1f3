#include "structure/setup/flow.hpp"

namespace corral::structure {

fluid::Domain FlowSetup::make_domain() const {
  fluid::Domain domain(make_grid(), sides, {});
  if (walls())
    for (const bool high : {false, true})
      domain.set_wall_velocity(fluid::side(1, high), drive.wall_velocity[high ? 1 : 0]);
  return domain;
}

} // namespace corral::structure

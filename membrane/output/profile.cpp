#include "membrane/output/profile.t.hpp"

namespace corral::membrane {

std::vector<run::LogColumn> profile_columns() {
  return {{"y", "m", "of the layer's middle"},
          {"inside", "", "share of the layer that membranes enclose: the local haematocrit"},
          {"velocity_x", "m/s", "of the fluid, mean over the layer, inside membranes and outside"},
          {"velocity_y", "m/s", "likewise"},
          {"velocity_z", "m/s", "likewise"}};
}

template class Profile<Cpu>;

} // namespace corral::membrane

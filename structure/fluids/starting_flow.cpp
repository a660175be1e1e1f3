#include "structure/fluids/starting_flow.hpp"

#include <algorithm>
#include <cmath>

namespace corral::structure {

/// Whether flow along an axis can depend on y alone.
bool StartingFlow::parallel(std::size_t d) const {
  const std::size_t third = 2 - d;
  const auto slips = [&](std::size_t s) { return flow_.sides[s] == fluid::SideKind::free_slip; };
  return d != 1 && flow_.periodic(d) && (flow_.periodic(third) || (slips(2 * third) && slips(2 * third + 1)));
}

double StartingFlow::developed(std::size_t d, double height) const {
  if (!parallel(d)) return 0;
  const DriveModel& drive = flow_.drive;
  const double width = flow_.size[1], y = height, bend = drive.body_force[d] / flow_.fluid.mu;
  if (flow_.periodic(1)) return static_cast<int>(d) == drive.along ? drive.shear_rate * (y - 0.5 * width) : 0;
  const double low = drive.wall_velocity[2][d], high = drive.wall_velocity[3][d];
  const auto is = [&](std::size_t side, fluid::SideKind kind) { return flow_.sides[side] == kind; };
  if (flow_.walls()) return low + (high - low) * y / width + 0.5 * bend * y * (width - y);
  if (is(2, fluid::SideKind::no_slip) && is(3, fluid::SideKind::free_slip)) return low + bend * y * (width - 0.5 * y);
  if (is(2, fluid::SideKind::free_slip) && is(3, fluid::SideKind::no_slip)) return high + 0.5 * bend * (width * width - y * y);
  return 0;
}

double StartingFlow::operator()(std::size_t d, double height) const {
  return flow_.drive.velocity[d] + (flow_.drive.developed ? developed(d, height) : 0);
}

double StartingFlow::fastest(std::size_t d) const {
  constexpr int places = 64; // of a parabola
  double most = 0;
  for (int i = 0; i <= places; ++i) most = std::max(most, std::abs((*this)(d, flow_.size[1] * i / places)));
  return most + fastest_vortex(d);
}

double StartingFlow::fastest_vortex(std::size_t d) const {
  const double speed = std::abs(flow_.drive.vortices);
  return d == 0 ? speed : d == 1 ? speed * flow_.size[1] / flow_.size[0] : 0;
}

} // namespace corral::structure

#pragma once

#include "fluid/domain.hpp"
#include "run/case/keys.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"

#include <array>
#include <cstdint>

namespace corral::run {

/// The box that a case's flow fills, as [grid], [sides] and, where a driver has gravity, [forces] give it.
struct FlowBox {
  std::array<std::int64_t, 3> cells{};
  std::array<double, 3> origin{}, size{}; ///< [m]
  std::array<fluid::SideKind, 6> sides{};
  std::array<double, 3> gravity{}; ///< [m/s2]; 0 for drivers without

  Grid make_grid() const { return fluid::Domain::make_grid(cells, origin, size, sides); }
};

/// The rows of [grid].
void declare_grid(KeyTable&);
/// Those of [sides], for drivers that take any.
void declare_sides(KeyTable&);
/// That of gravity in [forces].
void declare_gravity(KeyTable&);

/// What a case's box turned out to be.
enum class BoxState : std::uint8_t {
  good,
  flawed, ///< regions can lie in it, but its sides contradict each other
  none    ///< no lengths that regions could lie in
};

/// Reads them into `box`. What is wrong is added to `problems`.
BoxState read_flow_box(const Settings&, Problems&, FlowBox& box);

} // namespace corral::run

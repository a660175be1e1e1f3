#include "run/case/flow_box.hpp"

#include "run/case/keys.hpp"
#include "run/case/values.hpp"

#include <cmath>
#include <string>

namespace corral::run {
namespace {

/// False where they contradict each other.
bool read_sides(const Settings& settings, Problems& problems, FlowBox& box) {
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string kind = settings.choice("sides", fluid::side_names[i]);
    for (int k = 0; k < 5; ++k)
      if (kind == name(static_cast<fluid::SideKind>(k))) box.sides[i] = static_cast<fluid::SideKind>(k);
  }
  bool well = true;
  for (std::size_t d = 0; d < 3; ++d) {
    const bool low = box.sides[2 * d] == fluid::SideKind::periodic;
    const bool high = box.sides[2 * d + 1] == fluid::SideKind::periodic;
    if (low == high) continue;
    problems.add(settings.where("sides", fluid::side_names[2 * d + (low ? 1 : 0)]),
                 "only one side of " + std::string(1, "xyz"[d]) +
                     " is periodic (a periodic axis wraps) make both sides periodic");
    well = false;
  }
  return well;
}

/// What is far from any flow is a unit that was forgotten, and numbers that leave the range of arithmetic.
bool has_a_size(const Settings& settings, Problems& problems, const FlowBox& box) {
  constexpr double least = 1e-9, most = 1e6; // [m]
  for (std::size_t d = 0; d < 3; ++d) {
    const double h = box.size[d] / static_cast<double>(box.cells[d]);
    if (h < least || box.size[d] > most) {
      problems.add(settings.where("grid", "size"),
                   "the cells are " + brief(h) + " m long along " + "xyz"[d] + ", the box " + brief(box.size[d]) +
                       " m (from 1e-9 m to 1e6 m is possible)");
      return false;
    }
    if (std::abs(box.origin[d]) > 1e6 * box.size[d]) {
      problems.add(settings.where("grid", "origin"),
                   std::string("the box lies more than a million times its size away from 0 along ") + "xyz"[d] +
                       " (places in it would have few digits)");
      return false;
    }
  }
  return true;
}

} // namespace

void declare_grid(KeyTable& t) {
  t.add({.section = "grid", .name = "cells", .type = KeyType::integers3, .required = true, .minimum = 1,
         .maximum = 1e6, .meaning = "cells along x, y and z"});
  Key size = vector("grid", "size", "m", std::nullopt, "lengths of the box along x, y and z");
  size.required = true;
  size.minimum = 0;
  size.minimum_excluded = true;
  t.add(size);
  t.add(vector("grid", "origin", "m", "0, 0, 0", "lower corner of the box"));
}

void declare_sides(KeyTable& t) {
  for (std::size_t s = 0; s < 6; ++s)
    t.add(choice("sides", std::string(fluid::side_names[s]),
                 {"no_slip", "free_slip", "symmetry", "outlet", "periodic"}, "no_slip",
                 "what fluid and particles meet there; symmetry is a free-slip wall that reflects parcels without loss"));
}

void declare_gravity(KeyTable& t) {
  t.add(within(vector("forces", "gravity", "m/s2", "0, 0, -9.81", "acceleration of gas and solids"), -strongest_pull,
               strongest_pull));
}

BoxState read_flow_box(const Settings& settings, Problems& problems, FlowBox& box) {
  box.cells = settings.integers3("grid", "cells");
  box.size = settings.reals3("grid", "size");
  box.origin = settings.reals3("grid", "origin");
  if (settings.given("forces", "gravity")) box.gravity = settings.reals3("forces", "gravity");
  const bool sides_agree = read_sides(settings, problems, box);
  if (!has_a_size(settings, problems, box)) return BoxState::none;
  return sides_agree ? BoxState::good : BoxState::flawed;
}

} // namespace corral::run

#include "run/case/inlets.hpp"

#include "fluid/inlet.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <cstddef>

namespace corral::run {

void declare_inlets(KeyTable& t, const std::string& what) {
  t.add(choice("inlet.*", "side", {fluid::side_names.begin(), fluid::side_names.end()}, std::nullopt,
               "the wall that the inlet is part of"));
  t.add({.section = "inlet.*", .name = "velocity", .unit = "m/s", .required = true, .minimum = 0, .maximum = fastest,
         .meaning = "mean superficial " + what + " velocity into the box; inlets that overlap add up"});
  t.add(choice("inlet.*", "profile", {"uniform", "parabolic"}, "uniform",
               "parabolic: zero at the edges of the region, along axes of more than one cell"));
  t.add({.section = "inlet.*", .name = "times", .type = KeyType::list, .unit = "s",
         .meaning = "when what enters is multiplied by `factors`, in ascending order; twice the same is a jump"});
  t.add({.section = "inlet.*", .name = "factors", .type = KeyType::list, .minimum = 0,
         .meaning = "one for each of `times`, linear in between, constant before the first and after the last"});
  t.add(vector("inlet.*", "low", "m", std::nullopt, "lower corner of the inlet's rectangle (the side's)"));
  t.add(vector("inlet.*", "high", "m", std::nullopt, "upper corner of the inlet's rectangle (the side's)"));
}

bool InletReader::region(const std::string& block, int normal, std::array<double, 3>& low, std::array<double, 3>& high) {
  std::array<double, 3> end = box_.origin;
  for (std::size_t d = 0; d < 3; ++d) end[d] += box_.size[d];
  low = box_.origin, high = end;
  if (s_.given(block, "low")) low = s_.reals3(block, "low");
  if (s_.given(block, "high")) high = s_.reals3(block, "high");
  for (std::size_t d = 0; d < 3; ++d) {
    if (static_cast<int>(d) == normal) {
      low[d] = box_.origin[d], high[d] = end[d];
      continue; // `on_side` has looked at them
    }
    const double slack = 1e-9 * box_.size[d];
    const char* key = s_.given(block, "high") ? "high" : "low";
    if (!(low[d] < high[d])) {
      complain(block, key, "[" + block + "] has no extent along " + "xyz"[d] + " (low must lie below high)");
      return false;
    }
    if (low[d] < box_.origin[d] - slack || high[d] > end[d] + slack) {
      complain(block, low[d] < box_.origin[d] - slack ? "low" : "high",
               "[" + block + "] lies outside the box along " + "xyz"[d] + " (the box goes from " +
                   run::write_number(box_.origin[d]) + " to " + run::write_number(end[d]) + " m) move it inside");
      return false;
    }
  }
  return true;
}

bool InletReader::on_side(const std::string& block, int side) {
  const auto d = static_cast<std::size_t>(side / 2);
  const double plane = box_.origin[d] + (side % 2 == 1 ? box_.size[d] : 0), slack = 1e-9 * box_.size[d];
  const bool above = s_.given(block, "low") && s_.reals3(block, "low")[d] > plane + slack;
  const bool below = s_.given(block, "high") && s_.reals3(block, "high")[d] < plane - slack;
  if (!above && !below) return true;
  complain(block, above ? "low" : "high",
           "[" + block + "] does not touch its side (" + std::string(fluid::side_names[side]) +
               " lies at " + "xyz"[d] + " = " + run::write_number(plane) + " m) is it the side that is meant?");
  return false;
}

fluid::Schedule InletReader::schedule(const std::string& block, const char* times, const char* factors) {
  const bool has_times = s_.given(block, times), has_factors = s_.given(block, factors);
  if (has_times != has_factors)
    complain(block, has_times ? times : factors, "[" + block + "] has " + (has_times ? times : factors) +
                                                     " alone (a schedule needs both) give " +
                                                     (has_times ? factors : times));
  if (!has_times || !has_factors) return {};
  try {
    return {s_.list(block, times), s_.list(block, factors)};
  } catch (const Error& e) {
    complain(block, times, e.what());
    return {};
  }
}

std::optional<fluid::Inlet> InletReader::inlet(const std::string& block) {
  fluid::Inlet inlet{};
  inlet.name = block.substr(std::string_view("inlet.").size());
  const std::string side = s_.choice(block, "side");
  for (int i = 0; i < 6; ++i)
    if (side == fluid::side_names[i]) inlet.side = i;
  const fluid::SideKind kind = box_.sides[inlet.side];
  if (kind == fluid::SideKind::outlet || kind == fluid::SideKind::periodic) {
    complain(block, "side", "[" + block + "] lies on " + side + ", which is " + std::string(name(kind)) +
                                " (an inlet is part of a wall) make that side a wall");
    return std::nullopt;
  }
  if (!on_side(block, inlet.side) || !region(block, inlet.side / 2, inlet.region.low, inlet.region.high)) return std::nullopt;
  const double velocity = s_.real(block, "velocity");
  if (s_.choice(block, "profile") == "uniform")
    inlet.velocity = [velocity](const std::array<double, 3>&) { return velocity; };
  else
    inlet.velocity = fluid::parabolic_profile(box_.make_grid(), inlet.side / 2, inlet.region.low, inlet.region.high, velocity);
  inlet.schedule = schedule(block, "times", "factors");
  return inlet;
}

} // namespace corral::run

#include "fluid/inlet.hpp"
#include "mppic/case/case_reader.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

namespace corral::mppic {

bool CaseReader::region(const std::string& block, int normal, Box& out) {
  for (std::size_t d = 0; d < 3; ++d) out.low[d] = setup_.origin[d], out.high[d] = setup_.origin[d] + setup_.size[d];
  const Box box = out;
  if (s_.given(block, "low")) out.low = s_.reals3(block, "low");
  if (s_.given(block, "high")) out.high = s_.reals3(block, "high");
  for (std::size_t d = 0; d < 3; ++d) {
    if (static_cast<int>(d) == normal) {
      out.low[d] = box.low[d], out.high[d] = box.high[d];
      continue; // `on_side` has looked at them
    }
    const double slack = 1e-9 * setup_.size[d];
    const char* key = s_.given(block, "high") ? "high" : "low";
    if (!(out.low[d] < out.high[d])) {
      complain(block, key, "[" + block + "] has no extent along " + "xyz"[d] + " (low must lie below high)");
      return false;
    }
    if (out.low[d] < box.low[d] - slack || out.high[d] > box.high[d] + slack) {
      complain(block, out.low[d] < box.low[d] - slack ? "low" : "high",
               "[" + block + "] lies outside the box along " + "xyz"[d] + " (the box goes from " +
                   run::write_number(box.low[d]) + " to " + run::write_number(box.high[d]) + " m) move it inside");
      return false;
    }
  }
  return true;
}

bool CaseReader::on_side(const std::string& block, int side) {
  const auto d = static_cast<std::size_t>(side / 2);
  const double plane = setup_.origin[d] + (side % 2 == 1 ? setup_.size[d] : 0), slack = 1e-9 * setup_.size[d];
  const bool above = s_.given(block, "low") && s_.reals3(block, "low")[d] > plane + slack;
  const bool below = s_.given(block, "high") && s_.reals3(block, "high")[d] < plane - slack;
  if (!above && !below) return true;
  complain(block, above ? "low" : "high",
           "[" + block + "] does not touch its side (" + std::string(fluid::side_names[side]) +
               " lies at " + "xyz"[d] + " = " + run::write_number(plane) + " m) is it the side that is meant?");
  return false;
}


void CaseReader::inlet(const std::string& block) {
  fluid::Inlet inlet{};
  inlet.name = block.substr(6);
  const std::string side = s_.choice(block, "side");
  for (int i = 0; i < 6; ++i)
    if (side == fluid::side_names[i]) inlet.side = i;
  const fluid::SideKind kind = setup_.sides[inlet.side];
  if (kind == fluid::SideKind::outlet || kind == fluid::SideKind::periodic)
    return complain(block, "side", "[" + block + "] lies on " + side + ", which is " + std::string(name(kind)) +
                                       " (an inlet is part of a wall) make that side a wall");
  Box box;
  if (!on_side(block, inlet.side) || !region(block, inlet.side / 2, box)) return;
  inlet.region = {box.low, box.high};
  const double velocity = s_.real(block, "velocity");
  if (s_.choice(block, "profile") == "uniform")
    inlet.velocity = [velocity](const std::array<double, 3>&) { return velocity; };
  else
    inlet.velocity = fluid::parabolic_profile(setup_.make_grid(), inlet.side / 2, box.low, box.high, velocity);
  inlet.schedule = schedule(block, "times", "factors");
  setup_.inlets.push_back(inlet);
  solids_inlet(block, inlet);
}

fluid::Schedule CaseReader::schedule(const std::string& block, const char* times, const char* factors) {
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

std::array<double, 3> CaseReader::tangential(const std::string& block, int side) {
  constexpr const char* key = "solids_tangential_velocity";
  std::array<double, 3> velocity{};
  if (s_.given(block, key)) velocity = s_.reals3(block, key);
  const auto normal = static_cast<std::size_t>(side / 2);
  if (velocity[normal] != 0)
    complain(block, key, "[" + block + "] has a tangential velocity with a part along " + "xyz"[normal] +
                             ", across its side (solids_velocity is that part) make it 0");
  return velocity;
}

void CaseReader::solids_inlet(const std::string& block, const fluid::Inlet& inlet) {
  if (!s_.given(block, "solids_rate")) return;
  try {
    const double velocity = need(block, "solids_velocity", "solids_rate needs it");
    const double weight = need(block, "particles_per_parcel", "solids_rate needs it");
    const std::optional<int> solid = solid_of(block);
    const SizeDistribution* sizes = solid ? sizes_of(block, *solid) : nullptr;
    const std::array<double, 3> along = tangential(block, inlet.side);
    const bool own = s_.given(block, "solids_times") || s_.given(block, "solids_factors");
    const fluid::Schedule feed = own ? schedule(block, "solids_times", "solids_factors") : inlet.schedule;
    if (sizes)
      setup_.solids_inlets.push_back({.inlet = inlet,
                                      .rate = s_.real(block, "solids_rate"),
                                      .velocity = velocity,
                                      .particles_per_parcel = weight,
                                      .sizes = *sizes,
                                      .tangential = along,
                                      .solid = *solid,
                                      .schedule = feed});
  } catch (const CaseSaid&) {
  }
}

} // namespace corral::mppic

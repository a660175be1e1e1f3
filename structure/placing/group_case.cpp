#include "structure/placing/group_case.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::structure {

using run::brief;

void declare_groups(run::KeyTable& t, const GroupWords& words) {
  using namespace run;
  constexpr double longest = 1e6; // [m]
  const std::string blocks = words.section + ".*";
  const auto whole = [&](const char* name, double most, std::string meaning) {
    return Key{.section = blocks, .name = name, .type = KeyType::integer, .minimum = 1, .maximum = most, .meaning = std::move(meaning)};
  };
  if (!words.kinds.empty())
    t.add({.section = blocks, .name = words.kinds, .type = KeyType::text,
           .meaning = "name of their [" + words.kinds + ".NAME] block (where there is more than one)"});
  t.add(choice(blocks, "arrangement", {"one", "lattice", "random", "table"}, "one",
               "one; a regular lattice across the region; random: anywhere in it, none nearer than gap; table: where a file says"));
  const auto of = [&](std::vector<std::string> arrangements, Key key) {
    t.add(where("arrangement", std::move(arrangements), std::move(key)));
  };
  of({"one"}, vector(blocks, "position", "m", std::nullopt, "centre of one (the box's)"));
  of({"lattice", "random"}, vector(blocks, "low", "m", std::nullopt, "lower corner of the region (the box's)"));
  of({"lattice", "random"}, vector(blocks, "high", "m", std::nullopt, "upper corner of the region (the box's)"));
  of({"lattice"}, {.section = blocks, .name = "lattice", .type = KeyType::integers3, .minimum = 1, .maximum = 1e6,
                   .meaning = "how many along x, y and z"});
  of({"random"}, whole("count", 1e7, "random: how many"));
  of({"random"}, {.section = blocks, .name = "volume_fraction", .minimum = 0, .maximum = 0.6, .minimum_excluded = true,
                  .meaning = "random: instead, share of the region that they " + words.fill});
  of({"random"}, {.section = blocks, .name = "gap", .unit = "m", .minimum = 0,
                  .meaning = "random: least distance between two, and to walls (" + words.gap + ")"});
  of({"table"}, {.section = blocks, .name = "table", .type = KeyType::file,
                 .meaning = "table: lines of `x, y, z`, the centre; behind it may stand the direction of the shape's z axis, "
                            "`ax, ay, az`, and an angle [rad] by which the shape is turned about that axis before"});
  of({"table"}, within(positive(blocks, "unit", "m", "1 m", "table: what its x, y, z are in"), 1e-12, longest));
  t.add(choice(blocks, "orientation", {"fixed", "random"}, "fixed", "fixed: as axis says; random: any"));
  t.add(where("orientation", {"fixed"},
              vector(blocks, "axis", "", "0, 0, 1", "direction in which the shape's z axis points")));
}

std::optional<std::size_t> GroupReader::meant(const std::string& block, const char* key, const std::string& prefix) {
  const std::vector<std::string> blocks = s_.blocks(prefix);
  if (s_.given(block, key)) {
    const std::string wanted = s_.text(block, key);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (blocks[i] == prefix + "." + wanted) return i;
    const auto near = run::nearest(prefix + "." + wanted, blocks);
    complain(block, key, "there is no [" + prefix + "." + wanted + "]" + (near ? " (nearest: [" + *near + "])" : ""));
    return std::nullopt;
  }
  if (blocks.size() == 1) return 0;
  if (blocks.empty())
    complain(block, key, "[" + block + "] has no [" + prefix + ".NAME] that it could mean (the case has none) add one");
  else
    complain(block, key, "[" + block + "] does not say which [" + prefix + ".NAME] it means (there are " +
                             std::to_string(blocks.size()) + ") give `" + key + "`");
  return std::nullopt;
}

std::optional<ImmersedGroup> GroupReader::read(const std::string& block,
                                               const std::function<double(const ImmersedGroup&)>& wanted) {
  ImmersedGroup group;
  group.name = block.substr(words_.section.size() + 1);
  if (!words_.kinds.empty()) {
    const auto kind = meant(block, words_.kinds.c_str(), words_.kinds);
    if (!kind) return std::nullopt;
    group.surface = *kind;
  }
  group.turned_at_random = s_.choice(block, "orientation") == "random";
  group.axis = s_.reals3(block, "axis");
  const double length = std::hypot(group.axis[0], group.axis[1], group.axis[2]);
  if (!(length > 0)) {
    complain(block, "axis", "axis is 0, 0, 0 (it has no direction) give another");
    return std::nullopt;
  }
  for (double& a : group.axis) a /= length;
  complained_ = false;
  places(block, group);
  if (!complained_ && group.arrangement == GroupArrangement::random) random(block, group, wanted);
  if (complained_) return std::nullopt;
  return group;
}

void GroupReader::places(const std::string& block, ImmersedGroup& group) {
  const std::string arrangement = s_.choice(block, "arrangement");
  group.arrangement = arrangement == "one"       ? GroupArrangement::one
                      : arrangement == "lattice" ? GroupArrangement::lattice
                      : arrangement == "table"   ? GroupArrangement::table
                                                 : GroupArrangement::random;
  double spacing = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double low = box_.origin[d], high = low + box_.size[d];
    group.low[d] = s_.given(block, "low") ? s_.reals3(block, "low")[d] : low;
    group.high[d] = s_.given(block, "high") ? s_.reals3(block, "high")[d] : high;
    group.position[d] = s_.given(block, "position") ? s_.reals3(block, "position")[d] : low + 0.5 * box_.size[d];
    spacing = std::max(spacing, box_.size[d] / static_cast<double>(box_.cells[d]));
    const double slack = 1e-9 * box_.size[d];
    const std::string along = std::string(" along ") + "xyz"[d];
    if (!(group.low[d] < group.high[d]))
      return complain(block, "high", "[" + block + "] ends below where it begins" + along);
    if (group.low[d] < low - slack || group.high[d] > high + slack)
      return complain(block, "low", "[" + block + "] lies outside the box" + along + " (it reaches from " + brief(low) +
                                        " to " + brief(high) + " m)");
    if (group.position[d] < low || group.position[d] > high)
      return complain(block, "position", "[" + block + "] lies outside the box" + along + " (" +
                                             brief(group.position[d]) + " m; the box reaches from " + brief(low) +
                                             " to " + brief(high) + " m)");
  }
  group.gap = s_.given(block, "gap") ? s_.real(block, "gap") : spacing;
  if (group.arrangement == GroupArrangement::lattice) {
    if (!s_.given(block, "lattice"))
      return complain(block, "arrangement", "[" + block + "] does not say how many (arrangement = lattice needs "
                                            "`lattice = nx, ny, nz`)");
    group.lattice = s_.integers3(block, "lattice");
    group.count = group.lattice[0] * group.lattice[1] * group.lattice[2];
  }
  if (group.arrangement == GroupArrangement::table) table(block, group);
}

void GroupReader::random(const std::string& block, ImmersedGroup& group, const std::function<double(const ImmersedGroup&)>& wanted) {
  if (s_.given(block, "count") == s_.given(block, "volume_fraction"))
    return complain(block, to_blame(block, {"count", "volume_fraction", "arrangement"}),
                    "[" + block + "] needs either count or volume_fraction (it gives " +
                        (s_.given(block, "count") ? "both)" : "neither)"));
  if (s_.given(block, "count")) group.count = s_.integer(block, "count");
  else group.count = 0, group.volume_fraction = s_.real(block, "volume_fraction");
  const double count = wanted(group);
  if (!(count >= 0.5))
    complain(block, "volume_fraction", "[" + block + "] comes to no " + words_.section + " (its region has room for " + brief(count) +
                                           " at that volume_fraction) is a unit missing?");
}

} // namespace corral::structure

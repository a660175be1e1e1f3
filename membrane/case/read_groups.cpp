#include "membrane/case/case_reader.hpp"

#include "run/case/values.hpp"
#include "structure/placing/placing.hpp"

#include <corral/error.hpp>

#include <cmath>

namespace corral::membrane {

using namespace structure;
using run::brief;

std::optional<std::size_t> SetupReader::meant(const std::string& block, const char* key, const std::string& prefix) {
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

void SetupReader::group(const std::string& block) {
  ImmersedGroup group;
  group.name = block.substr(std::string("membranes.").size());
  const auto surface = meant(block, "surface", "surface");
  if (!surface) return;
  group.surface = *surface;
  group.turned_at_random = s_.choice(block, "orientation") == "random";
  group.axis = s_.reals3(block, "axis");
  double length = 0;
  for (const double a : group.axis) length += a * a;
  if (!(length > 0)) return complain(block, "axis", "axis is 0, 0, 0 (it has no direction) give another");
  for (double& a : group.axis) a /= std::sqrt(length);
  places(block, group);
  if (s_.given(block, "path")) path(block, group);
  setup_.groups.push_back(std::move(group));
}

void SetupReader::places(const std::string& block, ImmersedGroup& group) {
  const std::string arrangement = s_.choice(block, "arrangement");
  group.arrangement = arrangement == "one"       ? GroupArrangement::one
                      : arrangement == "lattice" ? GroupArrangement::lattice
                      : arrangement == "table"   ? GroupArrangement::table
                                                 : GroupArrangement::random;
  double spacing = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double low = setup_.origin[d], high = low + setup_.size[d];
    group.low[d] = s_.given(block, "low") ? s_.reals3(block, "low")[d] : low;
    group.high[d] = s_.given(block, "high") ? s_.reals3(block, "high")[d] : high;
    group.position[d] = s_.given(block, "position") ? s_.reals3(block, "position")[d] : low + 0.5 * setup_.size[d];
    spacing = std::max(spacing, setup_.size[d] / static_cast<double>(setup_.cells[d]));
    const double slack = 1e-9 * setup_.size[d];
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
  if (group.arrangement != GroupArrangement::random) return;
  if (s_.given(block, "count") == s_.given(block, "volume_fraction"))
    return complain(block, to_blame(block, {"count", "volume_fraction", "arrangement"}), "[" + block + "] needs either count or volume_fraction (it gives " +
                                        (s_.given(block, "count") ? "both)" : "neither)"));
  if (s_.given(block, "count")) group.count = s_.integer(block, "count");
  else group.count = 0, group.volume_fraction = s_.real(block, "volume_fraction");
  const double wanted = count_wanted(setup_, group);
  if (!(wanted >= 0.5))
    complain(block, "volume_fraction", "[" + block + "] comes to no membranes (its region has room for " + brief(wanted) +
                                           " at that volume_fraction) is a unit missing?");
}

void SetupReader::pull(const std::string& block) {
  Pull pull;
  pull.name = block.substr(std::string("pull.").size());
  const auto group = meant(block, "membranes", "membranes");
  if (!group || *group >= setup_.groups.size()) return;
  pull.group = *group;
  pull.axis = s_.choice(block, "axis")[0] - 'x';
  pull.force = s_.real(block, "force");
  pull.share = s_.real(block, "share");
  pull.ramp = s_.real(block, "ramp");
  if (setup_.surfaces[setup_.groups[*group].surface].representation == Representation::radial)
    return complain(block, "membranes", "[" + block + "] pulls at a radial surface (pulls hold vertices of triangles) "
                                        "choose representation = triangles");
  setup_.pulls.push_back(std::move(pull));
}

} // namespace corral::membrane

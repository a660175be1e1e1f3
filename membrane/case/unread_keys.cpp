#include "membrane/case/case_reader.hpp"

#include "structure/placing/build.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::membrane {

using namespace structure;

void SetupReader::unread_blocks() {
  std::vector<std::string>& warnings = setup_.warnings;
  for (std::size_t i = 0; i < setup_.surfaces.size() && !setup_.groups.empty(); ++i)
    if (std::none_of(setup_.groups.begin(), setup_.groups.end(), [i](const ImmersedGroup& g) { return g.surface == i; }))
      warnings.push_back("no membranes are of [surface." + setup_.surfaces[i].name + "] (a [membranes.NAME] block may name it)");
  // What the command writes of itself, every so often where the case does not say: only what the case says is warned of.
  for (const auto& [set, shown] : {std::pair(&vertex_kind, Representation::triangles), std::pair(&site_kind, Representation::radial)}) {
    if (!s_.given("output", set->name) || setup_.groups.empty()) continue;
    const double interval = s_.real("output", set->name);
    const bool any = std::any_of(setup_.groups.begin(), setup_.groups.end(), [&, wanted = shown](const ImmersedGroup& g) {
      return setup_.surfaces[g.surface].representation == wanted;
    });
    if (!any && interval != 0 && interval != std::stod(set->interval))
      warnings.push_back("output." + set->name + " has no effect: no membranes are " +
                         (shown == Representation::radial ? "radial" : "of triangles"));
  }
  if (setup_.drive.along == 0 && setup_.drive.shear_rate == 0)
    warnings.emplace_back("drive.shear_along has no effect: drive.shear_rate is 0");
}

} // namespace corral::membrane

#include "membrane/case/case_reader.hpp"

#include "membrane/case/membrane_case.hpp"
#include "structure/placing/placing.hpp"

namespace corral::membrane {

using namespace structure;

GroupReader SetupReader::group_reader() { return {s_, problems_, setup_, group_words(), setup_.warnings}; }

void SetupReader::group(const std::string& block) {
  GroupReader reader = group_reader();
  auto group = reader.read(block, [this](const ImmersedGroup& g) { return count_wanted(setup_, g); });
  if (group && s_.given(block, "path")) {
    group->path = reader.path(block);
    if (!reader.complained() && !(setup_.surfaces[group->surface].material.tether_stiffness > 0))
      complain(block, "path", "[" + block + "] has a path, but its surface no tethers (paths move their anchors) give the "
                              "surface a tether_stiffness");
  }
  complained_ = complained_ || reader.complained();
  if (group) setup_.groups.push_back(std::move(*group));
}

void SetupReader::pull(const std::string& block) {
  Pull pull;
  pull.name = block.substr(std::string("pull.").size());
  const auto group = group_reader().meant(block, "membranes", "membranes");
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

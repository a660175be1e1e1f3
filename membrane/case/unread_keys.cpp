#include "membrane/case/case_reader.hpp"

#include "structure/placing/build.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::membrane {

using namespace structure;

namespace {

/// `key` of a block of `blocks` is read where `other` has one of these values. Its default does no harm: used.ini writes all
/// of them.
struct ReadWhere {
  const char *blocks, *key, *other;
  std::vector<std::string_view> values;
};

const std::vector<ReadWhere>& conditions() {
  static const std::vector<ReadWhere> all{
      {"surface", "unit", "shape", {"file"}},
      {"surface", "nodes", "shape", {"sphere", "ellipsoid", "red_cell"}},
      {"surface", "forces", "representation", {"radial"}},
      {"surface", "area_ratio", "law", {"skalak"}},
      {"surface", "rest_curvature", "bending", {"dihedral", "helfrich"}},
      {"membranes", "position", "arrangement", {"one"}},
      {"membranes", "low", "arrangement", {"lattice", "random"}},
      {"membranes", "high", "arrangement", {"lattice", "random"}},
      {"membranes", "lattice", "arrangement", {"lattice"}},
      {"membranes", "count", "arrangement", {"random"}},
      {"membranes", "volume_fraction", "arrangement", {"random"}},
      {"membranes", "gap", "arrangement", {"random"}},
      {"membranes", "axis", "orientation", {"fixed"}},
  };
  return all;
}

} // namespace

void SetupReader::unread_keys() {
  for (const ReadWhere& when : conditions())
    for (const std::string& block : s_.blocks(when.blocks)) {
      const std::string other = s_.choice(block, when.other);
      if (!s_.changed(block, when.key) || std::find(when.values.begin(), when.values.end(), other) != when.values.end())
        continue;
      std::string meant;
      for (const std::string_view value : when.values)
        meant += (meant.empty() ? "" : value == when.values.back() ? " and " : ", ") + std::string(value);
      complain(block, to_blame(block, {when.key, when.other}),
               std::string(when.key) + " with " + when.other + " = " + other + " (it is for " + meant + ") leave it out");
    }
}

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
  if (!setup_.time.adaptive && s_.given("time", "dt_least"))
    warnings.emplace_back("time.dt_least has no effect: time.step is fixed");
}

} // namespace corral::membrane

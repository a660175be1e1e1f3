#pragma once

#include "app/insitu/corral_insitu.h"

#include <catalyst.h>

#include <map>
#include <string>
#include <vector>

namespace corral::catalyst2 {

/// A state in the words of Conduit's Mesh Blueprint. Nodes point to the run's own memory, and to means over cells and
/// places of points that are kept here: good until the next call, or until the run goes on.
class Blueprint {
public:
  /// A uniform grid, its fields as element fields: those at the centres as they are, others as means over the cells.
  void describe(const corral_insitu_mesh& mesh, conduit_node* node);
  /// Points with a place for each, columns as vertex fields; triangles where the set has any, with what stands on them as
  /// element fields, otherwise an element for each point: ParaView before 6.0 does not know the topology `points`.
  void describe(const corral_insitu_set& set, conduit_node* node);

private:
  void describe_field(const corral_insitu_mesh& mesh, const corral_insitu_field& field, conduit_node* node);
  conduit_int64* first_places(std::int64_t count);

  std::map<std::string, std::vector<double>> means_; ///< of each field that needs them, components side by side
  std::vector<conduit_int64> places_;                ///< 0, 1, 2, ...: the same in every call
};

} // namespace corral::catalyst2

#pragma once

#include "fluid/domain.hpp"
#include "run/case/flow_box.hpp"
#include "run/case/keys.hpp"
#include "run/case/reader.hpp"

#include <array>
#include <optional>
#include <string>

namespace corral::run {

/// The rows of [inlet.NAME] that say where and how fast fluid enters; `what` it is called.
void declare_inlets(KeyTable&, const std::string& what);

/// Reads blocks that lie on a side of a box, or within it.
class InletReader : public Reader {
public:
  InletReader(const Settings& settings, Problems& problems, const FlowBox& box) : Reader(settings, problems), box_(box) {}

  /// The region of a block [m], the box's where it gives none; false, and a complaint, where it is empty or leaves the box.
  /// Along `normal`, -1: none, it is as wide as the box.
  bool region(const std::string& block, int normal, std::array<double, 3>& low, std::array<double, 3>& high);
  /// False, and a complaint, for a rectangle whose bounds along the side's normal leave the side out.
  bool on_side(const std::string& block, int side);
  /// 1 at all times where the block gives neither of the two keys.
  fluid::Schedule schedule(const std::string& block, const char* times, const char* factors);
  /// What enters by a block [inlet.NAME]; nothing, and a complaint, where that cannot be.
  std::optional<fluid::Inlet> inlet(const std::string& block);

private:
  const FlowBox& box_;
};

} // namespace corral::run

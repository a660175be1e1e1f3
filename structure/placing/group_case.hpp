#pragma once

#include "run/case/flow_box.hpp"
#include "run/case/keys.hpp"
#include "run/case/reader.hpp"
#include "structure/setup/immersed.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace corral::structure {

/// What groups are called in a driver's case files.
struct GroupWords {
  std::string section; ///< of a group's blocks: "membranes", as those are called that are in it
  std::string kinds;   ///< section, and the group's key, of what they are: "surface"; "": its other keys say it
  std::string fill;    ///< what they do to the region: "enclose"
  std::string gap;     ///< what `gap` is where it is not given: "the cells' largest spacing"
};

/// Adds the rows of the keys that say which kind a group is of, where its members stand, and how they are turned.
void declare_groups(run::KeyTable& table, const GroupWords& words);

/// Reads groups. Every complaint carries the place of the value, or the line of the table, that it is about.
class GroupReader : public run::Reader {
public:
  /// Keeps references. `warnings` gets what has no effect.
  GroupReader(const run::Settings& settings, run::Problems& problems, const run::FlowBox& box, GroupWords words,
              std::vector<std::string>& warnings)
      : Reader(settings, problems), box_(box), words_(std::move(words)), warnings_(warnings) {}

  /// Nothing where it complained. `wanted(group)` says how many a random group asks for, broken numbers where it is by their
  /// volume.
  std::optional<ImmersedGroup> read(const std::string& block, const std::function<double(const ImmersedGroup&)>& wanted);
  /// The place among the blocks [prefix.*] of the one that a block means by `key`: the only one where it says nothing;
  /// complains, and gives nothing, where it cannot be told.
  std::optional<std::size_t> meant(const std::string& block, const char* key, const std::string& prefix);
  /// The points of a path, in the order of their times; complains, and gives nothing, where the file has none.
  std::vector<ImmersedGroup::PathPoint> path(const std::string& block);

private:
  void places(const std::string& block, ImmersedGroup& group);
  void table(const std::string& block, ImmersedGroup& group);
  void random(const std::string& block, ImmersedGroup& group, const std::function<double(const ImmersedGroup&)>& wanted);

  const run::FlowBox& box_;
  GroupWords words_;
  std::vector<std::string>& warnings_;
};

} // namespace corral::structure

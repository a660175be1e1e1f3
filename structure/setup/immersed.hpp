#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "structure/setup/flow.hpp"
#include "structure/setup/surface_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::structure {

/// Where the members of a group lie at the start.
enum class GroupArrangement : std::uint8_t { one, lattice, random, table };

/// Surfaces of one kind that are placed together.
struct ImmersedGroup {
  std::string name;
  std::size_t surface = 0; ///< place in Immersed::surfaces
  GroupArrangement arrangement = GroupArrangement::one;
  std::array<double, 3> low{}, high{}; ///< region of a lattice or of random places [m]
  std::array<double, 3> position{};    ///< of the centre of one [m]
  std::array<std::int64_t, 3> lattice{1, 1, 1};
  std::int64_t count = 1;     ///< random: 0 where volume_fraction says how many
  double volume_fraction = 0; ///< of the region, that random ones enclose
  double gap = 0;             ///< least distance between random ones [m]
  bool turned_at_random = false;
  std::array<double, 3> axis{0, 0, 1}; ///< where the shape's z axis points else
  /// A line of a table.
  struct GivenPlace {
    int line;                       ///< of the file
    std::array<double, 3> position; ///< of the centre [m]
    std::array<double, 3> axis{};   ///< where the shape's z axis points; 0, 0, 0 where the group says it
    double angle = 0;               ///< by which it is turned about that before [rad]
  };
  std::vector<GivenPlace> table;
  std::string table_file;        ///< where these stand
  struct PathPoint {
    double time;                 ///< [s]
    std::array<double, 3> shift; ///< of the tethers' anchors from the start [m]
  };
  std::vector<PathPoint> path;   ///< linear in between, held after the last; empty: anchors stay
};

/// Two opposite forces that pull a group's members apart along an axis, as tweezers do.
struct Pull {
  std::string name;
  std::size_t group = 0;
  int axis = 0;
  double force = 0;   ///< at each end [N]
  double share = 0.05; ///< of the vertices that each end holds
  double ramp = 0;    ///< time in which it grows from 0 [s]
};

/// A box of fluid, and who is immersed in it.
struct Immersed : FlowSetup {
  std::string many = "membranes"; ///< what they are called: a case's blocks are [membranes.NAME]
  std::vector<SurfaceModel> surfaces;
  std::vector<ImmersedGroup> groups;
  std::vector<Pull> pulls;
  std::vector<std::vector<geometry::Placement>> places; ///< at the start, by group
  std::uint64_t random_seed = 1;                        ///< of random places and directions

  /// The largest viscosity of a membrane itself [N s/m]; 0 where none has one.
  double membrane_viscosity() const {
    double largest = 0;
    for (const ImmersedGroup& g : groups) {
      const Material& m = surfaces[g.surface].material;
      largest = std::max({largest, m.shear_viscosity, m.dilatation_viscosity});
    }
    return largest;
  }

  /// Whether there is a surface whose fluid has a viscosity of its own.
  bool viscosity_varies() const {
    return std::any_of(groups.begin(), groups.end(), [&](const ImmersedGroup& g) {
      return surfaces[g.surface].viscosity_ratio.has_value();
    });
  }
};

} // namespace corral::structure

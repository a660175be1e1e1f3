#pragma once

#include "structure/setup/immersed.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace corral::structure {

/// Where the anchors of tethers are: where their markers started, shifted along the paths of their groups.
class TetherAnchors {
public:
  /// A kind of membranes with tethers whose markers start at `x`; `paths` has one per membrane, null for those that stay.
  /// Both must outlive this.
  void hold(Membranes& membranes, std::span<const std::array<double, 3>> x,
            std::vector<const std::vector<ImmersedGroup::PathPoint>*> paths);

  /// Sets all anchors as they are at a time [s].
  void set(Cpu, double time);
  bool move() const { return moving_; } ///< any of them
  /// The work of whoever moves them from one time [s] to another against the membranes' forces on the fluid in between
  /// [J]: what else acts within a membrane has no resultant.
  double work(const Membranes& membranes, const ConstPoints& forces, double from, double to) const;

private:
  struct Kind {
    Membranes* membranes;
    std::vector<std::array<double, 3>> start;
    std::vector<const std::vector<ImmersedGroup::PathPoint>*> paths;
    std::array<Array<double>, 3> now;
  };
  std::vector<Kind> kinds_;
  bool moving_ = false;
};

/// How far a path has led at a time [s]: linear between its points, from nowhere at time 0, held after the last [m].
std::array<double, 3> shift_at(const std::vector<ImmersedGroup::PathPoint>& path, double time);

} // namespace corral::structure

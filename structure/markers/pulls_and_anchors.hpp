#pragma once

#include "structure/setup/immersed.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/host_device.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace corral::structure {

/// A point that is pulled at.
struct HeldPoint {
  std::int64_t point;
  int axis;
  double force, ramp; ///< [N], signed; [s]
  CORRAL_HOST_DEVICE double at(double time) const { return ramp > 0 && time < ramp ? force * (time / ramp) : force; }
};

/// Opposite forces on the two ends of membranes. Which vertices an end holds is settled by where they start.
template <Execution E> class Pulls {
public:
  /// A membrane whose vertices are points [first, first + x.size()) and start at `x` [m].
  void hold(const Pull& pull, std::int64_t first, std::span<const std::array<double, 3>> x);

  /// Adds the forces at a time [s] to those of the points [N].
  void add(E, double time, const Points& force) const;
  /// What they do per time to points that move at `velocity` [W].
  double power(E, double time, const ConstPoints& velocity) const;
  bool any() const { return !held_.empty(); }

private:
  Array<HeldPoint> held_{memory_for<E>}; ///< by their points
};

/// Where the anchors of tethers are: where their markers started, shifted along the paths of their groups.
template <Execution E> class TetherAnchors {
public:
  /// A kind of membranes with tethers whose markers start at `x`; `paths` has one per membrane, null for those that stay.
  /// Both must outlive this.
  void hold(Membranes<E>& membranes, std::span<const std::array<double, 3>> x,
            std::vector<const std::vector<ImmersedGroup::PathPoint>*> paths);

  /// Sets all anchors as they are at a time [s].
  void set(E, double time);
  bool move() const { return moving_; } ///< any of them
  /// The work of whoever moves them from one time [s] to another against the membranes' forces on the fluid in between
  /// [J]: what else acts within a membrane has no resultant.
  double work(E, const Membranes<E>& membranes, const ConstPoints& forces, double from, double to) const;

private:
  struct Kind {
    Membranes<E>* membranes;
    std::vector<std::array<double, 3>> start;
    std::vector<const std::vector<ImmersedGroup::PathPoint>*> paths;
    std::array<std::vector<double>, 3> now;
    std::array<Array<double>, 3> there; ///< the same where E works, unless that is the host
  };
  std::vector<Kind> kinds_;
  bool moving_ = false;
};

/// How far a path has led at a time [s]: linear between its points, from nowhere at time 0, held after the last [m].
std::array<double, 3> shift_at(const std::vector<ImmersedGroup::PathPoint>& path, double time);

} // namespace corral::structure

#pragma once

#include "fluid/row_part.hpp"
#include "geometry/mesh.hpp"
#include "geometry/vector.hpp"
#include "run/state/registry.hpp"
#include "structure/bodies/reached_rows.hpp"
#include "structure/bodies/rigid_motion.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/cell_order.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace corral::structure {

/// The points of all rigid bodies: a set of particles of the registry, that follow from where bodies are, and their order. It
/// has, to be shown, what the fluid did to them in the last step.
class BodyPoints {
public:
  /// `set` names it.
  BodyPoints(run::Registry& registry, const run::ParticleKind& set, const Grid& grid);

  /// The next body, by its points in its own frame [m], and the triangles between them.
  void add(std::span<const geometry::Vector> points, std::span<const geometry::Triangle> triangles);

  std::int64_t bodies() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  std::int64_t size() const { return first_.back(); }
  std::int64_t first(std::int64_t body) const { return first_[static_cast<std::size_t>(body)]; } ///< its points; of bodies(): all

  /// Places a body's points where it is.
  void place(Cpu, std::int64_t body, const RigidState& state);
  /// After all have been placed. Throws Error where points are outside the box.
  void sort(Cpu);
  /// The cells that maps by a kernel of so many points along an axis reach, of fields in their middles. Good until the next call.
  fluid::RowParts reached(int support);

  ConstPoints at() const { return {position_[0]->data(), position_[1]->data(), position_[2]->data()}; }
  /// From its body's centre [m].
  geometry::Vector arm(std::int64_t point) const { return {arm_[0][point], arm_[1][point], arm_[2][point]}; }
  const CellOrder<double>& order() const { return order_; }
  Points velocity() { return run::pointers(velocity_); } ///< of the body there [m/s]
  ConstPoints velocity() const { return {velocity_[0]->data(), velocity_[1]->data(), velocity_[2]->data()}; }
  Points force() { return run::pointers(force_); }       ///< on the fluid [N]
  ConstPoints force() const { return {force_[0]->data(), force_[1]->data(), force_[2]->data()}; }
  /// Sets the velocity of a body's points to what it has there.
  void set_velocity(Cpu, std::int64_t body, const RigidState& state);

private:
  Grid grid_;
  run::ParticleSet& set_;
  run::Components position_, velocity_, force_;
  Array<double>& body_;
  Array<std::uint64_t>& id_;
  Array<std::int32_t>& triangles_;
  std::vector<std::int64_t> first_{0};
  std::array<Array<double>, 3> own_, arm_; ///< in the body's frame, and turned with it [m]
  CellOrder<double> order_;
  ReachedRows rows_;
  fluid::RowParts reached_; ///< where the points are, by a kernel of reached_support_ points: 0: not found yet
  int reached_support_ = 0;
};

} // namespace corral::structure

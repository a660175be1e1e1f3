#pragma once

#include "fluid/row_part.hpp"
#include "geometry/mesh.hpp"
#include "geometry/vector.hpp"
#include "run/state/registry.hpp"
#include "structure/bodies/reached_rows.hpp"
#include "structure/bodies/rigid_motion.hpp"
#include "structure/markers/marker_order.hpp"
#include "structure/markers/point_band.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/memory.hpp>
#include <corral/staged.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace corral::structure {

namespace body_points {

/// What points of a body follow from.
struct Pose {
  geometry::Vector position;
  std::array<geometry::Vector, 3> turn; ///< rows of its matrix
};
struct Motion {
  geometry::Vector velocity, angular_velocity;
};
/// Of a body; not `any`: nothing changes.
template <class T> struct News {
  T of;
  bool any;
};

} // namespace body_points

/// The points of all rigid bodies: a set of particles of the registry, that follow from where bodies are, and their order. It
/// has, to be shown, what the fluid did to them in the last step. All of this lies where E works; bodies' states do on the host.
template <Execution E> class BodyPoints {
public:
  /// Of each body; null: nothing changes for its points.
  using States = std::span<const RigidState* const>;

  /// `set` names it.
  BodyPoints(run::Registry& registry, const run::ParticleKind& set, const fluid::Domain& domain);

  /// The next body, by its points in its own frame [m], and the triangles between them.
  void add(std::span<const geometry::Vector> points, std::span<const geometry::Triangle> triangles);
  /// After the last `add`.
  void finish();

  std::int64_t bodies() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  std::int64_t size() const { return first_.back(); }
  std::int64_t first(std::int64_t body) const { return first_[static_cast<std::size_t>(body)]; } ///< its points; of bodies(): all
  std::span<const std::int64_t> first() const { return first_; }

  // A device is sent what changed, and nobody waits: whoever calls one of the two again has waited for it in between.

  /// Places the points of bodies where these are.
  void place(E, States);
  /// Sets the velocity of bodies' points to what they have there.
  void set_velocity(E, States);

  /// Maps of a kernel go through a band of their cells instead of an order (PointBand), on the host and of no grid that ranks share.
  void work_in_band(const std::string& kernel) { band_.emplace(grid_, kernel); }
  PointBand* band() { return band_ ? &*band_ : nullptr; } ///< of the last sort; null: they have an order

  /// After all have been placed. On the host it throws as `require_inside` does. Collective over ranks, which have all points each.
  void sort(E);
  /// Of the last sort: throws Error where points are outside the box. Waits for a device to have sorted.
  void require_inside(E) const;
  /// The cells of the domain that maps by a kernel of so many points along an axis reach, of fields in their middles, of points on the host.
  /// Good until the next call.
  fluid::RowParts reached(int support);

  ConstPoints at() const { return {position_[0]->data(), position_[1]->data(), position_[2]->data()}; }
  /// From their body's centre [m].
  ConstPoints arms() const { return {arm_[0].data(), arm_[1].data(), arm_[2].data()}; }
  geometry::Vector arm(std::int64_t point) const { return {arm_[0][point], arm_[1][point], arm_[2][point]}; } ///< on the host
  const MarkerOrder& order() const { return order_; } ///< of those that do not work in a band
  Points velocity() { return run::pointers(velocity_); } ///< of the body there [m/s]
  ConstPoints velocity() const { return {velocity_[0]->data(), velocity_[1]->data(), velocity_[2]->data()}; }
  Points force() { return run::pointers(force_); }       ///< on the fluid [N]
  ConstPoints force() const { return {force_[0]->data(), force_[1]->data(), force_[2]->data()}; }

private:
  static constexpr Memory memory = memory_for<E>;

  /// Sends of(state) of those that are not null; false where all are.
  template <class T, class F> bool send_news(E, States, Staged<body_points::News<T>>& news, const F& of);

  run::ParticleSet& set_;
  run::Components position_, velocity_, force_;
  Array<double>& body_;
  Array<std::uint64_t>& id_;
  Array<std::int32_t>& triangles_;
  std::vector<std::int64_t> first_{0};
  std::array<Array<double>, 3> own_, arm_; ///< in the body's frame, and turned with it [m]
  Grid grid_;
  MarkerOrder order_;
  std::optional<PointBand> band_;
  ReachedRows rows_;
  fluid::RowParts reached_; ///< where the points are, by a kernel of reached_support_ points: 0: not found yet
  int reached_support_ = 0;
  Staged<body_points::News<body_points::Pose>> poses_; ///< of a device, as are the next
  Staged<body_points::News<body_points::Motion>> motions_;
  /// What `add` gathers on the host until `finish`.
  struct Added {
    std::array<std::vector<double>, 3> own;
    std::vector<std::int32_t> triangles;
  } added_;
};

} // namespace corral::structure

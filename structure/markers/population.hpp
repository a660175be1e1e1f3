#pragma once

#include "run/state/registry.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/marker_order.hpp"
#include "structure/markers/repulsion.hpp"
#include "structure/surfaces/membranes.hpp"
#include "structure/surfaces/surfaces_on_host.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/memory.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace corral::structure {

/// Between which places a membrane's markers lie, and their mean velocity.
struct Span {
  std::array<double, 3> low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}; ///< [m]
  std::array<double, 3> velocity{};                                                                ///< [m/s]
};

/// All membranes of one representation: a set of particles of the registry, which are their markers, the points where
/// their forces act, and an order for each set of positions that a step maps from. Points and what stands at them lie where
/// E works.
template <Execution E> class Population {
public:
  /// Membranes of one kind in it.
  struct Kind {
    std::unique_ptr<Membranes<E>> membranes;
    std::size_t surface;             ///< place in Immersed::surfaces
    std::int64_t first_membrane;     ///< of all that the run has
    std::int64_t first_marker, first_point, first_triangle;
  };

  /// What one membrane's markers span.
  struct Extent {
    std::array<double, 3> length{};   ///< from the lowest to the highest [m]
    std::array<double, 3> velocity{}; ///< mean [m/s]
  };

  /// Where ranks share the domain each has all membranes, and a share of their forces and measures to find. All get these: `sort`, what
  /// maps, and what finds forces or measures is collective then.
  Population(run::Registry& registry, const run::ParticleKind& set, const fluid::Domain& domain);

  /// Membranes whose markers' first positions stand behind each other in `x`; they are numbered from `first_membrane`.
  /// `triangles`: between the markers of one.
  void add(std::unique_ptr<Membranes<E>> membranes, std::size_t surface, std::int64_t first_membrane,
           std::span<const std::array<double, 3>> x, std::span<const std::array<std::int32_t, 3>> triangles);
  /// After the last `add`.
  void finish();

  std::int64_t markers() const { return set.size(); }
  std::int64_t points() const { return membrane_of_.size(); }
  const Array<std::int32_t>& triangles() const { return triangles_; } ///< corners of each, of all membranes' markers
  const std::vector<Kind>& kinds() const { return kinds_; }
  std::vector<Kind>& kinds() { return kinds_; }
  ConstPoints at() const { return {position[0]->data(), position[1]->data(), position[2]->data()}; }
  ConstPoints midway() const { return {midway_[0].data(), midway_[1].data(), midway_[2].data()}; }

  /// U = u at the markers.
  void find_velocity(E, MarkerMaps& maps, const ConstVectorField& u);
  /// The same where they are midway, for which `sort_midway` has been called.
  void find_velocity_midway(E, MarkerMaps& maps, const ConstVectorField& u);
  void move_midway(E, double dt); ///< midway = at + dt U
  void place_midway(E, const ConstPoints& direction, double by); ///< midway = at + by direction
  void move(E, double dt);        ///< at += dt U
  /// Forces of the membranes as they are midway, at points that are found, too.
  void find_forces(E);
  bool viscous() const; ///< whether some of the membranes are viscous themselves
  /// Sets the forces that this makes where markers are midway and move at `velocities` [N]; 0 of those that are not. Both
  /// stand for all markers, at which the forces of all membranes act.
  void find_viscous_forces(E, const ConstPoints& velocities, const Points& forces);
  int sort(E);        ///< how many orders were sorted; throws Error where markers are outside the box
  int sort_midway(E); ///< likewise
  /// Points midway, in an order of the whole grid; of ranks that share it for those who called keep_whole_orders before they were sorted.
  OrderedPoints ordered_points(E) const;
  void keep_whole_orders();
  Points forces(); ///< on the fluid, at the points [N]
  ConstPoints forces() const;
  ConstPoints forces_of(const Kind& kind) const; ///< from its first point on
  ConstPoints velocities() const { return {velocity_[0]->data(), velocity_[1]->data(), velocity_[2]->data()}; }
  void spread(E, MarkerMaps& maps, const VectorField& force);
  /// field += values of the markers, where they are midway, over the volume of a cell.
  void spread_midway(E, MarkerMaps& maps, const ConstPoints& values, const VectorField& field) const;
  /// Of a change of velocity that vanishes at walls, at the markers as they were sorted midway, `to` [m/s].
  void find_change(E, const MarkerMaps& maps, const ConstVectorField& u, const Points& to) const;
  bool forces_at_markers() const { return points_at_markers_; }
  double power_of_profile(E, const MarkerMaps& maps) const; ///< between sliding walls, on the forces [W]

  void measure(E, std::span<MembraneMeasures> all); ///< each into its place, on the host
  /// -sum F (x - centre) of each membrane's forces, symmetric, into its place, on the host; `all` tells where its centre is.
  void find_stresslets(E, std::span<const MembraneMeasures> all, std::span<Stresslet> stresslets);
  /// At places of the markers, and with corners of the triangles, that lie on the host.
  SurfacesOnHost surfaces_on_host(const ConstPoints& x, const std::int32_t* corners) const;
  std::vector<Extent> extents(E, const Kind& kind); ///< of each membrane of a kind
  /// Shifts the markers of membrane c of a kind [m].
  void shift(E, const Kind& kind, std::int64_t c, const std::array<double, 3>& by);

  run::ParticleSet& set;
  run::Components position; ///< [m]; membranes are whole: across periodic sides they go on

private:
  static constexpr Memory memory = memory_for<E>;

  ConstPoints point_places() const;
  void take_shares();
  /// Sets n values each, of which every rank finds some; all get them.
  template <class F> void by_shares(E, std::int64_t n, const Points& values, F find);
  template <class T> void take(const Array<T>& of_all, std::span<T> to) const; ///< to the host
  void sort(E, MarkerOrder& order, const ConstPoints& x, std::int64_t n) const;
  [[noreturn]] void complain(E, const CellOrder<double>& order, const ConstPoints& x, std::int64_t inside, std::int64_t n) const;
  std::int64_t membrane_of(std::int64_t i, bool marker) const; ///< of a marker, or of a point

  run::Components velocity_;         ///< of the markers [m/s]
  Array<double>& membrane_;          ///< number of the membrane
  Array<std::uint64_t>& id_;
  Array<std::int32_t>& triangles_;
  std::vector<Kind> kinds_;
  bool points_at_markers_ = true;
  std::array<Array<double>, 3> midway_, point_, point_force_;
  Array<std::int32_t> membrane_of_{memory}; ///< of each point
  MarkerOrder order_, midway_order_, point_order_;
  const distributed::Team* team_; ///< of ranks; null where there is one alone
  // Where E is not the host, what comes to it.
  Array<MembraneMeasures> measures_{memory};
  Array<Stresslet> stresslets_{memory}, stresslet_parts_{memory};
  Array<Span> spans_{memory}, span_parts_{memory};
  /// What `add` gathers on the host until `finish`.
  struct Added {
    std::array<std::vector<double>, 3> x;
    std::vector<double> membrane;
    std::vector<std::uint64_t> id;
    std::vector<std::int32_t> triangles, membrane_of_point;
  } added_;
};

} // namespace corral::structure

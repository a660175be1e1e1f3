#pragma once

#include "structure/setup/material.hpp"
#include "structure/surfaces/stresslet.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace corral::structure {

/// Points by components: [d][i] is coordinate d of point i [m]; forces likewise [N].
using ConstPoints = std::array<const double*, 3>;
using Points = std::array<double*, 3>;

/// What one membrane looks like.
struct MembraneMeasures {
  double volume = 0;                           ///< enclosed [m3]; negative where it is turned inside out
  double area = 0;                             ///< [m2]
  std::array<double, 3> centroid{};            ///< of the enclosed volume [m]
  std::array<double, 6> second_moments{};      ///< of the enclosed volume about the centroid, xx yy zz xy xz yz [m5]
  double elastic_energy = 0, bending_energy = 0; ///< [J]
  double constraint_energy = 0;                ///< of volume and area [J]
  double tether_energy = 0;                    ///< [J]
  double longest_stretch = 0;                  ///< largest length of an edge over its own in the reference shape [-]
  double largest_area_ratio = 1, least_area_ratio = 1; ///< of parts of it, over their own there [-]
};

/// Membranes [begin, end) of a kind.
struct MembraneShare {
  std::int64_t begin, end;
};

/// Any number of membranes of one reference shape and material. Their markers, which move with the fluid, stand behind
/// each other: marker j of membrane c is point c markers_per_membrane() + j; likewise the points where forces act.
/// All points and values lie where E works. Results have the same bits for any number of threads.
template <Execution E> class Membranes {
public:
  virtual ~Membranes() = default;

  virtual std::int64_t count() const = 0;
  virtual std::int64_t markers_per_membrane() const = 0;
  virtual std::int64_t force_points_per_membrane() const = 0;
  /// True where forces act at the markers themselves; `place_force_points` is then not needed.
  virtual bool forces_at_markers() const = 0;

  /// Finds where forces act from where the markers are.
  virtual void place_force_points(E, const ConstPoints& markers, const Points& force_points) = 0;
  /// Sets the forces of the membranes on the fluid [N], one vector per force point.
  virtual void forces(E, const ConstPoints& markers, const Points& forces) = 0;
  /// Whether they are viscous themselves.
  virtual bool viscous() const { return false; }
  /// Sets what that makes of their forces where markers move at `velocities` [N]: linear in these, symmetric, and of a
  /// power that is never positive. For those that are viscous; their forces act at the markers.
  virtual void viscous_forces(E, const ConstPoints& markers, const ConstPoints& velocities, const Points& forces) {
    static_cast<void>(markers), static_cast<void>(velocities), static_cast<void>(forces);
    throw Error("these membranes have no viscosity of their own");
  }
  /// Of every membrane, in order: measures[0] to measures[count() - 1], which lie where points do.
  virtual void measure(E, const ConstPoints& markers, MembraneMeasures* measures) = 0;

  /// Where tethers are tied from now on: a point per marker [m], which is copied.
  virtual void set_anchors(E, const ConstPoints& anchors) = 0;

  /// On the CPU, where others see to the rest: from now on forces, points where they act, viscous forces and measures are set of
  /// these alone, to the bits that they have among all.
  void take_share(const MembraneShare& share) { share_ = share; }
  MembraneShare share() const { return share_.value_or(MembraneShare{0, count()}); }

protected:
  Membranes() = default;
  Membranes(const Membranes&) = default;
  Membranes& operator=(const Membranes&) = default;

private:
  std::optional<MembraneShare> share_;
};

} // namespace corral::structure

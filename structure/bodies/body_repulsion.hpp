#pragma once

#include "geometry/distances/distance_table.hpp"
#include "structure/bodies/rigid_motion.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/placing/neighbours.hpp"
#include "structure/setup/rigid_body.hpp"
#include "structure/surfaces/stresslet.hpp"

#include <corral/execution.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace corral::structure {

/// One of the bodies that may touch each other.
struct Bumper {
  std::size_t shape;       ///< of those that the repulsion was made with
  const RigidState* state;
  double mass = 0;         ///< that swings where it bounces [kg]; 0: it does not give way. For dashpots alone
};

/// Short-range repulsion between rigid bodies, and of bodies by walls, across periodic sides. Each pair has the energy
///   quadratic  E = strength range/3 (D/range)^3,    soft_sphere  E = strength range/2 (D/range)^2,
/// of D = range - gap between surfaces, where that is above 0, overlaps included; forces are its derivatives. Between
/// cylinders, spheres and walls the gap is that of the formula. Of other shapes, D gathers how far each point n of either
/// body has come into the range of the other's surface, d_n > 0, whose part of its own surface is a_n:
///   D^5 = 5/(2 pi R) sum_n a_n d_n^4 (halved where both have points),    R = R_a R_b/(R_a + R_b), of a wall R_a,
/// by equivalent radii: for spheres this is range - gap up to their curvature, flat sides that meet count by more, corners
/// by less, and forces are no stiffer for many points. Distances come from a table, to a thousandth of the radius.
///
/// Dashpots add c times the speed of approach at the point where the force acts; together they never pull. Forces of a pair
/// are equal and opposite and act in one place, so that momentum and angular momentum stay to round-off. A body does not
/// touch its own images. Results have the same bits for any number of threads.
class BodyRepulsion {
public:
  /// The grid's sides that are not periodic are walls where `walls` (x_low, x_high, y_low, ...) says so. Shapes must
  /// outlive this; if one is a cylinder, all are, and z counts for nothing. Throws Error where cylinders stand beside
  /// others, and where numbers of the model are out of range.
  BodyRepulsion(Cpu, const Grid& grid, const std::array<bool, 6>& walls, std::vector<const BodyShape*> shapes,
                const BodyRepulsionModel& model);

  struct Found {
    double energy = 0;       ///< [J]
    double lost = 0;         ///< power of dashpots, at the velocities of now [W]
    double least_gap = 0;    ///< within the range, of D; negative where bodies overlap; the range where none is near [m]
    std::int64_t contacts = 0;
    Stresslet stresslet{};   ///< of pairs of bodies, whose forces the fluid gets from them
  };
  /// Sets the load of every body.
  Found find(Cpu, std::span<const Bumper> bodies, std::span<BodyLoad> loads);

private:
  struct Touched { ///< a shape, and distances to it where no formula has them
    const BodyShape* body;
    std::optional<geometry::DistanceTable> distances;
  };
  struct Depths;
  /// Force on the first body, and where it acts from its position.
  struct Push {
    geometry::Vector force{}, torque{}; ///< [N], [N m]
    double depth = 0, energy = 0, lost = 0;
  };
  struct Pair {
    std::size_t first, second;
    geometry::Vector between; ///< from the first body to this image of the second [m]
    Push push;
  };

  geometry::Vector flattened(const geometry::Vector& x) const { return {x[0], x[1], planar_ ? 0 : x[2]}; }
  geometry::Vector into_box(geometry::Vector x) const;
  void find_pairs(std::span<const Bumper> bodies);
  double force_of(double depth) const;
  double energy_of(double depth) const;
  void add_points(const Bumper& one, const Bumper& other, const geometry::Vector& from_other, Depths& depths) const;
  Push push_of_round(const Bumper& a, const Bumper& b, const geometry::Vector& between) const;
  Push push_of_any(const Bumper& a, const Bumper& b, const geometry::Vector& between) const;
  Push push_of_wall(const Bumper& body, std::size_t axis, bool high) const;
  void add_dashpot(const Bumper& a, const Bumper* b, const geometry::Vector& between, Push& push) const;

  BodyRepulsionModel model_;
  std::vector<Touched> shapes_;
  bool planar_ = false;
  std::array<bool, 6> walls_;
  geometry::Vector low_{}, size_{}, period_{};
  std::unique_ptr<Neighbours> neighbours_;
  std::vector<Pair> pairs_;
  std::vector<std::array<Push, 6>> by_walls_;
};

/// A strength [N] with which bodies don't touch: 3 m v^2/range + 6 W. A body of mass m that comes at the speed v against
/// its weight's help W, or a pair of which m is the lighter one's mass, is held by E = strength range/3 = m v^2 + 2 W range
/// before the gap is 0; one that rests on a wall keeps more than half of the range, n in a pile 1 - sqrt(n/6) of it. What
/// is pressed harder overlaps, by the square root of force. The mass is the body's with what it moves of the fluid,
/// (rho_s + C_m rho_f) V; both are counted without signs.
double repulsion_strength(double mass, double weight, double speed, double range);

/// A tenth of the period in which a body of that mass swings where surfaces touch [s]: a step is at most so long. The mass
/// is the least that a kick sees, (rho_s - rho_f + C_v rho_f) V + k dt of the points that hold it.
double repulsion_step(const BodyRepulsionModel& model, double mass);

} // namespace corral::structure

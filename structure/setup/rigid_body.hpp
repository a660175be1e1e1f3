#pragma once

#include "geometry/mesh.hpp"
#include "structure/setup/immersed.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace corral::structure {

enum class BodyKind : std::uint8_t {
  cylinder, ///< about z, through the whole of a box of one cell along z
  sphere,
  ellipsoid,
  file
};

/// A kind of rigid bodies: shape and points.
struct BodyModel {
  std::string name;
  BodyKind kind = BodyKind::sphere;
  double radius = 0;                 ///< of a cylinder or a sphere [m]
  std::array<double, 3> semi_axes{}; ///< of an ellipsoid, along its own x, y, z [m]
  std::filesystem::path file{};
  double unit = 1;                   ///< of the file's coordinates [m]
  double spacing = 0;                ///< of points: each stands for its square, on a cylinder for its length [m]
  std::int64_t points = 0;           ///< in the place of the spacing; 0: the spacing says how many
  std::shared_ptr<const geometry::Mesh> mesh{}; ///< what `file` holds, in metres, about its centroid; null for others
};

enum class BodyMode : std::uint8_t {
  fixed, ///< stays where it is
  given, ///< moves as it is told
  free   ///< moves by its weight and what acts on it
};

/// Where a body is told to go. All of these add up; they begin where the body was placed.
struct GivenMotion {
  std::array<double, 3> velocity{};          ///< constant [m/s]
  struct Oscillation {                       ///< along an axis by amplitude sin(2 pi frequency t + phase)
    std::array<double, 3> axis{1, 0, 0};     ///< of any length but 0
    double amplitude = 0;                    ///< [m]
    double frequency = 0;                    ///< [1/s]
    double phase = 0;                        ///< [rad]
  } oscillation;
  std::array<double, 3> rotation_axis{0, 0, 1}; ///< through the body's centre, of any length but 0
  double rotation_rate = 0;                  ///< counterclockwise where the axis points at the eye [rad/s]
  std::vector<ImmersedGroup::PathPoint> path; ///< shifts from where it was placed, in order of time; empty: none
};

/// How a body moves.
struct MotionModel {
  BodyMode mode = BodyMode::fixed;
  GivenMotion given{};
  double density = 0;                        ///< of a free body [kg/m3]
  double virtual_mass = 0;                   ///< C_v of one that is lighter than its fluid [-], see rigid_motion.hpp
  std::array<bool, 3> frozen_translation{}, frozen_rotation{}; ///< axes of the world that a free body doesn't move along,
                                                               ///< or turn about
  std::array<double, 3> velocity{}, angular_velocity{};        ///< of a free body at the start [m/s], [rad/s]
};

/// How force grows where surfaces are nearer to each other than the range. D: by how much they are.
enum class RepulsionLaw : std::uint8_t {
  quadratic,  ///< strength (D/range)^2 (Glowinski et al. 2001, J. Comput. Phys. 169)
  soft_sphere ///< strength D/range, and a dashpot (Cundall and Strack 1979)
};

/// Short-range repulsion of bodies by each other and by walls.
struct BodyRepulsionModel {
  RepulsionLaw law = RepulsionLaw::quadratic;
  double range = 0;       ///< of gaps between surfaces in which it acts [m]; 0: there is none
  double strength = 0;    ///< force where surfaces touch [N]
  double restitution = 1; ///< of soft spheres, in (0, 1]: speed after a head-on collision over that before it [-]
};

} // namespace corral::structure

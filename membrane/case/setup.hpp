#pragma once

#include "fluid/domain.hpp"
#include "geometry/distances/surface_tree.hpp"
#include "geometry/mesh.hpp"
#include "membrane/material.hpp"
#include "membrane/radial/radial_membranes.hpp"
#include "run/case/flow_box.hpp"
#include "run/case/keys.hpp"
#include "run/case/settings.hpp"

#include <corral/method.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace corral::membrane {

/// How the fluid moves.
struct FluidModel {
  double rho = 1000; ///< density [kg/m3], inside and outside
  double mu = 1e-3;  ///< viscosity [Pa s], likewise
  bool inertia = true; ///< false: Stokes flow
  std::string projection = "exact"; ///< with walls, where inertia counts: exact, PmII or PmIII
};

/// What drives it.
struct DriveModel {
  double shear_rate = 0; ///< of u_along = rate (y - middle) [1/s]
  int along = 2;         ///< axis of the shear flow: 0 or 2
  std::array<double, 3> body_force{}; ///< [N/m3]
  std::array<std::array<double, 3>, 2> wall_velocity{}; ///< of y_low and y_high, the shear's share included [m/s]
  bool developed = true; ///< starts as the drive alone would have it move for good; otherwise at rest
  std::array<double, 3> velocity{}; ///< at the start, beside that [m/s]
  bool keeps_mean = false; ///< the mean force on the box is taken out: its mean velocity stays what it is
};

/// How membranes and fluid feel each other.
enum class Coupling : std::uint8_t {
  midpoint, ///< second order: forces and velocities at the middle of the step
  predictor ///< first order: forces at the predicted end of the step (Kassen, Shankar and Fogelson)
};

struct CouplingModel {
  Coupling scheme = Coupling::midpoint;
  std::string kernel = "composite43";
  Method method = Method::automatic; ///< of the spreads
  double repulsion_range = 0;        ///< distance at which membranes begin to repel each other [m]; 0: never
  double repulsion_stiffness = 0;    ///< [N/m] per pair of points
};

enum class ShapeKind : std::uint8_t { sphere, ellipsoid, red_cell, file };
enum class Representation : std::uint8_t { triangles, radial };
enum class Nodes : std::uint8_t { icosphere, spiral };

/// A kind of membranes: shape, resolution and material.
struct SurfaceModel {
  std::string name;
  ShapeKind shape = ShapeKind::sphere;
  double radius = 0;                   ///< of a sphere, or the largest of a red cell [m]
  std::array<double, 3> semi_axes{};   ///< of an ellipsoid [m]
  std::filesystem::path file;
  double unit = 1;                     ///< of the file's coordinates [m]
  Representation representation = Representation::triangles;
  Nodes nodes = Nodes::icosphere;
  std::int64_t vertices = 0;           ///< asked for; icospheres take the next larger number
  std::int64_t sites = 0;              ///< sample sites of a radial surface
  RadialForces forces = RadialForces::collocated; ///< likewise
  std::array<double, 3> stretch{1, 1, 1}; ///< of the starting shape beside the one without stress
  double inflation = 1;                ///< size of the starting shape beside that
  Material material;
  std::shared_ptr<const geometry::Mesh> mesh; ///< what `file` holds, in metres, about its centroid; null for others
};

/// Where the membranes of a group lie at the start.
enum class MembraneArrangement : std::uint8_t { one, lattice, random };

/// Membranes of one kind that are placed together.
struct MembraneGroup {
  std::string name;
  std::size_t surface = 0; ///< place in MembraneSetup::surfaces
  MembraneArrangement arrangement = MembraneArrangement::one;
  std::array<double, 3> low{}, high{}; ///< region of a lattice or of random places [m]
  std::array<double, 3> position{};    ///< of the centre of one [m]
  std::array<std::int64_t, 3> lattice{1, 1, 1};
  std::int64_t count = 1;     ///< random: 0 where volume_fraction says how many
  double volume_fraction = 0; ///< of the region that random membranes enclose
  double gap = 0;             ///< least distance between random membranes [m]
  bool turned_at_random = false;
  std::array<double, 3> axis{0, 0, 1}; ///< where the shape's z axis points else
  struct PathPoint {
    double time;                 ///< [s]
    std::array<double, 3> shift; ///< of the tethers' anchors from the start [m]
  };
  std::vector<PathPoint> path;   ///< linear in between, held after the last; empty: anchors stay
};

/// Two opposite forces that pull a group's membranes apart along an axis, as tweezers do.
struct Pull {
  std::string name;
  std::size_t group = 0;
  int axis = 0;
  double force = 0;   ///< at each end [N]
  double share = 0.05; ///< of the vertices that each end holds
  double ramp = 0;    ///< time in which it grows from 0 [s]
};

struct StepModel {
  bool adaptive = false;
  double dt = 0;        ///< [s]; adaptive: the longest
  double least = 0;     ///< adaptive: a shorter step ends the run [s]; 0: 1e-4 of what dt and stiffness allow
  double courant = 0.5; ///< cells that the fluid crosses in a step, at most
  double end = std::numeric_limits<double>::infinity(); ///< [s]
};

/// A checked case.
struct MembraneSetup : run::FlowBox {
  FluidModel fluid;
  DriveModel drive;
  CouplingModel coupling;
  std::vector<SurfaceModel> surfaces;
  std::vector<MembraneGroup> groups;
  std::vector<Pull> pulls;
  std::vector<std::vector<geometry::Placement>> places; ///< at the start, by group
  StepModel time;
  std::uint64_t random_seed = 1;
  std::vector<std::string> warnings;

  bool walls() const { return sides[2] == fluid::SideKind::no_slip; }
  fluid::Domain make_domain() const;
};

void declare_keys(run::KeyTable&);

/// Reads and checks the case; nothing, and at least one problem, where it cannot be run.
std::optional<MembraneSetup> read_setup(const run::Settings&, run::Problems&);

} // namespace corral::membrane

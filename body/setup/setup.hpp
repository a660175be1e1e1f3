#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "run/time_step.hpp"
#include "structure/setup/flow.hpp"
#include "structure/setup/rigid_body.hpp"

#include <corral/method.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corral::body {

/// Bodies of one kind that are placed together and move alike.
struct BodyGroup {
  structure::ImmersedGroup placed; ///< `surface` is the place of their kind in BodySetup::kinds
  structure::MotionModel motion;
};

/// How points and fluid share a processor's threads.
enum class PointsPlacement : std::uint8_t {
  together, ///< points with all threads, then the fluid with all
  at_once   ///< points with threads of their own, while the fluid moves where no point reaches; then the rest of the fluid
};

struct ForcingModel {
  std::string kernel = "roma3";
  std::optional<double> retraction{}; ///< of points into bodies [cells]; none: as much as the kernel makes them larger
  Method method = Method::automatic; ///< of maps: how forces are spread, and where it is serial how the velocity is found
  double acts = 0.5; ///< share of a step in which forces bring the fluid to the bodies' velocity: until it collides; 1: two_pass
  double slip = 0; ///< what the fluid may slip at points, over the largest speed; 0: whatever one pass leaves
  int passes = 1;  ///< of a step at most
  PointsPlacement placement = PointsPlacement::together;
  int point_threads = 1; ///< at_once
};

struct StepModel : run::StepLengths {
  double courant = 0.5; ///< cells that fluid and bodies cross in a step, at most
};

/// A checked case: a box of fluid, and rigid bodies in it.
struct BodySetup : structure::FlowSetup {
  std::vector<structure::BodyModel> kinds;
  std::vector<BodyGroup> groups;
  std::vector<std::vector<geometry::Placement>> places; ///< at the start, by group
  ForcingModel forcing;
  structure::BodyRepulsionModel contact;
  StepModel time;
  std::uint64_t random_seed = 1;
  std::vector<std::string> warnings;
};

} // namespace corral::body

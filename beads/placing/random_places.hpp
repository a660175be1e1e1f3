#pragma once

#include "beads/setup/setup.hpp"
#include "run/random.hpp"
#include "structure/placing/neighbours.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace corral::beads {

/// Of a group's region, that where centres may stand [m3].
double region_volume(const BeadGroup& group);

/// The image of a place that lies in the box, along its periodic axes [m].
geometry::Vector into_box(const BeadsSetup& setup, geometry::Vector x);
/// The beads of an assembly that stands there [m].
std::vector<geometry::Vector> beads_of(const BeadGroup& group, const geometry::Placement& at);
/// The solid spheres that it is there.
std::vector<Ball> balls_of(const BeadsSetup& setup, const BeadGroup& group, const geometry::Placement& at);

/// Solid spheres that have their places, by bins that may be periodic.
class StandingBalls {
public:
  /// `gap` [m]: the largest that is asked for.
  StandingBalls(const BeadsSetup& setup, double gap);

  /// Those of the next assembly.
  void add(std::span<const Ball> balls);
  /// An assembly with one of which, or of whose images, the surface is nearer to this one's than `gap` [m].
  std::optional<std::int32_t> nearer_than(double gap, const Ball& ball) const;

private:
  const BeadsSetup& setup_;
  structure::Neighbours neighbours_;
  std::vector<Ball> balls_;
  std::vector<std::int32_t> assembly_;
  std::int32_t assemblies_ = 0;
};

/// Finds places at random: each assembly tries some until one is free. Spheres, and shells, that find none come in where
/// they are, and then all that stand at random push each other apart.
class RandomPlaces {
public:
  explicit RandomPlaces(const BeadsSetup& setup);

  /// Adds those of the groups that stand at random to those that are there. Throws structure::NoRoom.
  void find(std::vector<std::vector<geometry::Placement>>& places);

private:
  void stand(const std::vector<Ball>& balls);
  void come_in(std::size_t group, std::vector<geometry::Placement>& places);
  geometry::Placement try_one(const BeadGroup& group, std::uint64_t id, std::int64_t attempt) const;
  void push_apart(std::vector<std::vector<geometry::Placement>>& places);
  double push_once(std::vector<std::vector<geometry::Placement>>& places);
  [[noreturn]] void refuse(std::size_t group, const std::string& because) const;

  /// A sphere that may be pushed.
  struct Loose {
    std::size_t group, member;
  };

  const BeadsSetup& setup_;
  run::Random random_;
  double largest_gap_ = 0; ///< [m]
  StandingBalls standing_;
  std::vector<Ball> fixed_; ///< that stay
  std::vector<Loose> loose_;
  bool crowded_ = false; ///< some came in where others are
  std::uint64_t next_ = 0; ///< of random numbers
};

} // namespace corral::beads

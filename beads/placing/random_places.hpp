#pragma once

#include "beads/setup/setup.hpp"
#include "run/random.hpp"
#include "structure/placing/neighbours.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
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
/// And what else of it is solid: others keep away from these.
std::vector<geometry::Vector> solid_of(const BeadGroup& group, const geometry::Placement& at);

/// Beads that have their places, by bins that may be periodic.
class StandingBeads {
public:
  /// `reach` [m]: the largest distance that is asked for.
  StandingBeads(const BeadsSetup& setup, double reach);

  /// The beads of the next assembly.
  void add(std::span<const geometry::Vector> beads);
  /// An assembly that counts, with a bead or with an image of one nearer to x than `distance` [m].
  std::optional<std::int32_t> nearer_than(
      double distance, const geometry::Vector& x,
      const std::function<bool(std::int32_t)>& counts = [](std::int32_t) { return true; }) const;

private:
  const BeadsSetup& setup_;
  structure::Neighbours neighbours_;
  std::vector<geometry::Vector> beads_;
  std::vector<std::int32_t> assembly_;
  std::int32_t assemblies_ = 0;
};

/// Finds places at random: each assembly tries some until one is free. Spheres that find none come in where they are, and
/// then all spheres that stand at random push each other apart.
class RandomPlaces {
public:
  explicit RandomPlaces(const BeadsSetup& setup);

  /// Adds those of the groups that stand at random to those that are there. Throws structure::NoRoom.
  void find(std::vector<std::vector<geometry::Placement>>& places);

private:
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
  StandingBeads standing_;
  std::vector<geometry::Vector> fixed_; ///< beads that stay [m]
  std::vector<Loose> loose_;
  bool crowded_ = false; ///< some came in where others are
  std::uint64_t next_ = 0; ///< of random numbers
};

} // namespace corral::beads

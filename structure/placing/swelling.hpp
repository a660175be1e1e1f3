#pragma once

#include "run/random.hpp"
#include "structure/placing/contact.hpp"
#include "structure/placing/neighbours.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace corral::structure {

/// A box whose axes are periodic or end at something that shapes stay away from. Along an axis without length shapes stand
/// in a plane, with their centres.
struct Room {
  std::array<double, 3> low{}, high{}; ///< [m]
  std::array<bool, 3> open{};          ///< a periodic axis of which it is all

  bool ends(std::size_t axis) const { return !open[axis] && low[axis] < high[axis]; }
};

/// Shapes that look for places.
struct Newcomers {
  const SurfaceShape* shape;
  Room room;
  std::int64_t count;
  double gap;    ///< from each other, from those that stand, and from what ends the room [m]
  bool turned;   ///< any way round; otherwise they stay as `rotation` says
  geometry::Rotation rotation;
};

/// Finds room for shapes: they come in small, anywhere, and swell, and their gaps with them. Those that come too near push
/// each other apart, and turn each other; where they are stuck they shrink a little and are shaken. All move at once, from
/// where they were, so that places have the same bits for any number of threads.
class Swelling {
public:
  /// `period` [m]: of the box, 0 along axes with walls.
  Swelling(const geometry::Vector& low, const geometry::Vector& size, const geometry::Vector& period, std::uint64_t seed);

  /// Shapes that stay where they are, and must outlive this like all others.
  void add_fixed(const SurfaceShape& shape, std::span<const geometry::Placement> places);
  void add(const Newcomers& group);

  /// Called now and then with the size that they have come to.
  using Watch = std::function<void(double size)>;
  /// True where all have found room at their own size.
  bool grow(const Watch& watch);

  /// Of the groups that were added, in their order.
  std::vector<geometry::Placement> places(std::size_t group) const;
  double largest() const { return largest_; } ///< size that they came to [-]
  std::size_t stuck() const;                  ///< group of the newcomer that was pushed hardest, at last

private:
  struct Pair {
    std::size_t first, second;
    geometry::Vector between; ///< from the first one to this image of the second [m]
    Contact contact;          ///< of the first one
  };
  /// Where pushes of a round add up.
  struct Push {
    geometry::Vector shift{}, turn{};
    double deepest = 0; ///< [m]
    void add(const Contact& contact, double share, double gyration2, double sign, const geometry::Vector& lever);
  };

  const TouchedShape& touched(const SurfaceShape& shape);
  bool comes(std::size_t which) const { return which >= fixed_; }
  const Newcomers& group_of(std::size_t which) const { return groups_[group_[which - fixed_]]; }
  double gap_between(std::size_t first, std::size_t second) const;
  /// While they are small, gaps are so, too: [m].
  double wanted_between(std::size_t first, std::size_t second) const {
    return now_ * (gap_between(first, second) + margin_);
  }
  void prepare();
  bool stands_free(const Body& body, double gap) const;
  void enter(); ///< newcomers, small, at random places
  void become(double size);
  void find_pairs();
  double push(); ///< the deepest contact [m]
  void push_off_ends(std::size_t which, Push& push) const;
  void move(double share);
  void shake(std::int64_t round, double far);
  void turn(geometry::Placement& at, const Newcomers& group, const geometry::Vector& by) const;
  void keep_inside(geometry::Placement& at, const Room& room) const;
  bool all_apart() const;

  geometry::Vector low_, size_, period_;
  run::Random random_;
  std::vector<Newcomers> groups_;
  struct Standing {
    const SurfaceShape* shape;
    geometry::Placement at;
  };
  std::vector<Standing> standing_;
  std::vector<std::pair<const SurfaceShape*, std::unique_ptr<TouchedShape>>> shapes_;
  std::vector<Body> bodies_; ///< those that stay first
  std::vector<std::size_t> group_; ///< of each newcomer
  std::size_t fixed_ = 0;
  double beyond_ = 0;  ///< [m] that distances are known outside of shapes
  double margin_ = 0, most_margin_ = 0; ///< [m] beside each gap: what points and tables miss
  double now_ = 1, largest_ = 0;
  std::unique_ptr<Neighbours> neighbours_;
  std::vector<Pair> pairs_;
  std::vector<Push> pushes_;
};

} // namespace corral::structure

#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "run/random.hpp"
#include "structure/surfaces/shapes.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace corral::structure {

/// A box whose axes are periodic or end at something that shapes stay away from.
struct Room {
  std::array<double, 3> low{}, high{}; ///< [m]
  std::array<bool, 3> open{};          ///< a periodic axis of which it is all
};

/// Shapes that stand in a box and come no nearer to each other than a gap. They find room by chance: small ones come
/// anywhere, and then grow to their size while they wander and turn.
class Crowd {
public:
  /// `period` [m]: of the box, 0 along axes with walls; `largest` [m]: radius of the largest shape that will come.
  Crowd(const std::array<double, 3>& low, const std::array<double, 3>& size, const std::array<double, 3>& period,
        double largest, double gap, std::uint64_t seed);

  /// Shapes that stay where they are; `shape` must outlive this.
  void add_fixed(const SurfaceShape& shape, std::span<const geometry::Placement> places);
  /// `count` shapes within `room`, turned at random or as `rotation` says; their places, or none where they don't fit.
  std::vector<geometry::Placement> add_random(const SurfaceShape& shape, const Room& room, std::int64_t count,
                                              bool turned, const geometry::Rotation& rotation);

  /// How large those grew that were to come last, of their size.
  double grown() const { return size_; }

  /// Two that come nearer than the gap, by their numbers in order of coming; the same twice where one comes so near to
  /// its own image across a periodic side.
  struct Pair {
    std::size_t first, second;
    bool within; ///< one lies wholly inside the other
  };
  /// All such pairs of those that stay, each once, `most` of them at most.
  std::vector<Pair> pairs_too_near(std::size_t most) const;

  struct Near {
    std::size_t first, second; ///< the same twice: a membrane and its own image
    double distance;           ///< [m], within a hundredth of the gap
  };
  /// The nearest two that are apart, where they come nearer than the gap; nothing where none do. Looks at so many pairs
  /// whose balls come as near: of more, the nearest may be another.
  std::optional<Near> nearest(std::int64_t most_looks);

private:
  /// A shape's tree, which is made when it is asked for: most shapes are far from each other.
  class TreeOnDemand {
  public:
    TreeOnDemand(const SurfaceShape& shape, double size) : shape_(shape), size_(size) {}
    const geometry::SurfaceTree& operator*() const;
    const geometry::SurfaceTree* operator->() const { return &**this; }

  private:
    const SurfaceShape& shape_;
    double size_;
    mutable std::optional<geometry::SurfaceTree> tree_;
  };
  using Tree = std::shared_ptr<const TreeOnDemand>;

  struct Standing {
    Tree tree;
    geometry::Placement at;
    double radius; ///< about its position [m]
    const std::vector<geometry::Vector>* points = nullptr; ///< of its shape, for those that stay
  };

  bool enter(const Room& room, Standing one, std::int64_t count, bool turned, const geometry::Rotation& rotation);
  void wander(const Room& room, std::size_t first, bool turned, double far);
  bool grow(const Room& room, std::size_t first, const Tree& tree, double size);
  bool fits(const Room& room, const Standing& one, std::size_t except) const;
  /// Where the nearest image of `b` stands that comes nearer to `a` than the gap; nothing where none does.
  std::optional<geometry::Placement> too_near(const Standing& a, const Standing& b) const;
  template <class Visit> void for_each_near(const geometry::Vector& x, const Visit& visit) const;
  geometry::Vector nearest_image(const geometry::Vector& x, const geometry::Vector& to) const;
  std::size_t bin(const geometry::Vector& x) const;
  void move_to(std::size_t which, const geometry::Placement& at);
  double draw() { return random_.uniform(run::Purpose::position, 0, draws_++); }

  std::array<double, 3> low_, period_;
  double gap_;
  run::Random random_;
  std::uint64_t draws_ = 0;
  std::vector<Standing> all_;
  std::vector<geometry::Vector> points_; ///< of the shape that is coming, at its own size [m]
  double size_ = 1;                      ///< of those that are coming
  std::array<std::int64_t, 3> bins_{1, 1, 1};
  std::array<double, 3> bin_length_{};
  std::vector<std::vector<std::int32_t>> in_bin_;
};

} // namespace corral::structure

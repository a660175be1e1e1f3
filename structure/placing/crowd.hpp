#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "structure/placing/neighbours.hpp"
#include "structure/surfaces/shapes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace corral::structure {

/// Shapes that stand in a box, and which of them come nearer to each other than a gap.
class Crowd {
public:
  /// `period` [m]: of the box, 0 along axes with walls; `largest` [m]: radius of the largest shape that will come.
  Crowd(const std::array<double, 3>& low, const std::array<double, 3>& size, const std::array<double, 3>& period,
        double largest, double gap)
      : neighbours_(low, size, period, 2 * largest + gap), gap_(gap) {}

  /// `shape` must outlive this.
  void add(const SurfaceShape& shape, std::span<const geometry::Placement> places);

  /// Two that come nearer than the gap, by their numbers in order of coming; the same twice where one comes so near to
  /// its own image across a periodic side.
  struct Pair {
    std::size_t first, second;
    bool within; ///< one lies wholly inside the other
  };
  /// All such pairs, each once, `most` of them at most.
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
    explicit TreeOnDemand(const SurfaceShape& shape) : shape_(shape) {}
    const geometry::SurfaceTree& operator*() const { return tree_ ? *tree_ : tree_.emplace(tree_of(shape_)); }
    const geometry::SurfaceTree* operator->() const { return &**this; }

  private:
    const SurfaceShape& shape_;
    mutable std::optional<geometry::SurfaceTree> tree_;
  };

  struct Standing {
    std::shared_ptr<const TreeOnDemand> tree;
    geometry::Placement at;
    double radius; ///< about its position [m]
    const std::vector<geometry::Vector>* points; ///< of its shape
  };

  /// Where the nearest image of `b` stands that comes nearer to `a` than the gap; nothing where none does.
  std::optional<geometry::Placement> too_near(const Standing& a, const Standing& b) const;

  Neighbours neighbours_;
  double gap_;
  std::vector<Standing> all_;
};

} // namespace corral::structure

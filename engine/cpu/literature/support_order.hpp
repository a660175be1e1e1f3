#pragma once

#include "engine/cpu/map_fields.hpp"

#include <corral/array.hpp>

#include <cstdint>

namespace corral::cpu {

/// The particles of an order sorted by the first point of their stencil on the fields of one block, and cut into
/// segments of equal points. It serves every shift of the stencil: in a padded field a shift adds the same number to
/// all points and wraps none around, so that no shift changes their order.
class SupportOrder {
public:
  template <class T>
  SupportOrder(Cpu, const typename CellOrder<T>::Data& order, const FieldBlock<T>& block);

  std::int64_t particles() const { return place_.size(); }
  /// The place in the cell order of the i-th particle.
  std::int64_t place(std::int64_t i) const { return place_[i]; }

  std::int64_t segments() const { return point_.size(); }
  /// Padded index of the first point of the stencils of segment g; ascending.
  std::int64_t point(std::int64_t g) const { return point_[g]; }
  /// Segment g holds the particles [begin(g), begin(g + 1)), in the order of their places.
  std::int64_t begin(std::int64_t g) const { return begin_[g]; }

private:
  void sort(Cpu, const Array<std::int64_t>& key, std::int64_t keys);

  Array<std::int64_t> place_, point_, begin_;
};

} // namespace corral::cpu

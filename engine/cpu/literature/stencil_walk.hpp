#pragma once

#include "engine/cpu/map_fields.hpp"
#include "engine/cpu/stencil_batch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::cpu {

/// Walks along rows of groups (row = j + k groups_y) and hands over each particle with its stencil on the fields of
/// one block, for any kernel. One task's own: it holds the stencils of the particles at hand. Term is Spread<T> or
/// Interpolate<T>.
template <class T, class Term> class StencilWalk {
public:
  StencilWalk(const MapCall<T, Term>& call, const FieldBlock<T>& block)
      : call_(call), order_(call.order), block_(block), batch_(call.kernel, block.support, block.stride()),
        groups_x_(order_.groups[0].count), groups_y_(order_.groups[1].count) {}

  const StencilBatch<T>& stencils() const { return batch_; }
  std::int64_t groups_x() const { return groups_x_; }

  /// Calls f(place, i, point) for the particles in groups [begin, end) of the row, in order: place in the order,
  /// number within stencils(), and the padded index that the stencil's points are counted from.
  template <class F> void for_each_particle(std::int64_t row, std::int64_t begin, std::int64_t end, const F& f) {
    const std::int64_t* first = order_.begin.data() + row * groups_x_;
    const std::int64_t row_point =
        (row % groups_y_) * block_.layout.stride(1) + (row / groups_y_) * block_.layout.stride(2);
    std::int64_t group = begin;
    for (std::int64_t place = first[begin]; place < first[end]; place += batch_.capacity) {
      const int n = static_cast<int>(std::min<std::int64_t>(batch_.capacity, first[end] - place));
      const auto u = [&](std::size_t d) { return order_.fraction[d].data() + place; };
      batch_.set({u(0), u(1), u(2)}, n);
      for (int i = 0; i < n; ++i) {
        while (place + i >= first[group + 1]) ++group;
        f(place + i, i, row_point + group);
      }
    }
  }

  /// Calls add(padded point, what it gains) for every point of the particles in groups [begin, end) of the row, field
  /// after field.
  template <class Add> void spread(std::int64_t row, std::int64_t begin, std::int64_t end, const Add& add) {
    for_each_particle(row, begin, end, [&](std::int64_t place, int i, std::int64_t point) {
      const std::int64_t source = order_.source(place);
      for (std::size_t f = 0; f < block_.terms.size(); ++f) {
        const T value = call_.terms[block_.terms[f]].column[source];
        T* const field = block_.padded[f] + point;
        batch_.for_each_point(i, [&](std::int64_t offset, T weight) { add(field[offset], weight * value); });
      }
    });
  }

private:
  const MapCall<T, Term>& call_;
  const typename CellOrder<T>::Data& order_;
  const FieldBlock<T>& block_;
  StencilBatch<T> batch_;
  std::int64_t groups_x_, groups_y_;
};

} // namespace corral::cpu

#pragma once

#include "engine/gpu/order/order.cuh"
#include "engine/shared/support.hpp"

#include <cstdint>

namespace corral::gpu {

/// The stencils of all particles along one axis, on the fields of one block.
template <class T> struct StencilAxis {
  shared::AxisSupport support;
  const T* weights = nullptr; ///< [point][place]; null for thin axes and the kernel linear, which need none

  __device__ int points() const { return support.thin ? 1 : support.support; }
  /// 0 or 1: the point of the group's stencil at which the particle's own begins.
  __device__ int lead(T u) const { return support.thin ? 0 : shared::stencil_position(support, u).lead; }
};

/// The stencils of all particles on the fields of one block: what the entries of all methods read.
template <class T> struct Stencils {
  Places<T> places;
  StencilAxis<T> axis[3];
  std::int64_t stride[3];     ///< of the padded fields
  std::int64_t weight_stride; ///< from one point's weights to the next one's; 0: linear, they follow from the fraction

  /// Weight of point j of the particle's own stencil.
  __device__ T weight(int d, int j, std::int64_t place) const {
    const StencilAxis<T>& a = axis[d];
    if (a.support.thin) return T(1);
    if (weight_stride != 0) return a.weights[j * weight_stride + place];
    const T r = shared::stencil_position(a.support, places.u[d][place]).r;
    return j == 0 ? T(1) - r : r;
  }
  /// Padded index of the first point of the particle's own stencil.
  __device__ std::int64_t first(std::int64_t place) const {
    std::uint32_t group[3];
    places.group_of(places.key[place], group);
    std::int64_t at = 0;
    for (int d = 0; d < 3; ++d)
      at += (static_cast<std::int64_t>(group[d]) + lead(d, place)) * stride[d];
    return at;
  }
  __device__ int lead(int d, std::int64_t place) const {
    return axis[d].support.straddled ? axis[d].lead(places.u[d][place]) : 0;
  }
};

/// The fields of one block, and the columns that go with them. Point is T or const T, Value the other way round.
template <class Point, class Value> struct BlockFields {
  int count = 0;
  Point* padded[4] = {};
  Column<Value> column[4] = {};

  BlockFields part(int first, int n) const {
    BlockFields some;
    some.count = n;
    for (int f = 0; f < n; ++f) {
      some.padded[f] = padded[first + f];
      some.column[f] = column[first + f];
    }
    return some;
  }
};

} // namespace corral::gpu

#pragma once

#include "engine/shared/field_support.hpp"

#include <corral/kernel_weights.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace corral::cpu {

/// Fields of one staggering that a cell is mapped for in one go.
inline constexpr int field_block = 4;

/// Particles of one group (or a piece of it) and the padded fields around them. Columns start at the first particle;
/// `Value` and `Point` say which of the two is written.
template <class T, class Value, class Point> struct CellTask {
  std::int64_t n;                          ///< particles
  std::array<const T*, 3> u;               ///< fractions within the group
  int fields;                              ///< 1 .. field_block
  std::array<Value*, field_block> value;   ///< [fields] one number per particle
  std::array<Point*, field_block> point;   ///< [fields] first padded point of the group's stencil
};
template <class T> using SpreadTask = CellTask<T, const T, T>;
template <class T> using InterpolateTask = CellTask<T, T, const T>;

/// Maps the particles of one cell to and from the padded fields of one staggering.
template <class T> class CellMethod {
public:
  virtual ~CellMethod() = default;
  virtual void spread(const SpreadTask<T>&) const = 0;
  virtual void interpolate(const InterpolateTask<T>&) const = 0;
};

/// Trilinear: all points of a cell in vector registers; dispatched to the best instruction set at run time.
template <class T>
std::unique_ptr<CellMethod<T>> linear_method(const shared::FieldSupport&, std::array<std::int64_t, 3> stride);

/// Any kernel, point by point.
template <class T>
std::unique_ptr<CellMethod<T>> any_kernel_method(const KernelWeights<T>&, const shared::FieldSupport&,
                                                 std::array<std::int64_t, 3> stride);

template <class T>
std::unique_ptr<CellMethod<T>> cell_method(const KernelWeights<T>& kernel, const shared::FieldSupport& support,
                                           std::array<std::int64_t, 3> stride) {
  return kernel.linear ? linear_method<T>(support, stride) : any_kernel_method<T>(kernel, support, stride);
}

} // namespace corral::cpu

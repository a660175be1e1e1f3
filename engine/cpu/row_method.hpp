#pragma once

#include "engine/cpu/row_task.hpp"

#include <memory>

namespace corral::cpu {

/// Maps the particles of a row's cells to and from the padded fields of one staggering.
template <class T> class RowMethod {
public:
  virtual ~RowMethod() = default;
  virtual void spread(const SpreadTask<T>&) const = 0;
  virtual void interpolate(const InterpolateTask<T>&) const = 0;
};

/// Trilinear: all points of a cell in vector registers; dispatched to the best instruction set at run time.
template <class T>
std::unique_ptr<RowMethod<T>> linear_method(const shared::FieldSupport&, std::array<std::int64_t, 3> stride);

} // namespace corral::cpu

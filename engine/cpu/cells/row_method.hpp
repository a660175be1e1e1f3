#pragma once

#include "engine/cpu/cells/row_task.hpp"

#include <memory>

namespace corral::cpu {

/// Maps the particles of a row's cells to and from padded fields.
template <class T> class RowMethod {
public:
  virtual ~RowMethod() = default;
  virtual void spread(const SpreadTask<T>&) const = 0;
  virtual void interpolate(const InterpolateTask<T>&) const = 0;
};

/// Trilinear: all points of a cell in vector registers; dispatched to the best instruction set at run time.
template <class T>
std::unique_ptr<RowMethod<T>> linear_method(const shared::FieldSupport&, std::array<std::int64_t, 3> stride);

/// Trilinear for one field on each of the face grids x, y, z, each straddled on its own axis alone and 2 points wide on
/// the others: the three fields of a task, whose grids have these strides.
template <class T>
std::unique_ptr<RowMethod<T>> linear_faces_method(const std::array<std::array<std::int64_t, 3>, 3>& stride);

} // namespace corral::cpu

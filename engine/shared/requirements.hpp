#pragma once

#include <corral/grid.hpp>
#include <corral/method.hpp>
#include <corral/views.hpp>

namespace corral::shared {

/// Throws Error for a number that stands for no method.
void require_known(Method);
/// Throws Error for numbers that are no enumerators.
void require_known(Staggering);
void require_known(Sign);

/// Throws Error unless numbers of type T tell apart coordinates a quarter of a cell from each other, anywhere on the
/// grid, and hold one over a cell's size.
template <class T> void require_resolved(const Grid&);

/// Throws Error in a build without CUDA, or where no device is found.
void require_device();

} // namespace corral::shared

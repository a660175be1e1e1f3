#pragma once

#include "engine/cpu/map_fields.hpp"
#include "engine/shared/requirements.hpp"

#include <corral/error.hpp>
#include <corral/interpolate.hpp>
#include <corral/spread.hpp>

#include <string>

namespace corral::cpu {

template <class T> using SpreadCall = MapCall<T, Spread<T>>;
template <class T> using InterpolateCall = MapCall<T, Interpolate<T>>;

/// A method of spreading adds to the call's padded fields, which are zero; `spread` then folds them into the
/// caller's. A method of interpolation reads padded fields that are filled, and sets the columns.
template <class T> void spread_rows(const SpreadCall<T>&);
template <class T> void spread_serial(const SpreadCall<T>&);
template <class T> void spread_sort_reduce(const SpreadCall<T>&);
template <class T> void spread_sort_reduce_buffered(const SpreadCall<T>&);
template <class T> void spread_sort_reduce_on_the_fly(const SpreadCall<T>&);
template <class T> void spread_columns(const SpreadCall<T>&);
template <class T> void spread_columns_pruned(const SpreadCall<T>&);
template <class T> void spread_coloured_cells(const SpreadCall<T>&);
template <class T> void spread_atomic(const SpreadCall<T>&);
template <class T> void spread_grid_gather(const SpreadCall<T>&);

template <class T> void interpolate_rows(const InterpolateCall<T>&);
template <class T> void interpolate_serial(const InterpolateCall<T>&);

/// Throws Error for a method of the GPU, and for a number that is none.
inline void require_on_cpu(Method method) {
  shared::require_known(method);
  if (!runs_on(method, Cpu{}))
    throw Error("method " + std::string(name(method)) + " on the CPU (it is one of the GPU alone) take another, or "
                "automatic");
}

/// Throws Error where the cell-by-cell maps do not serve the kernel.
template <class T> void require_linear(const KernelWeights<T>& kernel) {
  if (!kernel.linear)
    throw Error("method " + std::string(name(Method::cells)) +
                " with a kernel that is not linear (it keeps the 8 to 27 points of a trilinear cell in registers) "
                "take stencils, or automatic");
}

/// These work on the caller's fields: no padded field is read or written.
template <class T> void spread_stencils(const SpreadCall<T>&);
template <class T> void interpolate_stencils(const InterpolateCall<T>&);
template <class T> void spread_tiles(const SpreadCall<T>&);
template <class T> void interpolate_tiles(const InterpolateCall<T>&);

/// What Method::automatic stands for in a call: by particles per cell, and whether the kernel is linear.
template <class T> Method choose_spread(const SpreadCall<T>&);
template <class T> Method choose_interpolate(const InterpolateCall<T>&);

} // namespace corral::cpu

#pragma once

#include "engine/cpu/map_fields.hpp"

#include <corral/interpolate.hpp>
#include <corral/spread.hpp>

namespace corral::cpu {

template <class T> using SpreadCall = MapCall<T, Spread<T>>;
template <class T> using InterpolateCall = MapCall<T, Interpolate<T>>;

/// A method of spreading adds to the call's padded fields, which are zero; `spread` then folds them into the
/// caller's. A method of interpolation reads padded fields that are filled, and sets the columns.
template <class T> void spread_rows(const SpreadCall<T>&);
template <class T> void interpolate_rows(const InterpolateCall<T>&);

/// These work on the caller's fields: no padded field is read or written.
template <class T> void spread_stencils(const SpreadCall<T>&);
template <class T> void interpolate_stencils(const InterpolateCall<T>&);
template <class T> void spread_tiles(const SpreadCall<T>&);
template <class T> void interpolate_tiles(const InterpolateCall<T>&);

} // namespace corral::cpu

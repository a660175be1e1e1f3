#pragma once

#include "engine/cpu/methods.hpp"

namespace corral::cpu {

/// What Method::automatic stands for in a call: by kernel, particles per cell and their number.
template <class T> Method choose_spread(const SpreadCall<T>&);
template <class T> Method choose_interpolate(const InterpolateCall<T>&);

} // namespace corral::cpu

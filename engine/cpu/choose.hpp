#pragma once

#include "engine/cpu/methods.hpp"

namespace corral::cpu {

/// What Method::automatic stands for in a call: by particles per cell, and whether the kernel is linear.
template <class T> Method choose_spread(const SpreadCall<T>&);
template <class T> Method choose_interpolate(const InterpolateCall<T>&);

} // namespace corral::cpu

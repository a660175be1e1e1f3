#pragma once

#include "kernels/linear.hpp"
#include "kernels/nearest.hpp"

/// Calls MACRO(kernel type) for every kernel that the library is compiled for.
#define CORRAL_FOR_SHIPPED_KERNELS(MACRO) \
  MACRO(::corral::kernels::Nearest)       \
  MACRO(::corral::kernels::Linear)

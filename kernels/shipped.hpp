#pragma once

/// Every kernel that corral ships.

#include <corral/kernels/linear.hpp>
#include <corral/kernels/nearest.hpp>

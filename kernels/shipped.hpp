#pragma once

/// Every kernel that corral ships.

#include "kernels/linear.hpp"
#include "kernels/nearest.hpp"

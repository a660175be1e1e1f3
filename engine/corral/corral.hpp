#pragma once

/// Everything a host code needs: make a Grid, sort particles into a CellOrder, then spread and interpolate.

#include <corral/array.hpp>
#include <corral/boxes.hpp>
#include <corral/cell_order.hpp>
#include <corral/device.hpp>
#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/for_each.hpp>
#include <corral/grid.hpp>
#include <corral/interpolate.hpp>
#include <corral/method.hpp>
#include <corral/pairs.hpp>
#include <corral/spread.hpp>
#include <corral/views.hpp>

#include <corral/kernels/shipped.hpp>

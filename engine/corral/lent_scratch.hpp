#pragma once

#include <corral/cell_order.hpp>

#include <cstdint>

namespace corral {

/// Numbers that a spread on a device leaves for each group of an order, and for each 512 particles, at most: what `size` is
/// enough for where the kernel is linear and there are a few particles a cell.
inline constexpr std::int64_t numbers_of_a_group = 24, particles_of_a_tile = 512;

/// Lets spreads over an order that was sorted on the device work in `size` values of the caller's memory there, in place of
/// their own, where that is enough. Until it is called with null; in between the memory holds anything.
CORRAL_PUBLIC void lend_scratch(Gpu, const CellOrder<double>& order, double* memory, std::int64_t size);

} // namespace corral

#pragma once

#include <array>
#include <cstdint>

namespace corral::bench {

/// Sum of six arrays of n values, read side by side by the calling thread: what a map over packed columns (three
/// coordinates and three values a particle) takes at least.
template <class T> T read_columns(const std::array<const T*, 6>& columns, std::int64_t n);

} // namespace corral::bench

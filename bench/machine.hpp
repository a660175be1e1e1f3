#pragma once

#include <array>
#include <cstdint>

namespace corral::bench {

/// Reads rows [begin, end) of six columns side by side, with the calling thread: the rate at which a map could read its
/// particles. Returns their sum, so that nothing can be left out.
template <class T>
T read_columns(const std::array<const T*, 6>& columns, std::int64_t begin, std::int64_t end);

/// Multiplies and adds in registers for some milliseconds, with the calling thread: what a second thread gains here,
/// no map can gain more.
double multiply_and_add();

} // namespace corral::bench

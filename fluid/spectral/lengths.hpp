#pragma once

#include <cstdint>

namespace corral::fluid::spectral {

/// True where n is a product of 2, 3, 5 and 7.
bool is_transformed(std::int64_t n);

/// The largest such number that is at most n, and the smallest that is at least n; n is 1 or more.
std::int64_t length_below(std::int64_t n);
std::int64_t length_above(std::int64_t n);

/// Throws Error where n is no such number, which names the nearest ones.
void require_length(std::int64_t n);

} // namespace corral::fluid::spectral

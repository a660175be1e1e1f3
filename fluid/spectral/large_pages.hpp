#pragma once

#include <corral/array.hpp>

#include <cstdint>

namespace corral::fluid::spectral {

/// An array of `size` zeros, on huge pages where the system has them. Columns reach a page per plane: through small
/// pages that takes twice as long.
Array<double> large_array(std::int64_t size);

} // namespace corral::fluid::spectral

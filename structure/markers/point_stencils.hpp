#pragma once

#include <cstdint>

namespace corral::structure {

/// Where stencils of points begin, and their weights along the axes.
struct PointStencils {
  const std::int32_t* first; ///< [point][axis] point of the grid, beyond periodic ends as the place is
  const double* weights;     ///< [point][axis][widest support]
};

} // namespace corral::structure

#include "mppic/box.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <string>

namespace corral::mppic {

Box domain(const Grid& grid) {
  Box box;
  for (std::size_t d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(static_cast<int>(d));
    box.low[d] = axis.origin;
    box.high[d] = axis.origin + axis.length();
  }
  return box;
}

Box clipped(const Box& region, const Grid& grid) {
  const Box whole = domain(grid);
  Box box;
  for (std::size_t d = 0; d < 3; ++d) {
    box.low[d] = std::max(whole.low[d], region.low[d]);
    box.high[d] = std::min(whole.high[d], region.high[d]);
    if (!(box.low[d] < box.high[d])) {
      throw Error("region from " + run::write_number(region.low[d]) + " to " + run::write_number(region.high[d]) +
                  " m along " + "xyz"[d] + " (nothing of it lies in the domain, " + run::write_number(whole.low[d]) +
                  " to " + run::write_number(whole.high[d]) + " m)");
    }
  }
  return box;
}

} // namespace corral::mppic

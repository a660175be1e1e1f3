#include "membrane/output/shape_figures.hpp"

#include <algorithm>
#include <cmath>

namespace corral::membrane {

ShearEllipse shear_ellipse(const structure::MembraneMeasures& m, int along) {
  // An ellipsoid's second moment along a half axis a is V a^2/5.
  const double scale = m.volume != 0 ? 5 / m.volume : 0;
  const double xx = scale * m.second_moments[along == 0 ? 0 : 2], yy = scale * m.second_moments[1];
  const double xy = scale * m.second_moments[along == 0 ? 3 : 5];
  const double mean = 0.5 * (xx + yy), apart = std::hypot(0.5 * (xx - yy), xy);
  return {std::sqrt(std::max(mean + apart, 0.0)), std::sqrt(std::max(mean - apart, 0.0)),
          apart > 0 ? 0.5 * std::atan2(2 * xy, xx - yy) : 0.0};
}

} // namespace corral::membrane

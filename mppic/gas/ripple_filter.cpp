#include "mppic/gas/ripple_filter.hpp"

#include <algorithm>

namespace corral::mppic {

RippleFilter::RippleFilter(const fluid::Domain& domain, double theta_cp) : domain_(domain), theta_cp_(theta_cp) {
  for (auto& w : weights_) w.resize(domain.grid().cells(), 0.0);
}

void RippleFilter::set_weights(Cpu cpu, const Array<double>& theta) {
  const Grid& grid = domain_.grid();
  fluid::for_each_cell(cpu, grid, [&](const fluid::Cell& c) {
    for (int d = 0; d < 3; ++d) {
      double least = theta[c.index];
      for (const bool above : {false, true}) {
        const std::int64_t beside = fluid::neighbour(grid, c, d, above);
        if (beside >= 0) least = std::min(least, theta[beside]);
      }
      weights_[static_cast<std::size_t>(d)][c.index] =
          grid.axis(d).thin() ? 0 : std::clamp((least / theta_cp_ - 0.55) / 0.2, 0.0, 1.0);
    }
  });
}

void RippleFilter::apply(Cpu cpu, int d, const double* x, double* y) const {
  const Grid& grid = domain_.grid();
  const auto i = static_cast<std::size_t>(d);
  const std::int64_t nx = grid.points(face(d), 0), stride = d == 0 ? 1 : d == 1 ? nx : nx * grid.points(face(d), 1);
  const std::int64_t last = grid.points(face(d), d) - 1;
  const Array<double>& w = weights_[i];
  fluid::for_each_face(cpu, grid, d, [&](const fluid::Face& f) {
    const std::int64_t at = f.place[i];
    const double share = f.boundary() ? 0.5 : 0.25, here = x[f.index];
    double change = 0;
    if (f.below >= 0) change += w[f.below] * (x[at > 0 ? f.index - stride : f.index + last * stride] - here);
    if (f.above >= 0) change += w[f.above] * (x[at < last ? f.index + stride : f.index - last * stride] - here);
    y[f.index] = here + share * change;
  });
}

} // namespace corral::mppic

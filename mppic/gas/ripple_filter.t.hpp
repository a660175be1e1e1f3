#pragma once

/// The loops of ripple_filter.hpp, for either processor.

#include "mppic/gas/ripple_filter.hpp"

#include <algorithm>

namespace corral::mppic {

template <Execution E>
void RippleFilter::set_weights(E execution, const fluid::Planes& planes, const Array<double>& solids_fraction) {
  planes_ = planes;
  const Grid grid = grid_;
  const double theta_cp = theta_cp_;
  scratch_.give_back(weights_);
  scratch_.take_cells(grid, weights_);
  const double* theta = solids_fraction.data();
  const std::array<double*, 3> weights = fluid::writable_pointers(weights_);
  fluid::for_each_cell(execution, grid, planes, [=] CORRAL_BODY(const fluid::Cell& c) {
    const auto weight = [&](double least) { return std::clamp((least / theta_cp - 0.55) / 0.2, 0.0, 1.0); };
    for (double* none : weights) none[c.index] = 0;
    if (weight(theta[c.index]) == 0) return; // neighbours would only lower it
    for (int d = 0; d < 3; ++d) {
      if (grid.axis(d).thin()) continue;
      double least = theta[c.index];
      for (const bool above : {false, true}) {
        const std::int64_t beside = fluid::neighbour(grid, c, d, above);
        if (beside >= 0) least = std::min(least, theta[beside]);
      }
      weights[d][c.index] = weight(least);
    }
  });
  fluid::fill_beside(grid, planes, Staggering::centre, weights_[2].data());
}

template <Execution E, std::size_t n>
void RippleFilter::apply(E execution, int d, const std::array<const double*, n>& from,
                         const std::array<double*, n>& into) const {
  const Grid grid = grid_;
  const std::int64_t nx = grid.points(face(d), 0), stride = d == 0 ? 1 : d == 1 ? nx : nx * grid.points(face(d), 1);
  const std::int64_t last = grid.points(face(d), d) - 1;
  const double* w = weights_[d].data();
  const std::array<const double*, n> xs = from;
  const std::array<double*, n> ys = into;
  fluid::for_each_face(execution, grid, planes_, d, [=] CORRAL_BODY(const fluid::Face& f) {
    const std::int64_t at = f.along;
    const double share = f.boundary() ? 0.5 : 0.25;
    const double below = f.below >= 0 ? w[f.below] : 0, above = f.above >= 0 ? w[f.above] : 0;
    const std::int64_t low = f.below < 0 ? f.index : at > 0 ? f.index - stride : f.index + last * stride;
    const std::int64_t high = f.above < 0 ? f.index : at < last ? f.index + stride : f.index - last * stride;
    for (std::size_t k = 0; k < n; ++k) {
      const double* x = xs[k];
      const double here = x[f.index];
      ys[k][f.index] = here + share * (below * (x[low] - here) + above * (x[high] - here));
    }
  });
}

} // namespace corral::mppic

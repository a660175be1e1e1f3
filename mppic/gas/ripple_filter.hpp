#pragma once

#include "fluid/domain.hpp"
#include "fluid/scratch.hpp"

#include <array>
#include <cstddef>

namespace corral::mppic {

/// `smooth` of docs/models/coupling.md: along each face's normal, the mean of a face's value with what lies half a cell
/// beside it, in packed cells. Packed parcels alternate from face to face in a way that cells cannot see, and drag, which rises
/// steeply with the solids fraction, would be spoilt by it; (1/4, 1/2, 1/4) removes just that. It keeps constants and
/// is self-adjoint in the faces' volumes, so that gas and parcels may both use it and momentum stays exact.
class RippleFilter {
public:
  RippleFilter(const fluid::Domain& domain, double theta_cp, fluid::Scratch& scratch);

  /// Sets each cell's weights: 0 to 1 between .55 and .75 of close packing, of the least theta of it and its two
  /// neighbours along the axis, so that surfaces stay sharp. Where ranks share planes, this and `apply` find what belongs to
  /// their own; theta is known in all.
  template <Execution E> void set_weights(E, const fluid::Planes& planes, const Array<double>& theta);
  void give_back_weights() { scratch_.give_back(weights_); }
  /// y = smooth(x) for face values along axis d, of several fields in one pass. y may not be x.
  template <Execution E, std::size_t n>
  void apply(E, int d, const std::array<const double*, n>& x, const std::array<double*, n>& y) const;
  template <Execution E> void apply(E execution, int d, const double* x, double* y) const {
    apply(execution, d, std::array{x}, std::array{y});
  }

private:
  Grid grid_;
  double theta_cp_;
  fluid::Scratch& scratch_;
  // From `set_weights` until weights are given back:
  fluid::Planes planes_;
  std::array<Array<double>, 3> weights_;
};

} // namespace corral::mppic

#pragma once

#include <corral/kernels/bspline.hpp>
#include <corral/kernels/kernel.hpp>
#include <corral/kernels/linear.hpp>

namespace corral::kernels {

/// A kernel per axis: `along` where the field's points lie on faces (a velocity component along its own axis), `across`
/// on the other axes. For composite B-splines along'(r) = across(r + 1/2) - across(r - 1/2), so that a velocity whose
/// discrete divergence on a MAC grid vanishes is interpolated to one that is divergence-free at every point.
template <class Along, class Across> struct Composite {
  Along along;
  Across across;

  static constexpr auto label = numbered("composite", 10 * Along::support + Across::support);
  static constexpr std::string_view name{label.data()};
};

template <class C>
concept CompositeKernel = Kernel<decltype(C::along)> && Kernel<decltype(C::across)> && requires {
  { C::name } -> std::convertible_to<std::string_view>;
};

using Composite32 = Composite<BSpline<3>, Linear>;
using Composite43 = Composite<BSpline<4>, BSpline<3>>;
using Composite54 = Composite<BSpline<5>, BSpline<4>>;
using Composite65 = Composite<BSpline<6>, BSpline<5>>;
static_assert(CompositeKernel<Composite32>);

} // namespace corral::kernels

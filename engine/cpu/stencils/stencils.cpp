#include "engine/cpu/stencils/wide_call.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/stencils/stencils.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/stencils/stencils-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

void spread_stencils_float(const WideSpread<float>& call, const GroupBox& box) {
  spread_stencils_in(call, box);
}
void spread_stencils_double(const WideSpread<double>& call, const GroupBox& box) {
  spread_stencils_in(call, box);
}
void interpolate_stencils_float(const WideInterpolate<float>& call, const GroupBox& box) {
  interpolate_stencils_in(call, box);
}
void interpolate_stencils_double(const WideInterpolate<double>& call, const GroupBox& box) {
  interpolate_stencils_in(call, box);
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::cpu {
namespace {

HWY_EXPORT(spread_stencils_float);
HWY_EXPORT(spread_stencils_double);
HWY_EXPORT(interpolate_stencils_float);
HWY_EXPORT(interpolate_stencils_double);

void spread_box(const WideSpread<float>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(spread_stencils_float)(call, box);
}
void spread_box(const WideSpread<double>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(spread_stencils_double)(call, box);
}
void interpolate_box(const WideInterpolate<float>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(interpolate_stencils_float)(call, box);
}
void interpolate_box(const WideInterpolate<double>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(interpolate_stencils_double)(call, box);
}

} // namespace

template <class T> void spread_stencils(const SpreadCall<T>& call) {
  const WideSpread<T> wide(call);
  Slabs::of<T>(call.order, wide.reach()).for_each_apart(call.cpu, [&](const GroupBox& box) { spread_box(wide, box); });
}
template <class T> void interpolate_stencils(const InterpolateCall<T>& call) {
  const WideInterpolate<T> wide(call);
  Slabs::of<T>(call.order, 1).for_each_slab(call.cpu, [&](const GroupBox& box) { interpolate_box(wide, box); });
}

template void spread_stencils(const SpreadCall<float>&);
template void spread_stencils(const SpreadCall<double>&);
template void interpolate_stencils(const InterpolateCall<float>&);
template void interpolate_stencils(const InterpolateCall<double>&);

} // namespace corral::cpu
#endif

#include "engine/cpu/stencils/brick.hpp"
#include "engine/cpu/stencils/wide_call.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/stencils/tiles.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/stencils/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

void spread_tiles_float(const WideSpread<float>& call, const GroupBox& box) {
  spread_tiles_in(call, box);
}
void spread_tiles_double(const WideSpread<double>& call, const GroupBox& box) {
  spread_tiles_in(call, box);
}
void interpolate_tiles_float(const WideInterpolate<float>& call, const GroupBox& box) {
  interpolate_tiles_in(call, box);
}
void interpolate_tiles_double(const WideInterpolate<double>& call, const GroupBox& box) {
  interpolate_tiles_in(call, box);
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::cpu {
namespace {

HWY_EXPORT(spread_tiles_float);
HWY_EXPORT(spread_tiles_double);
HWY_EXPORT(interpolate_tiles_float);
HWY_EXPORT(interpolate_tiles_double);

void spread_box(const WideSpread<float>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(spread_tiles_float)(call, box);
}
void spread_box(const WideSpread<double>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(spread_tiles_double)(call, box);
}
void interpolate_box(const WideInterpolate<float>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(interpolate_tiles_float)(call, box);
}
void interpolate_box(const WideInterpolate<double>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(interpolate_tiles_double)(call, box);
}

} // namespace

template <class T> void spread_tiles(const SpreadCall<T>& call) {
  const WideSpread<T> wide(call);
  const std::int64_t least = std::max(wide.reach(), least_brick_width);
  Slabs::of<T>(call.order, least).for_each_apart(call.cpu, [&](const GroupBox& box) { spread_box(wide, box); });
}
template <class T> void interpolate_tiles(const InterpolateCall<T>& call) {
  const WideInterpolate<T> wide(call);
  const Slabs slabs = Slabs::of<T>(call.order, least_brick_width);
  slabs.for_each_slab(call.cpu, [&](const GroupBox& box) { interpolate_box(wide, box); });
}

template void spread_tiles(const SpreadCall<float>&);
template void spread_tiles(const SpreadCall<double>&);
template void interpolate_tiles(const InterpolateCall<float>&);
template void interpolate_tiles(const InterpolateCall<double>&);

} // namespace corral::cpu
#endif

#include <corral/kernel_weights.hpp>

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/stencils/kernel_evaluators.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/stencils/kernel_evaluators-inl.hpp"

#if HWY_ONCE
namespace corral::cpu {
namespace {
HWY_EXPORT(evaluator_float);
HWY_EXPORT(evaluator_double);
} // namespace
} // namespace corral::cpu

namespace corral::detail {

template <> EvaluateKernel<float> shipped_evaluator(int index) {
  using namespace cpu;
  return HWY_DYNAMIC_DISPATCH(evaluator_float)(static_cast<std::size_t>(index));
}
template <> EvaluateKernel<double> shipped_evaluator(int index) {
  using namespace cpu;
  return HWY_DYNAMIC_DISPATCH(evaluator_double)(static_cast<std::size_t>(index));
}

} // namespace corral::detail
#endif

#include "engine/cpu/order/cell_keys.hpp"

// Compiled once per instruction set and chosen at run time. No multiply-add is fused: keys are the
// same on all of them, and those of shared::CellKey.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/order/cell_keys.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/order/cell_keys-inl.hpp"

#if HWY_ONCE
namespace corral::cpu {

HWY_EXPORT(keys_float);
HWY_EXPORT(keys_double);
HWY_EXPORT(fractions_float);
HWY_EXPORT(fractions_double);

template <>
void cell_keys(const shared::CellKey<float>& key, const std::array<const float*, 3>& x, std::int64_t n,
               std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(keys_float)(key, x, n, out);
}
template <>
void cell_keys(const shared::CellKey<double>& key, const std::array<const double*, 3>& x, std::int64_t n,
               std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(keys_double)(key, x, n, out);
}
template <> void cell_fractions(const shared::AxisKey<float>& key, const float* x, std::int64_t n, float* u) {
  HWY_DYNAMIC_DISPATCH(fractions_float)(key, x, n, u);
}
template <> void cell_fractions(const shared::AxisKey<double>& key, const double* x, std::int64_t n, double* u) {
  HWY_DYNAMIC_DISPATCH(fractions_double)(key, x, n, u);
}

} // namespace corral::cpu
#endif

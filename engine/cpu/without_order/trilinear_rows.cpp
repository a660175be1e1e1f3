#include "engine/cpu/without_order/trilinear_rows.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/without_order/trilinear_rows.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/without_order/trilinear_rows-inl.hpp"

#if HWY_ONCE
namespace corral::cpu {

HWY_EXPORT(read_float);
HWY_EXPORT(read_double);
HWY_EXPORT(add_float);
HWY_EXPORT(add_double);

template <>
void read_rows(const PointRows<float>& rows, TrilinearBatch<float>& batch, const ChosenParticles& chosen) {
  HWY_DYNAMIC_DISPATCH(read_float)(rows, batch, chosen);
}
template <>
void read_rows(const PointRows<double>& rows, TrilinearBatch<double>& batch, const ChosenParticles& chosen) {
  HWY_DYNAMIC_DISPATCH(read_double)(rows, batch, chosen);
}
template <>
void add_rows(const PointRows<float>& rows, const TrilinearBatch<float>& batch, const ChosenParticles& chosen,
              const PointRange& range) {
  HWY_DYNAMIC_DISPATCH(add_float)(rows, batch, chosen, range);
}
template <>
void add_rows(const PointRows<double>& rows, const TrilinearBatch<double>& batch, const ChosenParticles& chosen,
              const PointRange& range) {
  HWY_DYNAMIC_DISPATCH(add_double)(rows, batch, chosen, range);
}

} // namespace corral::cpu
#endif

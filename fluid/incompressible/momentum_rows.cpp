#include "fluid/incompressible/flow_rows.hpp"

// Compiled once per instruction set and chosen at run time. No multiply-add is fused: the same bits on all of them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/incompressible/momentum_rows.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/incompressible/momentum_rows-inl.hpp"

#if HWY_ONCE
namespace corral::fluid {

HWY_EXPORT(rows_of_x);
HWY_EXPORT(rows_of_other);

void momentum_row(const MomentumRow& row, const CarriersOfX& carriers, double* to) {
  HWY_DYNAMIC_DISPATCH(rows_of_x)(row, carriers, to);
}
void momentum_row(const MomentumRow& row, const CarriersOfOther& carriers, double* to) {
  HWY_DYNAMIC_DISPATCH(rows_of_other)(row, carriers, to);
}

void mirror_row(std::int64_t n, double wall, const double* inside, double* to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = 2 * wall - inside[i];
}

} // namespace corral::fluid
#endif

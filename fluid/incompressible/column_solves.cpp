#include "fluid/incompressible/column_solves.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/incompressible/column_solves.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/incompressible/periodic_columns-inl.hpp"
#include "fluid/incompressible/walled_columns-inl.hpp"
#include "fluid/incompressible/split_columns-inl.hpp"

#if HWY_ONCE
namespace corral::fluid {

HWY_EXPORT(periodic_column);
HWY_EXPORT(walled_column);
HWY_EXPORT(walled_column_by_parts);

void solve_periodic_column(const ColumnEquation& equation, const spectral::ColumnSymbols& symbols,
                           const spectral::DifferenceSymbols& planes, bool first, bool keep_mean,
                           const VelocityColumn& r, double* potential) {
  HWY_DYNAMIC_DISPATCH(periodic_column)(equation, symbols, planes, first, keep_mean, r, potential);
}

void solve_walled_column(const ColumnEquation& equation, const spectral::ColumnSymbols& symbols, bool first,
                         const VelocityColumn& r, double* potential, double* work) {
  HWY_DYNAMIC_DISPATCH(walled_column)(equation, symbols, first, r, potential, work);
}

void split_walled_column(const ColumnEquation& equation, const spectral::ColumnSymbols& symbols, bool first,
                         const VelocityColumn& r, const WalledSplit& split, double* work) {
  HWY_DYNAMIC_DISPATCH(walled_column_by_parts)(equation, symbols, first, r, split, work);
}

} // namespace corral::fluid
#endif

#include "fluid/incompressible/column_solves.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/incompressible/column_solves.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/incompressible/split_columns-inl.hpp"
#include "fluid/incompressible/walled_columns-inl.hpp"
#include "fluid/spectral/lanes/complex_eight-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

inline void periodic_column(const ColumnEquation& equation, const spectral::ColumnSymbols& symbols,
                            const spectral::DifferenceSymbols& planes, bool first, bool keep_mean,
                            const VelocityColumn& r, double* potential) {
  const ComplexEight gx{Eight::load(symbols.x_re), Eight::load(symbols.x_im)};
  const ComplexEight gy{Eight::load(symbols.row_re), Eight::load(symbols.row_im)};
  const Eight square = Eight::load(symbols.square), divisor = Eight::load(symbols.divisor);
  const Eight mass(equation.mass), diffusion(equation.diffusion), scale(equation.scale), one(1.0);
  const std::array<double, 3> mean{r.x[0], r.rows[0], r.planes[0]};
  for (std::int64_t p = 0; p < equation.planes; ++p) {
    const ComplexEight gz{Eight(planes.re(p)), Eight(planes.im(p))};
    const Eight k2 = p == 0 ? divisor : square + Eight(planes.square(p));
    const Eight helmholtz = multiply_add(diffusion, k2, mass), inverse = one / (k2 * helmholtz);
    const std::int64_t at = p * spectral::SpectrumShape::place_size;
    const ComplexEight u = ComplexEight::load(r.x + at), v = ComplexEight::load(r.rows + at),
                       w = ComplexEight::load(r.planes + at);
    // P = div R/Lap: both carry a minus sign
    const ComplexEight P =
        (times_conjugate(u, gx) + times_conjugate(v, gy) + times_conjugate(w, gz)) * (inverse * helmholtz);
    const Eight factor = inverse * k2 * scale;
    ((u - gx * P) * factor).store(r.x + at);
    ((v - gy * P) * factor).store(r.rows + at);
    ((w - gz * P) * factor).store(r.planes + at);
    if (potential != nullptr) (P * scale).store(potential + at);
  }
  if (!first) return;
  const double factor = keep_mean && equation.mass > 0 ? equation.scale / equation.mass : 0;
  r.x[0] = factor * mean[0];
  r.rows[0] = factor * mean[1];
  r.planes[0] = factor * mean[2];
}

} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

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

#include "fluid/spectral/helmholtz.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/spectral/helmholtz_columns.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/spectral/lanes/banded-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

/// Factors, one per mode.
inline void wrapping_column(const HelmholtzColumn& h, const ColumnSymbols& symbols, const DifferenceSymbols& planes,
                            double* column) {
  const Eight square = Eight::load(symbols.square), divisor = Eight::load(symbols.divisor);
  const double mean = h.mass > 0 ? h.scale / h.mass * column[0] : 0;
  for (std::int64_t p = 0; p < h.planes; ++p) {
    const Eight k2 = p == 0 ? divisor : square + Eight(planes.square(p));
    double* const at = column + SpectrumShape::place_size * p;
    (ComplexEight::load(at) * (Eight(h.scale) / multiply_add(Eight(h.diffusion), k2, Eight(h.mass)))).store(at);
  }
  if (h.first) column[0] = mean;
}

inline void column_between_walls(const HelmholtzColumn& h, const ColumnSymbols& symbols, double* column,
                                 double* pivots) {
  const Eight square = Eight::load(symbols.square), divisor = Eight::load(symbols.divisor);
  const Eight per_square(h.diffusion / (h.spacing * h.spacing)), mass(h.mass);
  const bool neumann = h.across_walls == AcrossWalls::neumann, on_faces = h.across_walls == AcrossWalls::dirichlet_on_faces;
  // Where nothing holds a constant, and in lines that stand for no mode, the first value is pinned.
  const Eight pin = neumann && h.mass == 0 ? (divisor - square) * per_square : Eight(0.0);
  const Eight end = neumann ? -per_square : on_faces ? Eight(0.0) : per_square;
  const Tridiagonal matrix{.diagonal = multiply_add(Eight(h.diffusion), square, mass) + per_square + per_square,
                           .off = -per_square,
                           .first = end + pin,
                           .last = end};
  const std::int64_t n = on_faces ? h.planes - 1 : h.planes, place = SpectrumShape::place_size;
  double* const values = on_faces ? column + place : column;
  const bool singular = h.first && neumann && h.mass == 0;
  const auto take_mean_out = [&] {
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += values[place * j];
    for (std::int64_t j = 0; j < n; ++j) values[place * j] -= sum / static_cast<double>(n);
  };
  if (singular) take_mean_out();
  matrix.factorise(n, pivots);
  matrix.solve(n, pivots, std::array<double*, 1>{values});
  if (singular) take_mean_out();
  for (std::int64_t j = 0; j < n; ++j)
    (ComplexEight::load(values + place * j) * Eight(h.scale)).store(values + place * j);
}

inline void helmholtz_column(const HelmholtzColumn& h, const ColumnSymbols& symbols, const DifferenceSymbols& planes,
                             double* column, double* pivots) {
  h.across_walls == AcrossWalls::periodic ? wrapping_column(h, symbols, planes, column)
                                       : column_between_walls(h, symbols, column, pivots);
}

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::fluid::spectral {

HWY_EXPORT(helmholtz_column);

void solve_column(const HelmholtzColumn& h, const ColumnSymbols& symbols, const DifferenceSymbols& planes,
                  double* column, double* pivots) {
  HWY_DYNAMIC_DISPATCH(helmholtz_column)(h, symbols, planes, column, pivots);
}

} // namespace corral::fluid::spectral
#endif

// split_walled_column of one instruction set.
#if defined(CORRAL_SPLIT_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_SPLIT_COLUMNS_INL
#undef CORRAL_SPLIT_COLUMNS_INL
#else
#define CORRAL_SPLIT_COLUMNS_INL
#endif

#include "fluid/incompressible/walled_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

/// k^2 - d2 of what has no gradient on the walls. Where k = 0 it knows its solution up to a constant; a pin in the
/// first cell then makes that 0, and changes nothing else, for div w has no sum.
inline Tridiagonal poisson(const WalledColumn& c) {
  const Eight pin = (c.divisor - c.k2) * c.per_square;
  return {.diagonal = c.k2 + c.per_square + c.per_square,
          .off = -c.per_square,
          .first = pin - c.per_square,
          .last = -c.per_square};
}

/// w, in place of R. Beyond a wall a component along it is twice what it has on the wall less what it has inside.
inline void momentum_between_walls(const WalledColumn& c, const WalledSplit& split, double* pivots) {
  const Eight factor = Eight(2.0) * c.diffusion * c.per_square * Eight(split.last_factor);
  const auto drag_along = [&](std::int64_t j, const double* phi) HWY_ATTR {
    const ComplexEight wall = ComplexEight::load(phi) * factor;
    (c.x(j) + c.gx * wall).store(c.r.x + c.place * j);
    (c.rows(j) + c.gz * wall).store(c.r.rows + c.place * j);
  };
  drag_along(0, split.low);
  drag_along(c.n - 1, split.high);
  const Tridiagonal along = c.along_walls(), across = c.across_walls();
  along.factorise(c.n, pivots);
  along.solve(c.n, pivots, std::array<double*, 2>{c.r.x, c.r.rows});
  across.factorise(c.n - 1, pivots);
  across.solve(c.n - 1, pivots, std::array<double*, 1>{c.r.planes + c.place});
}

inline void walled_column_by_parts(const ColumnEquation& e, const spectral::ColumnSymbols& symbols, bool first,
                                   const VelocityColumn& r, const WalledSplit& split, double* work) {
  const WalledColumn c(e, symbols, r);
  double *const phi = work, *const divergence = phi + c.place * c.n, *const pivots = divergence + c.place * c.n;
  momentum_between_walls(c, split, pivots);
  for (std::int64_t j = 0; j < c.n; ++j) {
    const ComplexEight d = c.divergence_along(j) + c.divergence_across(j);
    d.store(divergence + c.place * j);
    (ComplexEight::zero() - d).store(phi + c.place * j);
  }
  const Tridiagonal matrix = poisson(c);
  matrix.factorise(c.n, pivots);
  matrix.solve(c.n, pivots, std::array<double*, 1>{phi});
  if (first) take_mean_out(c.n, phi);
  const Eight scale(e.scale), phi_factor(split.phi_factor * e.scale),
      divergence_factor(split.divergence_factor * e.scale);
  ComplexEight before = ComplexEight::zero();
  for (std::int64_t j = 0; j < c.n; ++j) {
    const std::int64_t at = c.place * j;
    const ComplexEight here = ComplexEight::load(phi + at);
    ((c.x(j) - c.gx * here) * scale).store(r.x + at);
    ((c.rows(j) - c.gz * here) * scale).store(r.rows + at);
    if (j > 0) ((c.across(j) - (here - before) * c.per_spacing) * scale).store(r.planes + at);
    if (split.phi != nullptr) (here * phi_factor).store(split.phi + at);
    if (split.pressure != nullptr)
      (here * phi_factor + ComplexEight::load(divergence + at) * divergence_factor).store(split.pressure + at);
    before = here;
  }
  ComplexEight::load(phi).store(split.low);
  ComplexEight::load(phi + c.place * (c.n - 1)).store(split.high);
}

} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

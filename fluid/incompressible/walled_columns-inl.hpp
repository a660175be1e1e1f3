// solve_walled_column and split_walled_column of one instruction set.
#if defined(CORRAL_WALLED_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_WALLED_COLUMNS_INL
#undef CORRAL_WALLED_COLUMNS_INL
#else
#define CORRAL_WALLED_COLUMNS_INL
#endif

#include "fluid/incompressible/column_solves.hpp"
#include "fluid/spectral/lanes/banded-inl.hpp"

#include <algorithm>
#include <array>
#include <optional>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

/// A column between walls: symbols in registers, and places by number.
struct WalledColumn {
  static constexpr std::int64_t place = spectral::SpectrumShape::place_size;

  std::int64_t n;
  ComplexEight gx, gz; ///< along x and along rows
  Eight k2, divisor, per_spacing, per_square, mass, diffusion;
  VelocityColumn r;

  WalledColumn(const ColumnEquation& e, const spectral::ColumnSymbols& s, const VelocityColumn& velocity)
      : n(e.planes), gx{Eight::load(s.x_re), Eight::load(s.x_im)}, gz{Eight::load(s.row_re), Eight::load(s.row_im)},
        k2(Eight::load(s.square)), divisor(Eight::load(s.divisor)), per_spacing(1 / e.spacing),
        per_square(1 / (e.spacing * e.spacing)), mass(e.mass), diffusion(e.diffusion), r(velocity) {}

  HWY_INLINE ComplexEight x(std::int64_t j) const { return ComplexEight::load(r.x + place * j); }
  HWY_INLINE ComplexEight rows(std::int64_t j) const { return ComplexEight::load(r.rows + place * j); }
  /// On the walls nothing goes through.
  HWY_INLINE ComplexEight across(std::int64_t j) const {
    return j == 0 || j == n ? ComplexEight::zero() : ComplexEight::load(r.planes + place * j);
  }
  /// D_x u + D_rows w, of what stands there
  HWY_INLINE ComplexEight divergence_along(std::int64_t j) const {
    const ComplexEight minus = times_conjugate(x(j), gx) + times_conjugate(rows(j), gz);
    return ComplexEight::zero() - minus;
  }
  HWY_INLINE ComplexEight divergence_across(std::int64_t j) const { return (across(j + 1) - across(j)) * per_spacing; }

  /// mass - diffusion Lap of a component along the walls, which stands between them: beyond a wall at rest its values
  /// are its own turned round.
  Tridiagonal along_walls() const {
    const Eight off = diffusion * per_square;
    return {.diagonal = multiply_add(diffusion, k2, mass) + off + off, .off = -off, .first = off, .last = off};
  }
  /// Of the component across, which is 0 on the walls.
  Tridiagonal across_walls() const {
    const Eight off = diffusion * per_square;
    return {.diagonal = multiply_add(diffusion, k2, mass) + off + off,
            .off = -off,
            .first = Eight(0.0),
            .last = Eight(0.0)};
  }
  /// k^2 A_v - G A_t D
  Pentadiagonal eliminated() const {
    const Eight c = multiply_add(diffusion, k2, mass), second = multiply_add(k2, diffusion, c) * per_square;
    const Eight fourth = diffusion * per_square * per_square;
    return {.diagonal = multiply_add(k2, c, second + second) + fourth * Eight(6.0),
            .off = -(second + fourth * Eight(4.0)),
            .far = fourth,
            .ends = fourth};
  }
};

/// The mean along the walls, which is lane 0 of column 0: no wave along which P would act, and div u = 0 leaves nothing
/// across. Both components along the walls are the tridiagonal solution, and P balances R across.
class WalledMeans {
public:
  /// Of R; takes 48 n doubles.
  WalledMeans(const WalledColumn& c, double* work)
      : n_(c.n), x_(work), rows_(work + place * n_), pivots_(rows_ + place * n_), potential_(pivots_ + 8 * n_) {
    std::copy_n(c.r.x, place * n_, x_);
    std::copy_n(c.r.rows, place * n_, rows_);
    const Tridiagonal matrix = c.along_walls();
    matrix.factorise(n_, pivots_);
    matrix.solve(n_, pivots_, std::array<double*, 2>{x_, rows_});
    potential_[0] = 0;
    for (std::int64_t j = 1; j < n_; ++j)
      potential_[j] = potential_[j - 1] + c.r.planes[place * j] / c.per_spacing.first();
  }
  void put(const VelocityColumn& to, double* potential, double scale) const {
    for (std::int64_t i = 0; i < place * n_; i += 8) {
      to.x[i] = scale * x_[i];
      to.rows[i] = scale * rows_[i];
      to.planes[i] = 0;
    }
    for (std::int64_t j = 0; j < n_ && potential != nullptr; ++j) {
      potential[place * j] = scale * potential_[j];
      potential[place * j + 8] = 0;
    }
  }

private:
  static constexpr std::int64_t place = WalledColumn::place;
  std::int64_t n_;
  double *x_, *rows_, *pivots_, *potential_;
};

/// Takes the mean over planes out of lane 0, as P is known up to a constant.
inline void take_mean_out(std::int64_t n, double* potential) {
  constexpr std::int64_t place = WalledColumn::place;
  double sum = 0;
  for (std::int64_t j = 0; j < n; ++j) sum += potential[place * j];
  for (std::int64_t j = 0; j < n; ++j) potential[place * j] -= sum / static_cast<double>(n);
}

/// R of the eliminated equation across, in place, and of the component that is along neither walls nor wave; the
/// divergence of R along the walls to `divergence` where that is not null.
inline void eliminate(const WalledColumn& c, double* beside, double* divergence) {
  ComplexEight before = ComplexEight::zero();
  for (std::int64_t j = 0; j < c.n; ++j) {
    const ComplexEight along = c.divergence_along(j);
    (c.gx * c.rows(j) - c.gz * c.x(j)).store(beside + c.place * j);
    if (divergence != nullptr) along.store(divergence + c.place * j);
    if (j > 0) (c.across(j) * c.k2 + (along - before) * c.per_spacing).store(c.r.planes + c.place * j);
    before = along;
  }
}

/// (A_t q - divergence)/k^2 with q = -D v, in place of the divergence.
inline void potential_of(const WalledColumn& c, double* potential) {
  const Tridiagonal matrix = c.along_walls();
  const auto q = [&](std::int64_t j) HWY_ATTR {
    return j < 0 || j == c.n ? ComplexEight::zero() : ComplexEight::zero() - c.divergence_across(j);
  };
  for (std::int64_t j = 0; j < c.n; ++j) {
    const ComplexEight sum = q(j) * matrix.on_diagonal(j, c.n) + (q(j - 1) + q(j + 1)) * matrix.off;
    ((sum - ComplexEight::load(potential + c.place * j)) * (Eight(1.0) / c.divisor)).store(potential + c.place * j);
  }
}

inline void scale_places(std::int64_t n, double factor, double* column) {
  for (std::int64_t j = 0; j < n; ++j) {
    double* const at = column + WalledColumn::place * j;
    (ComplexEight::load(at) * Eight(factor)).store(at);
  }
}

inline void walled_column(const ColumnEquation& e, const spectral::ColumnSymbols& symbols, bool first,
                          const VelocityColumn& r, double* potential, double* work) {
  const WalledColumn c(e, symbols, r);
  double *const beside = work, *const pivots = beside + c.place * c.n;
  std::optional<WalledMeans> means;
  if (first) means.emplace(c, pivots + c.place * c.n);
  eliminate(c, beside, potential);
  const Tridiagonal along = c.along_walls();
  along.factorise(c.n, pivots);
  along.solve(c.n, pivots, std::array<double*, 1>{beside});
  const Pentadiagonal across = c.eliminated();
  across.factorise(c.n - 1, pivots);
  across.solve(c.n - 1, pivots, r.planes + c.place);
  if (potential != nullptr) potential_of(c, potential);
  const Eight factor = Eight(e.scale) / c.divisor;
  for (std::int64_t j = 0; j < c.n; ++j) {
    const ComplexEight minus_q = c.divergence_across(j), y = ComplexEight::load(beside + c.place * j);
    ((c.gx * minus_q - times_conjugate(y, c.gz)) * factor).store(r.x + c.place * j);
    ((c.gz * minus_q + times_conjugate(y, c.gx)) * factor).store(r.rows + c.place * j);
  }
  scale_places(c.n, e.scale, r.planes);
  if (potential != nullptr) scale_places(c.n, e.scale, potential);
  if (!first) return;
  means->put(r, potential, e.scale);
  if (potential != nullptr) take_mean_out(c.n, potential);
}

} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

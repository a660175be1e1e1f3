#pragma once

#include "fluid/incompressible/column_solves.hpp"
#include "fluid/spectral/device/box_transform.hpp"

#include <corral/host_device.hpp>

#include <array>
#include <cstdint>

namespace corral::fluid::spectral_flow {

using spectral::Mode;

CORRAL_HOST_DEVICE inline Mode operator+(const Mode& a, const Mode& b) { return {a.re + b.re, a.im + b.im}; }
CORRAL_HOST_DEVICE inline Mode operator-(const Mode& a, const Mode& b) { return {a.re - b.re, a.im - b.im}; }
CORRAL_HOST_DEVICE inline Mode operator*(const Mode& a, double b) { return {a.re * b, a.im * b}; }
CORRAL_HOST_DEVICE inline Mode operator*(const Mode& a, const Mode& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
CORRAL_HOST_DEVICE inline Mode times_conjugate(const Mode& a, const Mode& b) {
  return {a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im};
}

/// Symbols of differences along an axis in memory of a device (DifferenceSymbols), by mode.
struct AxisSymbols {
  const Mode* gradient;  ///< G [1/m]
  const double* square;  ///< |G|^2 [1/m2]
};

/// (mass - diffusion Lap) u + grad P = R with div u = 0 in a box that wraps: a thread a mode, where everything is a factor, as in
/// solve_periodic_column.
struct PeriodicModes {
  ColumnEquation equation;
  bool keep_mean;
  std::array<AxisSymbols, 3> symbols;
  std::int64_t modes, ny; ///< along x; rows of a plane
  std::array<Mode*, 3> u; ///< by axis: R, then the solution
  Mode* potential;        ///< null: not asked for

  CORRAL_HOST_DEVICE void operator()(std::int64_t index) const {
    const auto n = static_cast<std::uint32_t>(index), of_row = static_cast<std::uint32_t>(modes), rows = static_cast<std::uint32_t>(ny);
    const std::uint32_t row = n / of_row, x = n - row * of_row, y = row % rows, z = row / rows;
    if (index == 0) return means();
    const std::array<Mode, 3> g{symbols[0].gradient[x], symbols[1].gradient[y], symbols[2].gradient[z]};
    const double k2 = symbols[0].square[x] + symbols[1].square[y] + symbols[2].square[z];
    const std::array<Mode, 3> r{u[0][index], u[1][index], u[2][index]};
    // P = div R/Lap: both carry a minus sign
    const Mode P = (times_conjugate(r[0], g[0]) + times_conjugate(r[1], g[1]) + times_conjugate(r[2], g[2])) * (1 / k2);
    const double factor = equation.scale / (equation.mass + equation.diffusion * k2);
    for (std::size_t d = 0; d < 3; ++d) u[d][index] = (r[d] - g[d] * P) * factor;
    if (potential) potential[index] = P * equation.scale;
  }

private:
  CORRAL_HOST_DEVICE void means() const {
    const double factor = keep_mean && equation.mass > 0 ? equation.scale / equation.mass : 0;
    for (std::size_t d = 0; d < 3; ++d) u[d][0] = {factor * u[d][0].re, 0};
    if (potential) potential[0] = {0, 0};
  }
};

/// The same between walls in y, as in solve_walled_column: a thread a mode of x and z, which goes up through the layers with both
/// eliminations at once, and down with their solutions. Neighbours along x read and write neighbours. What u and w have along the
/// wave gives way to the component beside it, in the place of u, and to pivots, in that of w. A layer is read before the one that
/// goes before it is written, so that its way from memory passes behind that one's divisions.
struct WalledModes {
  ColumnEquation equation;
  AxisSymbols x, z;
  std::int64_t modes, nz; ///< along x; along z
  std::array<Mode*, 3> u; ///< by axis: R, then the solution; what stands in layer 0 of y is of the wall
  Mode* potential;        ///< null: not asked for
  double* pivots;         ///< modes ny nz numbers

  /// Indices: those of modes, but for the first, which is the box's mean, and has a warp of its own behind the others.
  CORRAL_HOST_DEVICE std::int64_t indices() const { return (modes * nz + 31) / 32 * 32 + 1; }
  CORRAL_HOST_DEVICE void operator()(std::int64_t index) const {
    if (index == indices() - 1) return Column(*this, 0).means();
    if (index > 0 && index < modes * nz) Column(*this, index).solve();
  }

private:
  class Column {
  public:
    CORRAL_HOST_DEVICE Column(const WalledModes& all, std::int64_t mode)
        : u_(all.u[0]), v_(all.u[1]), w_(all.u[2]), potential_(all.potential), pivots_(all.pivots), n_(all.equation.planes),
          step_(all.modes) {
      const ColumnEquation& e = all.equation;
      const auto m = static_cast<std::uint32_t>(mode), row = static_cast<std::uint32_t>(all.modes);
      const std::int64_t mz = m / row, mx = m % row, first = mx + all.modes * n_ * mz;
      u_ += first, v_ += first, w_ += first, pivots_ += first;
      if (potential_) potential_ += first;
      gx_ = all.x.gradient[mx], gz_ = all.z.gradient[mz];
      k2_ = all.x.square[mx] + all.z.square[mz];
      per_ = 1 / e.spacing, scale_ = e.scale;
      const double square = per_ * per_, c = e.mass + e.diffusion * k2_, second = (k2_ * e.diffusion + c) * square;
      beside_ = e.diffusion * square;
      far_ = beside_ * square;
      off_ = -(second + 4 * far_);
      middle_ = k2_ * c + 2 * second + 6 * far_;
      along_ = c + 2 * beside_;
    }

    CORRAL_HOST_DEVICE void solve() {
      eliminate();
      const double factor = scale_ / k2_;
      double factor_above = 0; // beyond the upper wall all is 0
      Mode v_above{0, 0}, v_two_above{0, 0}, y_above{0, 0}, q_above{0, 0}, q_two_above{0, 0};
      Eliminated next = eliminated(n_ - 1);
      for (std::int64_t j = n_ - 1; j >= 0; --j) {
        const std::int64_t at = j * step_;
        const Eliminated now = next;
        if (j > 0) next = eliminated(j - 1);
        Mode v{0, 0};
        if (j > 0) v = (now.v - v_two_above * far_) * now.pivot.re - v_above * factor_above;
        const Mode y = (now.y + y_above * beside_) * now.of_y;
        const Mode slope = (v_above - v) * per_, q = slope * -1;
        u_[at] = (gx_ * slope - times_conjugate(y, gz_)) * factor;
        w_[at] = (gz_ * slope + times_conjugate(y, gx_)) * factor;
        v_[at] = v * scale_;
        if (potential_ && j < n_ - 1) put_potential(j + 1, q, q_above, q_two_above);
        v_two_above = v_above, v_above = v, factor_above = now.pivot.im, y_above = y;
        q_two_above = q_above, q_above = q;
      }
      if (potential_) put_potential(0, {0, 0}, q_above, q_two_above);
    }

    /// No wave along which P would act, and div u = 0 leaves nothing across: components along the walls are the tridiagonal
    /// solution, and P, with the mean 0, balances R across.
    CORRAL_HOST_DEVICE void means() {
      double before = 0, below = 0, total = 0; // 1/d of the layer below; P, of which the mean goes
      Mode last{0, 0}; // of u and of w
      for (std::int64_t j = 0; j < n_; ++j) {
        const std::int64_t at = j * step_;
        const double factor = -beside_ * before;
        before = 1 / (diagonal(j) + beside_ * factor);
        last = {u_[at].re - factor * last.re, w_[at].re - factor * last.im};
        pivots_[at] = before;
        u_[at] = {last.re, 0}, w_[at] = {last.im, 0};
        if (j > 0) below += v_[at].re / per_;
        total += below;
        v_[at] = {0, 0};
        if (potential_) potential_[at] = {below, 0};
      }
      last = {0, 0};
      for (std::int64_t j = n_ - 1; j >= 0; --j) {
        const std::int64_t at = j * step_;
        last = {(u_[at].re + beside_ * last.re) * pivots_[at], (w_[at].re + beside_ * last.im) * pivots_[at]};
        u_[at] = {scale_ * last.re, 0}, w_[at] = {scale_ * last.im, 0};
        if (potential_) potential_[at] = {scale_ * (potential_[at].re - total / static_cast<double>(n_)), 0};
      }
    }

  private:
    /// Of mass - diffusion Lap of a component along walls, whose values beyond one are its own turned round.
    CORRAL_HOST_DEVICE double diagonal(std::int64_t j) const {
      return along_ + (j == 0 ? beside_ : 0) + (j == n_ - 1 ? beside_ : 0);
    }

    /// What an elimination leaves of a layer.
    struct Eliminated {
      Mode y, v, pivot; ///< pivot: of the five-diagonal matrix 1/d, and the factor of the row below
      double of_y;      ///< 1/d of the other one
    };
    CORRAL_HOST_DEVICE Eliminated eliminated(std::int64_t j) const {
      const std::int64_t at = j * step_;
      return {u_[at], v_[at], w_[at], pivots_[at]};
    }

    /// Upward: the component beside the wave in the place of u and its pivots, that across, from the first layer on, with 1/d and
    /// the factor of the row below in the place of w, and the divergence of R along the walls in that of the potential.
    CORRAL_HOST_DEVICE void eliminate() {
      double tri = 0, inverse = 0, before = 0, factor = 0; // 1/d of the row below, of the two below, and what was eliminated with
      Mode y{0, 0}, below{0, 0}, two_below{0, 0}, along_below{0, 0};
      Mode next_u = u_[0], next_v = v_[0], next_w = w_[0];
      for (std::int64_t j = 0; j < n_; ++j) {
        const std::int64_t at = j * step_;
        const Mode u = next_u, v = next_v, w = next_w;
        if (j < n_ - 1) next_u = u_[at + step_], next_v = v_[at + step_], next_w = w_[at + step_];
        const Mode along = (times_conjugate(u, gx_) + times_conjugate(w, gz_)) * -1;
        if (potential_) potential_[at] = along;
        const double of_below = -beside_ * tri;
        tri = 1 / (diagonal(j) + beside_ * of_below);
        y = (gx_ * w - gz_ * u) - y * of_below;
        u_[at] = y, pivots_[at] = tri;
        if (j > 0) {
          const Mode r = v * k2_ + (along - along_below) * per_;
          const double b = j == 1 ? 0 : off_ - far_ * factor, far_factor = far_ * before;
          factor = b * inverse;
          const double d = middle_ + (j == 1 ? far_ : 0) + (j == n_ - 1 ? far_ : 0) - factor * b - far_ * far_factor;
          const Mode here = r - two_below * far_factor - below * factor;
          before = inverse, inverse = 1 / d;
          two_below = below, below = here;
          v_[at] = here, w_[at] = {inverse, factor};
        }
        along_below = along;
      }
    }

    /// (A_t q - divergence)/k^2 of layer j, q = -D v.
    CORRAL_HOST_DEVICE void put_potential(std::int64_t j, const Mode& q_below, const Mode& q, const Mode& q_above) {
      const std::int64_t at = j * step_;
      const Mode sum = q * diagonal(j) - (q_below + q_above) * beside_;
      potential_[at] = (sum - potential_[at]) * (scale_ / k2_);
    }

    Mode *u_, *v_, *w_, *potential_;
    double* pivots_;
    std::int64_t n_, step_;
    Mode gx_, gz_;
    double k2_, per_, scale_;
    double beside_;               ///< diffusion/h^2, less which stands beside the diagonal of a component along walls
    double along_;                ///< its diagonal
    double middle_, off_, far_;   ///< of the five-diagonal matrix; `far` is also what both its ends have more
  };
};

} // namespace corral::fluid::spectral_flow

#pragma once

#include "fluid/spectral/mode_map.hpp"
#include "stokes/sums/kind.hpp"

#include <corral/array.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace corral::stokes {

/// A box that wraps along all axes, and its grid.
struct SpectralBox {
  std::array<double, 3> edge;        ///< [m]
  std::array<std::int64_t, 3> modes; ///< points of the grid along each axis

  double volume() const { return edge[0] * edge[1] * edge[2]; }
};

/// What the far field makes of a mode of the sources: the tensor of the sum, screened by exp(-k^2/(4 xi^2)) (Hasimoto's
/// way for flows), over the square of the window's transform and the volume. The mean is set to 0, or, of a potential,
/// to what the near field's mean is without sign; modes of half the points of an axis, which have no sign, to 0.
class FarTensors final : public fluid::spectral::ModeFunction {
public:
  /// `window_transform(d, k)`: of the window along axis d at k [1/m], in spacings.
  template <class F> FarTensors(Sum sum, bool all, const SpectralBox& box, double xi, const F& window_transform)
      : sum_(sum), all_(all), inverse_4_xi2_(1 / (4 * xi * xi)) {
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t n = box.modes[d];
      set_wave_numbers(d, n, box.edge[d]);
      for (std::int64_t m = 0; m <= n / 2; ++m) {
        const double w = window_transform(static_cast<int>(d), k_[d][m]);
        factor_[d][m] = 2 * m == n ? 0 : std::exp(-k_[d][m] * k_[d][m] * inverse_4_xi2_) / (w * w);
      }
    }
    for (double& f : factor_[2]) f /= box.volume();
  }

  void apply(const fluid::spectral::ColumnOfModes&, std::span<double* const> fields) const override;

  /// One column's lines, and what planes have, for code of one instruction set.
  struct Column {
    alignas(64) std::array<double, 8> x, row, factor; ///< k [1/m]
    const double *k, *plane_factor;                   ///< by number of mode without sign
    std::int64_t planes;
    double inverse_4_xi2;
  };

private:
  void set_wave_numbers(std::size_t axis, std::int64_t n, double edge);

  Sum sum_;
  bool all_;
  double inverse_4_xi2_;
  std::int64_t planes_ = 0;
  std::array<Array<double>, 3> k_, factor_; ///< [1/m]; of modes 0 to n/2
};

} // namespace corral::stokes

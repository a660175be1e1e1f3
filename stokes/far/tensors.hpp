#pragma once

#include "fluid/spectral/mode_map.hpp"
#include "stokes/far/box.hpp"
#include "stokes/sums/kind.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace corral::stokes {

/// What the far field makes of a mode of the sources: the tensor of the sum, screened by exp(-k^2/(4 xi^2)) (Hasimoto's
/// way for flows), over the square of the window's transform and the volume. Modes of half the points of an axis, which
/// have no sign, are set to 0. So is the mean of a periodic flow, and a potential's to what the near field's is without
/// its sign. Where axes are free, kernels are cut off along them (cut_kernels.hpp).
class FarTensors final : public fluid::spectral::ModeFunction {
public:
  /// The transform of the window along axis d at k [1/m], in spacings.
  using WindowTransform = std::function<double(std::size_t d, double k)>;

  /// `radius`: of the spheres that forces act on, and whose velocities are asked for [m]; 0 of points.
  /// `root`: the positive root of a stokeslet's tensor, of spheres.
  enum class Power : std::uint8_t { whole, root };
  FarTensors(Sum sum, bool all, const SpectralBox& box, double xi, double radius, Power power,
             const WindowTransform& window_transform);

  void apply(const fluid::spectral::ColumnOfModes&, std::span<double* const> fields) const override;
  std::int64_t bytes() const { return laplace_.bytes() + flow_.bytes(); }

  /// One column's lines, and what planes have, for code of one instruction set.
  struct Column {
    alignas(64) std::array<double, 8> x, row, factor; ///< k [1/m]
    const double *k, *plane_factor;                   ///< by number of mode without sign
    std::int64_t planes;
    double inverse_4_xi2;
    /// Where they are tabulated, Mode's numbers of all modes without sign: where each line's begin, and from plane to
    /// plane.
    const double *laplace, *flow;
    std::array<std::int64_t, 8> begin;
    std::int64_t stride;
  };

private:
  void tabulate(const SpectralBox& box, double radius, Power power);

  Sum sum_;
  bool all_;
  double inverse_4_xi2_;
  std::int64_t planes_;
  std::array<Array<double>, 3> k_;      ///< of modes 0 to n/2 [1/m]
  std::array<Array<double>, 3> factor_; ///< exp(-k^2/(4 xi^2)) over the window's square, the last over the volume, too
  Array<double> laplace_, flow_;        ///< where axes are free, or forces act on spheres
  std::array<double, 3> mean_;          ///< what the means of stokeslets or charges are multiplied by
};

} // namespace corral::stokes

#include "stokes/far/tensors.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stokes/far/tensors.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "stokes/far/mode-inl.hpp"

#include <numbers>

HWY_BEFORE_NAMESPACE();
namespace corral::stokes::HWY_NAMESPACE {

template <Sum sum, bool all> void apply_tensor(const FarTensors::Column& column, double* const* fields) {
  constexpr std::int64_t place = fluid::spectral::SpectrumShape::place_size;
  constexpr int in = far_columns(sum), out = columns(sum, all);
  const Eight kx = Eight::load(column.x.data()), ky = Eight::load(column.row.data());
  const Eight lines = Eight::load(column.factor.data()), of_lines = kx * kx + ky * ky, one(1.0);
  const Eight g_scale(column.inverse_4_xi2), four_pi(4 * std::numbers::pi);
  for (std::int64_t p = 0; p < column.planes; ++p) {
    const std::int64_t m = fluid::spectral::signed_mode(p, column.planes), unsigned_m = m < 0 ? -m : m;
    const double kz = m < 0 ? -column.k[unsigned_m] : column.k[unsigned_m];
    Mode<Eight> mode{{kx, ky, Eight(kz)}, of_lines + Eight(kz * kz), one, one};
    // In the mean, which is set to 0, this is not finite.
    const Eight inverse = one / mode.square;
    mode.laplace = four_pi * inverse * (lines * Eight(column.plane_factor[unsigned_m]));
    mode.hasimoto = Eight(2.0) * (one + mode.square * g_scale) * inverse;
    Eight re[in], im[in], of_re[out], of_im[out];
    for (int f = 0; f < in; ++f) {
      re[f] = Eight::load(fields[f] + place * p);
      im[f] = Eight::load(fields[f] + place * p + 8);
    }
    far_mode<sum, all>(mode, re, of_re);
    far_mode<sum, all>(mode, im, of_im);
    for (const Result result : each_result) {
      if (!all && result != Result::velocity) continue;
      for (int c = 0, f = first_column(sum, result); c < result_columns(sum, result); ++c, ++f) {
        double* const at = fields[f] + place * p;
        (turned(sum, result) ? Eight(0.0) - of_im[f] : of_re[f]).store(at);
        (turned(sum, result) ? of_re[f] : of_im[f]).store(at + 8);
      }
    }
  }
}

inline void apply(Sum sum, bool all, const FarTensors::Column& column, double* const* fields) {
  switch (sum) {
    case Sum::stokeslet:
      return (all ? apply_tensor<Sum::stokeslet, true> : apply_tensor<Sum::stokeslet, false>)(column, fields);
    case Sum::stresslet:
      return (all ? apply_tensor<Sum::stresslet, true> : apply_tensor<Sum::stresslet, false>)(column, fields);
    case Sum::rotlet: return (all ? apply_tensor<Sum::rotlet, true> : apply_tensor<Sum::rotlet, false>)(column, fields);
    case Sum::laplace:
      return (all ? apply_tensor<Sum::laplace, true> : apply_tensor<Sum::laplace, false>)(column, fields);
  }
}

} // namespace corral::stokes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::stokes {

HWY_EXPORT(apply);

void FarTensors::set_wave_numbers(std::size_t axis, std::int64_t n, double edge) {
  k_[axis].resize(n / 2 + 1);
  factor_[axis].resize(n / 2 + 1);
  for (std::int64_t m = 0; m <= n / 2; ++m) k_[axis][m] = 2 * std::numbers::pi * static_cast<double>(m) / edge;
  if (axis == 2) planes_ = n;
}

void FarTensors::apply(const fluid::spectral::ColumnOfModes& modes, std::span<double* const> fields) const {
  Column column{.x = {},
                .row = {},
                .factor = {},
                .k = k_[2].data(),
                .plane_factor = factor_[2].data(),
                .planes = planes_,
                .inverse_4_xi2 = inverse_4_xi2_};
  for (std::size_t l = 0; l < column.x.size(); ++l) {
    const std::int64_t x = modes.x[l], row = modes.row[l], size = row < 0 ? -row : row;
    column.x[l] = k_[0][x];
    column.row[l] = row < 0 ? -k_[1][size] : k_[1][size];
    column.factor[l] = factor_[0][x] * factor_[1][size];
  }
  const double charge = fields[0][0]; // of the first line, which holds the mean where there is one
  HWY_DYNAMIC_DISPATCH(apply)(sum_, all_, column, fields.data());
  // The mean, and lines beyond the last: of both k is 0 in the first plane.
  for (std::size_t l = 0; l < column.x.size(); ++l)
    for (std::size_t f = 0; modes.x[l] == 0 && modes.row[l] == 0 && f < static_cast<std::size_t>(columns(sum_, all_));
         ++f)
      fields[f][l] = fields[f][8 + l] = 0;
  if (sum_ == Sum::laplace && modes.x[0] == 0 && modes.row[0] == 0)
    fields[0][0] = -4 * std::numbers::pi * inverse_4_xi2_ * column.factor[0] * factor_[2][0] * charge;
}

} // namespace corral::stokes
#endif

#include "stokes/far/tensors.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stokes/far/tensors.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "stokes/far/cut_kernels.hpp"
#include "stokes/far/mode-inl.hpp"
#include "stokes/sums/spheres.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
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
    if (column.laplace != nullptr) {
      alignas(64) double laplace[8], flow[8];
      for (std::size_t l = 0; l < 8; ++l) {
        laplace[l] = column.laplace[column.begin[l] + column.stride * unsigned_m];
        flow[l] = column.flow[column.begin[l] + column.stride * unsigned_m];
      }
      mode.laplace = Eight::load(laplace);
      mode.flow = Eight::load(flow);
    } else { // in the mean, which is set afterwards, this is not finite
      const Eight inverse = one / mode.square;
      mode.laplace = four_pi * inverse * (lines * Eight(column.plane_factor[unsigned_m]));
      mode.flow = mode.laplace * Eight(2.0) * (one + mode.square * g_scale) * inverse;
    }
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

namespace {

constexpr double pi = std::numbers::pi;

} // namespace

FarTensors::FarTensors(Sum sum, bool all, const SpectralBox& box, double xi, double radius, Power power,
                       const WindowTransform& window_transform)
    : sum_(sum), all_(all), inverse_4_xi2_(1 / (4 * xi * xi)), planes_(box.modes[2]),
      mean_(mean_factors(sum, box, xi)) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t n = box.modes[d];
    k_[d].resize(n / 2 + 1);
    factor_[d].resize(n / 2 + 1);
    for (std::int64_t m = 0; m <= n / 2; ++m) {
      const double k = 2 * pi * static_cast<double>(m) / box.edge[d], w = window_transform(d, k);
      k_[d][m] = k;
      factor_[d][m] = 2 * m == n ? 0 : std::exp(-k * k * inverse_4_xi2_) / (w * w);
    }
    for (double& factor : mean_) factor *= factor_[d][0];
  }
  for (double& f : factor_[2]) f /= box.volume();
  if (power == Power::root)
    for (double& factor : mean_) factor = std::sqrt(std::max(0.0, factor));
  if (box.free_axes() > 0 || radius > 0) tabulate(box, radius, power);
}

void FarTensors::tabulate(const SpectralBox& box, double radius, Power power) {
  const std::int64_t nx = k_[0].size(), ny = k_[1].size(), nz = k_[2].size();
  laplace_.resize(nx * ny * nz);
  flow_.resize(nx * ny * nz);
  for_each_chunk(Cpu{}, ny * nz, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row)
      for (std::int64_t i = 0; i < nx; ++i) {
        const std::int64_t j = row % ny, l = row / ny, at = i + nx * row;
        laplace_[at] = flow_[at] = 0; // of the mean, which is set apart
        if (at == 0) continue;
        const std::array<double, 3> k{k_[0][i], k_[1][j], k_[2][l]};
        double kappa = 0, q = 0; // squares
        for (std::size_t d = 0; d < 3; ++d) (box.free[d] ? q : kappa) += k[d] * k[d];
        const CutTransforms cut = cut_transforms(box.free_axes(), std::sqrt(kappa), std::sqrt(q), box.reach);
        const double shell = sphere_mode(radius * std::sqrt(kappa + q));
        const double scale = factor_[0][i] * factor_[1][j] * factor_[2][l] * shell * shell;
        laplace_[at] = scale * cut.laplace;
        const double square = kappa + q, flow = scale * (1 + square * inverse_4_xi2_) * cut.flow;
        flow_[at] = power == Power::whole ? flow : std::sqrt(std::max(0.0, flow * square)) / square;
      }
  });
}

void FarTensors::apply(const fluid::spectral::ColumnOfModes& modes, std::span<double* const> fields) const {
  Column column{.x = {},
                .row = {},
                .factor = {},
                .k = k_[2].data(),
                .plane_factor = factor_[2].data(),
                .planes = planes_,
                .inverse_4_xi2 = inverse_4_xi2_,
                .laplace = laplace_.empty() ? nullptr : laplace_.data(),
                .flow = flow_.data(),
                .begin = {},
                .stride = k_[0].size() * k_[1].size()};
  for (std::size_t l = 0; l < column.x.size(); ++l) {
    const std::int64_t x = modes.x[l], row = modes.row[l], size = row < 0 ? -row : row;
    column.x[l] = k_[0][x];
    column.row[l] = row < 0 ? -k_[1][size] : k_[1][size];
    column.factor[l] = factor_[0][x] * factor_[1][size];
    column.begin[l] = x + k_[0].size() * size;
  }
  const bool holds_mean = modes.x[0] == 0 && modes.row[0] == 0;
  const auto velocities = static_cast<std::size_t>(result_columns(sum_, Result::velocity));
  std::array<double, 3> mean{};
  for (std::size_t f = 0; holds_mean && f < velocities; ++f) mean[f] = mean_[f] * fields[f][0];
  HWY_DYNAMIC_DISPATCH(apply)(sum_, all_, column, fields.data());
  // Of the mean, and of lines beyond the last, k is 0 in the first plane.
  const auto results = static_cast<std::size_t>(columns(sum_, all_));
  for (std::size_t l = 0; l < column.x.size(); ++l)
    for (std::size_t f = 0; modes.x[l] == 0 && modes.row[l] == 0 && f < results; ++f)
      fields[f][l] = fields[f][8 + l] = 0;
  for (std::size_t f = 0; holds_mean && f < velocities; ++f) fields[f][0] = mean[f];
}

} // namespace corral::stokes
#endif

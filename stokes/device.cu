/// Near fields of Stokes sums on a device: what is packed for them. The pairs themselves are compiled in near/device.

#include "stokes/near/box_cells.hpp"
#include "stokes/near/device/near_field.hpp"
#include "stokes/near/screening.hpp"

#include <corral/error.hpp>
#include <corral/for_each.cuh>
#include <corral/pairs.cuh>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <string>

namespace corral::stokes {
namespace {

device::ScreenedNumbers numbers_of(double xi, double cut_off, double error) {
  const Screening screening(xi * cut_off, error);
  device::ScreenedNumbers n{};
  n.xi = xi, n.two_xi2 = 2 * xi * xi, n.unit = 2 * xi / std::sqrt(std::numbers::pi);
  n.centre = screening.centre(), n.stretch = screening.stretch(), n.pull = screening.pull();
  n.exponent = -std::numbers::log2e * xi * xi;
  n.least_square = 1e-28 * cut_off * cut_off;
  n.in_place = radial(xi, 0.0);
  n.terms = screening.degree() + 1;
  if (n.terms > device::most_terms)
    throw Error("a near field of polynomials with " + std::to_string(n.terms) + " terms (a device has room for " +
                std::to_string(device::most_terms) + ") take a shorter cut-off, or a larger error");
  // As many as are known to the entries, the highest of them 0.
  const auto known = std::lower_bound(device::known_terms.begin(), device::known_terms.end(), n.terms);
  const int zeros = known == device::known_terms.end() ? 0 : *known - n.terms;
  std::copy_n(screening.coefficients(), 2 * n.terms, n.coefficients.begin() + 2 * zeros);
  n.terms += zeros;
  return n;
}

/// Brings particles to their places.
struct Pack {
  Grid grid;
  OrderView<double> order;
  std::array<Column<const double>, 3> at;
  std::array<Column<const double>, device::most_columns> strength;
  int strengths;
  double* to; ///< x, y, z, strengths
  CORRAL_HOST_DEVICE void operator()(std::int64_t place) const {
    if (place >= order.group_begin(order.group_count())) return; // of those that were skipped
    const std::int64_t g = corral::detail::group_of(order, place), i = order.source(place);
    const std::int64_t cell[3] = {g % order.groups[0], g / order.groups[0] % order.groups[1],
                                  g / (order.groups[0] * order.groups[1])};
    for (std::size_t d = 0; d < 3; ++d)
      to[static_cast<std::int64_t>(d) * order.size + place] =
          coordinate_in_box(grid.axis(static_cast<int>(d)), at[d][i], cell[d], order.fraction[d][place]);
    for (int s = 0; s < strengths; ++s)
      to[(3 + s) * order.size + place] = strength[static_cast<std::size_t>(s)][i];
  }
};

double* pack(Gpu gpu, const Grid& grid, const NearField::Sorted& particles, std::span<const Column<const double>> strengths,
             Array<double>& to) {
  const std::int64_t n = particles.order.size, columns = 3 + static_cast<std::int64_t>(strengths.size());
  Pack pack{.grid = grid, .order = particles.order, .at = particles.at.axis, .strength = {},
            .strengths = static_cast<int>(strengths.size()), .to = to.renew(n * columns, gpu.stream)};
  std::copy(strengths.begin(), strengths.end(), pack.strength.begin());
  for_each(gpu, n, pack);
  return pack.to;
}

} // namespace

DeviceNearField::DeviceNearField(Sum sum, bool all, double xi, double cut_off, double error, double radius)
    : sum_(sum), all_(all), cut_off_(cut_off) {
  if (radius > 0) {
    spheres_.emplace(xi, radius, cut_off, error);
    const auto numbers = spheres_->bytes() / static_cast<std::int64_t>(sizeof(double));
    bins_.assign({spheres_->coefficients(), static_cast<std::size_t>(numbers)});
    sphere_scale_ = 1 / (4 * radius * radius);
  } else {
    numbers_ = numbers_of(xi, cut_off, error);
  }
}

std::int64_t DeviceNearField::bytes() const { return bins_.bytes() + sources_.bytes() + targets_.bytes(); }

device::Call DeviceNearField::packed(Gpu gpu, const Grid& grid, const NearField::Sorted& targets,
                                     const NearField::Sorted& sources, std::span<const Column<const double>> strengths,
                                     std::span<const Column<double>> results, PairMethod method) {
  const bool same = targets.order.fraction[0] == sources.order.fraction[0];
  double* const from = pack(gpu, grid, sources, strengths, sources_);
  double* const to = same ? from : pack(gpu, grid, targets, {}, targets_);
  device::Call call{.grid = &grid, .targets = targets.order, .sources = sources.order, .target_x = {}, .source_x = {},
                    .strength = {}, .result = {}, .cut_off = cut_off_, .method = method};
  for (std::int64_t d = 0; d < 3; ++d) {
    call.source_x[static_cast<std::size_t>(d)] = from + d * sources.order.size;
    call.target_x[static_cast<std::size_t>(d)] = to + d * targets.order.size;
  }
  for (std::size_t s = 0; s < strengths.size(); ++s)
    call.strength[s] = from + (3 + static_cast<std::int64_t>(s)) * sources.order.size;
  std::copy(results.begin(), results.end(), call.result.begin());
  return call;
}

void DeviceNearField::add(Gpu gpu, const Grid& grid, const NearField::Sorted& targets, const NearField::Sorted& sources,
                          std::span<const Column<const double>> strengths, std::span<const Column<double>> results,
                          PairMethod method) {
  assert(static_cast<int>(strengths.size()) == strength_columns(sum_));
  assert(static_cast<int>(results.size()) == columns(sum_, all_));
  const device::Call call = packed(gpu, grid, targets, sources, strengths, results, method);
  if (spheres_)
    return device::add_spheres(gpu, call, {bins_.data(), spheres_->first_bin(), sphere_scale_}, spheres_->degree());
  switch (sum_) {
    case Sum::stokeslet: return device::add_stokeslets(gpu, call, numbers_, all_);
    case Sum::stresslet: return device::add_stresslets(gpu, call, numbers_, all_);
    case Sum::rotlet: return device::add_rotlets(gpu, call, numbers_, all_);
    case Sum::laplace: return device::add_charges(gpu, call, numbers_, all_);
  }
}

void DeviceNearField::add_with_stresslets(Gpu gpu, const Grid& grid, const NearField::Sorted& targets,
                                          const NearField::Sorted& sources,
                                          std::span<const Column<const double>> strengths,
                                          std::span<const Column<double>> results, PairMethod method) {
  assert(sum_ == Sum::stokeslet && !all_ && !spheres_);
  assert(strengths.size() == device::most_columns && results.size() == 3);
  device::add_stokeslets_and_stresslets(gpu, packed(gpu, grid, targets, sources, strengths, results, method), numbers_);
}

} // namespace corral::stokes

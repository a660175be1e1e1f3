#include "stokes/near/near_field.hpp"

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stokes/near/near_field.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "stokes/near/near_loops-inl.hpp"

#if HWY_ONCE
#include "stokes/near/box_cells.hpp"

#include <corral/for_each.hpp>
#include <corral/pairs.hpp>

#include <cmath>
#include <memory>
#include <numbers>

namespace corral::stokes {

HWY_EXPORT(add_neighbourhood);

namespace {

constexpr std::int64_t groups_per_task = 64;
constexpr std::int64_t beyond = 16; // what the last vector of a row may read or write more

void enlarge(Candidates& candidates, std::span<const SourceRun> runs) {
  std::int64_t size = beyond + Candidates::at_once;
  for (const SourceRun& run : runs) size += run.end - run.begin;
  if (candidates.rows[0].size() >= size) return;
  for (Array<double>& row : candidates.rows) row.resize(size + size / 4);
}

} // namespace

void pad(Candidates& candidates, int strengths, double reach) {
  while (candidates.count % Candidates::at_once != 0) {
    for (std::size_t r = 0; r < 3 + static_cast<std::size_t>(strengths); ++r)
      candidates.rows[r][candidates.count] = r < 3 ? 8 * reach + 8 : 0;
    ++candidates.count;
  }
}

void PackedParticles::pack(Cpu cpu, const Grid& grid, const OrderView<double>& order,
                           const Positions<double>& positions, std::span<const Column<const double>> strengths) {
  const std::int64_t inside = order.group_begin(order.group_count());
  for (Array<double>& a : x) a.resize(inside + beyond, 0.0);
  for (std::size_t s = 0; s < strengths.size(); ++s) strength[s].resize(inside + beyond, 0.0);
  for_each_chunk(cpu, order.group_count(), groups_per_task, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g) {
      const std::array<std::int64_t, 3> at{g % order.groups[0], g / order.groups[0] % order.groups[1],
                                           g / (order.groups[0] * order.groups[1])};
      for (std::int64_t i = order.group_begin(g); i < order.group_begin(g + 1); ++i) {
        const std::int64_t j = order.source(i);
        for (std::size_t d = 0; d < 3; ++d) {
          x[d][i] = coordinate_in_box(grid.axis(static_cast<int>(d)), positions.axis[d][j], at[d], order.fraction[d][i]);
        }
        for (std::size_t s = 0; s < strengths.size(); ++s) strength[s][i] = strengths[s][j];
      }
    }
  });
}

NearField::NearField(Sum sum, bool all, double xi, double cut_off, double error, double radius)
    : sum_(sum), all_(all), xi_(xi), cut_off_(cut_off), radius_(radius), screening_(xi * cut_off, error),
      candidates_([] { return std::make_unique<Candidates>(); }) {
  if (radius > 0) spheres_.emplace(xi, radius, cut_off, error);
}

void NearField::add(Cpu cpu, const Grid& grid, const Sorted& targets, const Sorted& sources,
                    std::span<const Column<const double>> strengths, std::span<const Column<double>> results) {
  const bool same = targets.order.fraction[0] == sources.order.fraction[0];
  sources_.pack(cpu, grid, sources.order, sources.at, strengths);
  if (!same) targets_.pack(cpu, grid, targets.order, targets.at, {});
  NearTask whole{};
  for (std::size_t d = 0; d < 3; ++d) {
    whole.source_x[d] = sources_.x[d].data();
    whole.target_x[d] = (same ? sources_ : targets_).x[d].data();
    whole.edge[d] = grid.axis(static_cast<int>(d)).spacing;
  }
  for (std::size_t s = 0; s < strengths.size(); ++s) whole.strength[s] = sources_.strength[s].data();
  whole.strengths = static_cast<int>(strengths.size());
  whole.targets = &targets.order;
  whole.reach = cut_off_;
  whole.least_square = 1e-28 * cut_off_ * cut_off_;
  whole.xi = xi_;
  whole.two_xi2 = 2 * xi_ * xi_;
  whole.unit = 2 * xi_ / std::sqrt(std::numbers::pi);
  whole.in_place = radial(xi_, 0.0);
  whole.centre = screening_.centre();
  whole.stretch = screening_.stretch();
  whole.pull = screening_.pull();
  whole.coefficients = screening_.coefficients();
  whole.degree = screening_.degree();
  if (spheres_) {
    whole.sphere_bins = spheres_->coefficients();
    whole.first_bin = spheres_->first_bin();
    whole.sphere_degree = spheres_->degree();
    whole.sphere_scale = 1 / (4 * radius_ * radius_);
  }
  whole.results = results.data();
  for_each_neighbourhood(
      cpu, grid, targets.order, sources.order, cut_off_,
      [&](const Group& group, std::int64_t begin, std::int64_t end, std::span<const SourceRun> runs) {
        NearTask task = whole;
        task.begin = begin;
        task.end = end;
        for (std::size_t d = 0; d < 3; ++d) task.corner[d] = static_cast<double>(group[d]) * task.edge[d];
        const auto candidates = candidates_.take();
        enlarge(*candidates, runs);
        HWY_DYNAMIC_DISPATCH(add_neighbourhood)(sum_, all_, task, runs, *candidates);
      });
}

} // namespace corral::stokes
#endif

#pragma once

/// `for_each_pair` on a CUDA device, and `sum_pairs`, for `.cu` files: pairs within a cut-off as <corral/pairs.hpp> has them,
/// with `Gpu` in place of `Cpu`.

#include <corral/device_code.cuh>
#include <corral/execution.hpp>
#include <corral/host_device.hpp>
#include <corral/near_cells.hpp>
#include <corral/pair_entries.cuh>
#include <corral/pairs.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace corral {

namespace detail {

/// For_each_pair as a law of sum_pairs: a source is its index, and a target's sum holds the target's.
template <class F, class M> struct CallForPairs {
  F f;
  M meets;
  using Source = std::int64_t;
  using Sum = std::int64_t;
  CORRAL_HOST_DEVICE Source source(std::int64_t, std::int64_t j) const { return j; }
  CORRAL_HOST_DEVICE Sum begin(std::int64_t i) const { return i; }
  CORRAL_HOST_DEVICE void add(const Source& j, const std::array<double, 3>& apart, double square, Sum& i) const {
    if (meets(i, j)) f(i, j, apart, square);
  }
  CORRAL_HOST_DEVICE void end(std::int64_t, const Sum&) const {}
};

/// Where particles are to pairs, in place of the orders' fractions: coordinates by place, from the grid's corner [m],
/// wrapped into the box as the order's cells are.
struct OwnCoordinates {
  std::array<const double*, 3> targets{}, sources{};
};

inline constexpr double most_limit = 1e12; ///< [cut-offs^2]

inline PairView pair_view(const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources,
                          double cut_off, const OwnCoordinates* own) {
  PairView view{.near = near_cells(grid, targets.groups, sources.groups, cut_off), .targets = targets, .sources = sources};
  view.target_x = own != nullptr ? own->targets : targets.fraction;
  view.source_x = own != nullptr ? own->sources : sources.fraction;
  // Tiles are sieved in single precision: what it may err by, from the corner of a block's cells, in cut-offs.
  double margin = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double edge = view.near.spacing[d] / cut_off;
    view.to_cut_off[d] = own != nullptr ? 1 / cut_off : edge;
    margin += edge * static_cast<double>(view.near.most[d] + most_cells_of_block + 2) * 0x1p-21;
  }
  view.limit = static_cast<float>(std::min((1 + margin) * (1 + margin) * (1 + 0x1p-20), 2 * most_limit));
  return view;
}

template <bool fractions, class Law> void launch_pairs(Gpu gpu, const PairView& view, const Law& law, PairMethod method) {
  const std::int64_t cells = view.targets.group_count();
  const double of_cell = static_cast<double>(view.targets.size) / static_cast<double>(cells);
  if (method == PairMethod::automatic)
    method = of_cell * most_cells_of_block >= few_targets ? PairMethod::mixed : PairMethod::targets;
  if (static_cast<double>(view.limit) > most_limit) method = PairMethod::targets; // single precision tells nobody apart
  if (method == PairMethod::targets) {
    const std::int64_t blocks = (view.targets.size + target_threads - 1) / target_threads;
    check_cuda(CORRAL_LAUNCH((target_pairs_global<fractions, Law>), static_cast<unsigned>(blocks), target_threads, 0,
                             gpu.stream, view, law),
               "pairs by targets");
    return;
  }
  // So many cells of a row that their targets fill some warps; blocks as large as that.
  const double wanted = targets_of_block / std::max(of_cell, 1e-300);
  StagedShape shape{.cells = std::min<std::int64_t>(most_cells_of_block, view.targets.groups[0])};
  if (wanted < static_cast<double>(shape.cells)) shape.cells = std::max<std::int64_t>(static_cast<std::int64_t>(wanted), 1);
  shape.row = (view.targets.groups[0] + shape.cells - 1) / shape.cells;
  const std::int64_t tasks = shape.row * view.targets.groups[1] * view.targets.groups[2];
  const double warps = std::ceil(of_cell * static_cast<double>(shape.cells) / 32);
  const int threads = 32 * static_cast<int>(std::clamp(warps, 1.0, staged_threads / 32.0));
  const auto blocks = static_cast<unsigned>(std::min(tasks, most_staged_blocks));
  if (method == PairMethod::staged)
    check_cuda(CORRAL_LAUNCH((staged_pairs_global<fractions, false, Law>), blocks, threads, 0, gpu.stream, view, law, shape),
               "staged pairs");
  else
    check_cuda(CORRAL_LAUNCH((staged_pairs_global<fractions, true, Law>), blocks, threads, 0, gpu.stream, view, law, shape),
               "mixed pairs");
}

/// Sum_pairs of particles that have coordinates of their own: distances are differences of those.
template <class Law>
void sum_pairs_of(Gpu gpu, const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources,
                  const OwnCoordinates& own, double cut_off, const Law& law, PairMethod method) {
  const PairView view = pair_view(grid, targets, sources, cut_off, &own);
  if (targets.size > 0) launch_pairs<false>(gpu, view, law, method);
}

} // namespace detail

/// Sums over pairs closer than the cut-off [m], target by target, in registers. `law` is copied to the device and has
///   Source          a trivially copyable type: what a pair asks of a source; it goes through shared memory
///   Sum             of a target, likewise
///   source(p, j)    the Source of the particle at place p of the sources' order, whose index is the caller's j
///   begin(i)        the Sum that a target begins with; i is the caller's index
///   add(source, apart, square, sum)   adds a pair; apart = x_i - x_j of the image [m], a std::array<double, 3>, square
///                   its length's [m2]
///   end(i, sum)     keeps it; called once for every target of the order, also where it meets nobody
/// all of them CORRAL_HOST_DEVICE and const. Pairs, images and distances are those of <corral/pairs.hpp>, to the bit. So is
/// the order in which one target's pairs come, but with `mixed`, which has its own. It depends on the two orders alone, and
/// nothing is atomic: sums have the same bits in every run. Both orders were sorted on the device.
/// One launch; takes no memory; returns before the work is done. Throws Error as the calls on the CPU do. std::array's
/// functions ask nvcc for --expt-relaxed-constexpr.
template <class Law>
void sum_pairs(Gpu gpu, const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources, double cut_off,
               const Law& law, PairMethod method = PairMethod::automatic) {
  const detail::PairView view = detail::pair_view(grid, targets, sources, cut_off, nullptr);
  if (targets.size > 0) detail::launch_pairs<true>(gpu, view, law, method);
}

/// Calls f(i, j, apart, square) for every pair as the call on the CPU does; f and meets are objects that a device calls,
/// with device pointers inside. All j of one i are one thread's, in the order of `sum_pairs`. meets(i, j) is asked once a pair is
/// close. What is added up per target is faster by `sum_pairs`, which keeps it in registers.
template <class F, class M = EveryPair>
void for_each_pair(Gpu gpu, const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources,
                   double cut_off, const F& f, const M& meets = {}, PairMethod method = PairMethod::automatic) {
  sum_pairs(gpu, grid, targets, sources, cut_off, detail::CallForPairs<F, M>{f, meets}, method);
}

} // namespace corral

#pragma once

#include <corral/cell_order.hpp>
#include <corral/execution.hpp>
#include <corral/export.h>
#include <corral/for_each.hpp>
#include <corral/grid.hpp>
#include <corral/groups.hpp>
#include <corral/host_device.hpp>
#include <corral/near_cells.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Pairs of particles within a cut-off: contact, repulsion, near fields. Targets and sources, which may be the same, are
/// two cell orders over one grid with Offset::zero along every axis; groups are cells.
///
/// All calls: a periodic axis has images, as many as the cut-off reaches, which may be beyond the box; a wall, an open and
/// a halo side have none. A thin axis is no exception: a particle meets its images along it where the cut-off is above
/// the cell's thickness. A code in two dimensions makes that axis thicker, or hands these calls a grid with walls there.
/// Particles that an order skipped (outside, not finite) meet nobody. Cells may be of any size; those about as long as
/// the cut-off, or half of it, are fast. They throw Error where an order's groups are not the grid's cells, the cut-off's
/// square is not a positive, finite number, or more than 2^22 rows of cells lie within it. An order with Offset::half
/// along periodic axes has as many groups as there are cells, and is not found out.
namespace corral {

/// Particles of the source order at places [begin, end), which act from where they are, within the box, plus `shift`.
struct SourceRun {
  std::int64_t begin, end;
  std::array<double, 3> shift; ///< of this image [m]: along each axis a multiple of its length
};

/// Which pairs count, unless told otherwise: all of them.
struct EveryPair {
  CORRAL_HOST_DEVICE bool operator()(std::int64_t, std::int64_t) const { return true; }
};

/// How a device goes through the pairs of targets and sources. A target's pairs are always one thread's, in a fixed order.
enum class PairMethod : std::uint8_t {
  automatic, ///< by the targets per cell
  targets,   ///< a thread a target; each reads sources from global memory, in the CPU's order
  staged,    ///< a block some cells of targets; sources come through shared memory, a tile at a time, in the CPU's order
  mixed      ///< the same, but each tile is a sample of all that is near: threads of a warp find about as many pairs each
};

namespace detail {

/// Sources that a group of targets may meet: of neighbouring groups along x.
struct NearStretch {
  std::int64_t begin, end;     ///< places
  std::int64_t first;          ///< group
  std::array<double, 3> ahead; ///< cells from that to the targets' group, along each axis
};

/// Finds the groups of sources within the cut-off of a group of targets.
class CORRAL_PUBLIC NearGroups {
public:
  NearGroups(const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources, double cut_off);

  /// Replaces what is in `found`. Groups come by z, y and x, images in their places; those without particles are left out.
  void find(const Group& group, std::vector<SourceRun>& found) const {
    found.clear();
    visit(group, [&](std::int64_t first, std::int64_t count, const Group& image, const Group&) {
      const std::int64_t begin = sources_.group_begin(first), end = sources_.group_begin(first + count);
      if (begin == end) return;
      SourceRun run{begin, end, {}};
      for (std::size_t d = 0; d < 3; ++d) run.shift[d] = static_cast<double>(image[d]) * near_.length[d];
      found.push_back(run);
    });
  }
  void find(const Group& group, std::vector<NearStretch>& found) const {
    found.clear();
    visit(group, [&](std::int64_t first, std::int64_t count, const Group&, const Group& ahead) {
      const std::int64_t begin = sources_.group_begin(first), end = sources_.group_begin(first + count);
      if (begin < end)
        found.push_back({begin, end, first, {static_cast<double>(ahead[0]), static_cast<double>(ahead[1]),
                                             static_cast<double>(ahead[2])}});
    });
  }

private:
  /// A row of groups along x, by its place from the targets' group, and how far the cut-off reaches in it.
  struct Row {
    std::int64_t y, z, reach; ///< [cells]
    std::int64_t groups;      ///< from the number of the targets' group to that of the row's group beside it
  };

  /// Calls f(first, count, image, ahead) for stretches of groups: `count` of them from number `first` on, in the box that
  /// lies `image` lengths aside; the targets' group is `ahead` cells beyond the first.
  template <class F> void visit(const Group& group, const F& f) const {
    if (sources_.size == 0) return;
    bool within = true; // all that is in reach
    for (std::size_t d = 0; d < 3; ++d) within = within && group[d] >= reach_[d] && group[d] + reach_[d] < near_.cells[d];
    const std::int64_t g = group[0] + near_.cells[0] * (group[1] + near_.cells[1] * group[2]);
    for (const Row& row : rows_)
      if (within) f(g + row.groups - row.reach, 2 * row.reach + 1, Group{}, Group{row.reach, -row.y, -row.z});
      else visit_row_at_sides(group, row, f);
  }
  template <class F> void visit_row_at_sides(const Group& group, const Row& row, const F& f) const {
    Group at{0, group[1] + row.y, group[2] + row.z}, image{};
    if (!near_.wrap(1, at[1], image[1]) || !near_.wrap(2, at[2], image[2])) return;
    std::int64_t x = group[0] - row.reach, last = group[0] + row.reach;
    near_.cut(x, last);
    while (x <= last) {
      at[0] = x, image[0] = 0;
      near_.wrap(0, at[0], image[0]);
      const std::int64_t count = std::min(last - x + 1, near_.cells[0] - at[0]);
      f(at[0] + near_.cells[0] * (at[1] + near_.cells[1] * at[2]), count, image, Group{group[0] - x, -row.y, -row.z});
      x += count;
    }
  }

  OrderView<double> sources_;
  NearCells near_;
  Group reach_{};         ///< the largest of the rows, along each axis
  std::vector<Row> rows_; ///< by z, then y
};

/// Groups that a task goes through: few, for each may hold many particles.
inline constexpr std::int64_t groups_per_task = 64;

/// Calls f(task, group, begin, end, found) for every group that holds targets, with what is near it; found is a span of
/// SourceRun or NearStretch. Tasks are numbered, and each is one thread's.
template <class Near, class F>
void for_each_group_with_near(Cpu cpu, const NearGroups& near, const OrderView<double>& targets, const F& f) {
  if (targets.size == 0) return;
  for_each_chunk(cpu, targets.group_count(), groups_per_task, [&](std::int64_t first, std::int64_t last) {
    std::vector<Near> found;
    for (std::int64_t g = first; g < last; ++g) {
      const std::int64_t begin = targets.group_begin(g), end = targets.group_begin(g + 1);
      if (begin == end) continue;
      const std::int64_t nx = targets.groups[0], ny = targets.groups[1];
      const Group group{g % nx, g / nx % ny, g / (nx * ny)};
      near.find(group, found);
      f(g / groups_per_task, group, begin, end, std::span<const Near>(found));
    }
  });
}

/// The pairs of targets and sources, group by group.
class PairsOfGroups {
public:
  PairsOfGroups(const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources, double cut_off)
      : near_(grid, targets, sources, cut_off), targets_(targets), sources_(sources),
        spacing_{grid.axis(0).spacing, grid.axis(1).spacing, grid.axis(2).spacing}, cut_off_square_(cut_off * cut_off) {}

  /// Calls of_group(task, pairs) for every group that holds targets; pairs(meets, f) calls f for its pairs.
  template <class F> void operator()(Cpu cpu, const F& of_group) const {
    for_each_group_with_near<NearStretch>(
        cpu, near_, targets_,
        [&](std::int64_t task, const Group&, std::int64_t begin, std::int64_t end, std::span<const NearStretch> stretches) {
          of_group(task, [&](const auto& meets, const auto& f) {
            for (std::int64_t place = begin; place < end; ++place) pairs_of(place, stretches, meets, f);
          });
        });
  }

private:
  template <class M, class F>
  void pairs_of(std::int64_t place, std::span<const NearStretch> stretches, const M& meets, const F& f) const {
    const std::int64_t i = targets_.source(place);
    const std::array<const double*, 3> from = sources_.fraction;
    const double u = targets_.fraction[0][place], v = targets_.fraction[1][place], w = targets_.fraction[2][place];
    for (const NearStretch& s : stretches) {
      std::int64_t group = s.first, group_end = sources_.group_begin(group + 1);
      double ahead_x = s.ahead[0];
      for (std::int64_t p = s.begin; p < s.end; ++p) {
        const std::int64_t j = sources_.source(p);
        if (!meets(i, j)) continue;
        while (p >= group_end) group_end = sources_.group_begin(++group + 1), ahead_x -= 1;
        // Fractions first: 0 where both are at one place, and the opposite to the bit seen from the other side.
        const std::array<double, 3> apart{(ahead_x + (u - from[0][p])) * spacing_[0],
                                          (s.ahead[1] + (v - from[1][p])) * spacing_[1],
                                          (s.ahead[2] + (w - from[2][p])) * spacing_[2]};
        const double square = sum_of_squares(apart[0], apart[1], apart[2]);
        if (square < cut_off_square_) f(i, j, apart, square);
      }
    }
  }

  NearGroups near_;
  OrderView<double> targets_, sources_;
  std::array<double, 3> spacing_; ///< [m]
  double cut_off_square_;         ///< [m2]
};

} // namespace detail

/// Calls f(group, begin, end, runs) for every group of `targets` that holds particles, at places [begin, end): `runs`, a
/// std::span<const SourceRun> in a fixed order, which may be empty, hold every particle of `sources`, as often as its
/// images do, within the cut-off [m] of any point of the group. They hold whole groups, and so more, but none that is
/// farther than the cut-off from this one. Groups run in parallel, each wholly by one thread: what f adds to its
/// targets alone has the same bits for any number of threads. What is in `runs` lasts as long as the call of f.
template <class F>
void for_each_neighbourhood(Cpu cpu, const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources,
                            double cut_off, const F& f) {
  const detail::NearGroups near(grid, targets, sources, cut_off);
  detail::for_each_group_with_near<SourceRun>(
      cpu, near, targets,
      [&f](std::int64_t, const Group& group, std::int64_t begin, std::int64_t end, std::span<const SourceRun> runs) {
        f(group, begin, end, runs);
      });
}

/// Calls f(i, j, apart, square) for every pair closer than the cut-off [m]: i and j are the caller's indices of target
/// and source, apart = x_i - x_j of the image [m], a std::array<double, 3>, square its length's [m2]. All j of one i come
/// one after the other, in a fixed order, and on one thread: what f adds to i alone has the same bits for any number of
/// threads. Between two orders of the same particles each pair is seen from both sides, with the opposite `apart` to the
/// bit, and a particle meets itself, at apart = 0. meets(i, j) is asked before distances are found: where it says false,
/// as of bonded particles or points of one body, the pair costs little. It may be asked of more pairs than are close.
template <class F, class M = EveryPair>
void for_each_pair(Cpu cpu, const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources,
                   double cut_off, const F& f, const M& meets = {}) {
  const detail::PairsOfGroups of_groups(grid, targets, sources, cut_off);
  of_groups(cpu, [&](std::int64_t, const auto& pairs) { pairs(meets, f); });
}

/// The same, and the sum of what f returns, an energy perhaps, as a double: the same bits for any number of threads.
template <class F, class M = EveryPair>
double sum_over_pairs(Cpu cpu, const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources,
                      double cut_off, const F& f, const M& meets = {}) {
  const detail::PairsOfGroups of_groups(grid, targets, sources, cut_off);
  Array<double> parts((targets.group_count() + detail::groups_per_task - 1) / detail::groups_per_task, 0.0);
  of_groups(cpu, [&](std::int64_t task, const auto& pairs) {
    double of_group = 0;
    pairs(meets, [&](std::int64_t i, std::int64_t j, const std::array<double, 3>& apart, double square) {
      of_group += f(i, j, apart, square);
    });
    parts[task] += of_group;
  });
  return sum(cpu, parts.size(), [&](std::int64_t task) { return parts[task]; });
}

} // namespace corral

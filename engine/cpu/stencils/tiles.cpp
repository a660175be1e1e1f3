#include "engine/cpu/stencils/brick.hpp"
#include "engine/cpu/stencils/wide_call.hpp"

// Bricks of cells with a copy of the points around them. Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/stencils/tiles.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/stencils/batch_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// to[i] = factor * from[i], n values
template <class T>
HWY_INLINE void copy_run(const T* HWY_RESTRICT from, T factor, std::int64_t n, T* HWY_RESTRICT to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = factor * from[i];
}

/// The copy = the field.
template <class T> HWY_INLINE void fill_copy(const LanedField<T, const T>& laned, BrickCopy<T>& copy) {
  const GroupBox& points = copy.points();
  for_each_row(laned, copy, points, [&](T* to, std::int64_t at, T sign) HWY_ATTR {
    const T* from = laned.data + at;
    if (sign == 0) {
      std::fill_n(to, (points.high[0] - points.low[0]) * laned.lanes, T(0));
      return;
    }
    along_row(
        laned, points.low[0], points.high[0],
        [&](std::int64_t i, std::int64_t offset, std::int64_t n) HWY_ATTR { copy_run(from + offset, sign, n, to + i); },
        [&](std::int64_t i, std::int64_t offset, T x_sign) HWY_ATTR {
          to[i] = x_sign == 0 ? T(0) : sign * x_sign * from[offset];
        });
  });
}

/// The fields += the sums of a block, which begins anew.
template <class T>
HWY_INLINE void hand_on(const WideSpread<T>& wide, std::vector<BrickCopy<T>>& copies, SumBlock<T>& block) {
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const GroupBox points = copies[i].points_of(block.groups());
    add_copy(wide.laned_fields[i], copies[i], points);
    copies[i].clear(points);
  }
  block.begin_anew();
}

template <class T> void spread_tiles_in(const WideSpread<T>& wide, const GroupBox& slab) {
  const auto soon = [&](std::int64_t first, std::int64_t end) { prefetch_particles(wide.call, first, end); };
  const BrickSize size = brick_size<T>(wide.call.order, wide.call.kernel.widest());
  WeightSets<T> sets(wide.call);
  BatchRows<T> rows(wide.call.kernel.widest());
  typename shared::ScratchPool<T>::Lease memory(wide.call.order.bricks);
  std::vector<BrickCopy<T>> copies = brick_copies<T>(wide.laned_fields, size, memory.array);
  for_each_brick<T>(wide.call.order, slab, size, [&](const GroupBox& brick) HWY_ATTR {
    for (BrickCopy<T>& copy : copies) {
      copy.move_to(brick);
      copy.clear();
    }
    SumBlock<T> block(brick, crowded<T>(wide.call.order, brick, wide.call.kernel.widest()));
    for_each_batch<T>(wide.call.order, brick, soon, [&](const ParticleBatch<T>& batch) HWY_ATTR {
      if (block.full()) hand_on(wide, copies, block);
      block.add(batch);
      sets.set(batch);
      for (std::size_t i = 0; i < copies.size(); ++i) {
        const auto& laned = wide.laned_fields[i];
        const LanedSets<T> s(sets, laned);
        read_values(wide.call, laned, batch, rows.value);
        set_x(s.x, laned, rows.value, batch.n, rows);
        add_stencils(rows_in_copy(laned, s, copies[i], batch.n, particles_apart(laned), rows), laned.lanes);
      }
    });
    for (std::size_t i = 0; i < copies.size(); ++i)
      add_copy(wide.laned_fields[i], copies[i], copies[i].points_of(block.groups()));
  });
}

template <class T> void interpolate_tiles_in(const WideInterpolate<T>& wide, const GroupBox& slab) {
  const auto soon = [&](std::int64_t first, std::int64_t end) { prefetch_particles(wide.call, first, end); };
  const BrickSize size = brick_size<T>(wide.call.order, wide.call.kernel.widest());
  WeightSets<T> sets(wide.call);
  BatchRows<T> rows(wide.call.kernel.widest());
  typename shared::ScratchPool<T>::Lease memory(wide.call.order.bricks);
  std::vector<BrickCopy<T>> copies = brick_copies<T>(wide.laned_fields, size, memory.array);
  for_each_brick<T>(wide.call.order, slab, size, [&](const GroupBox& brick) HWY_ATTR {
    for (std::size_t i = 0; i < copies.size(); ++i) {
      copies[i].move_to(brick);
      fill_copy(wide.laned_fields[i], copies[i]);
    }
    for_each_batch<T>(wide.call.order, brick, soon, [&](const ParticleBatch<T>& batch) HWY_ATTR {
      sets.set(batch);
      for (std::size_t i = 0; i < copies.size(); ++i) {
        const auto& laned = wide.laned_fields[i];
        const LanedSets<T> s(sets, laned);
        set_x<T>(s.x, laned, nullptr, batch.n, rows);
        std::fill_n(rows.value, 2 * rows.capacity, T(0));
        sum_stencils(rows_in_copy(laned, s, copies[i], batch.n, 1, rows), laned.lanes, rows.value);
        write_values(wide.call, laned, batch, rows.value);
      }
    });
  });
}

void spread_tiles_float(const WideSpread<float>& call, const GroupBox& box) {
  spread_tiles_in(call, box);
}
void spread_tiles_double(const WideSpread<double>& call, const GroupBox& box) {
  spread_tiles_in(call, box);
}
void interpolate_tiles_float(const WideInterpolate<float>& call, const GroupBox& box) {
  interpolate_tiles_in(call, box);
}
void interpolate_tiles_double(const WideInterpolate<double>& call, const GroupBox& box) {
  interpolate_tiles_in(call, box);
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::cpu {
namespace {

HWY_EXPORT(spread_tiles_float);
HWY_EXPORT(spread_tiles_double);
HWY_EXPORT(interpolate_tiles_float);
HWY_EXPORT(interpolate_tiles_double);

void spread_box(const WideSpread<float>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(spread_tiles_float)(call, box);
}
void spread_box(const WideSpread<double>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(spread_tiles_double)(call, box);
}
void interpolate_box(const WideInterpolate<float>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(interpolate_tiles_float)(call, box);
}
void interpolate_box(const WideInterpolate<double>& call, const GroupBox& box) {
  HWY_DYNAMIC_DISPATCH(interpolate_tiles_double)(call, box);
}

} // namespace

template <class T> void spread_tiles(const SpreadCall<T>& call) {
  const WideSpread<T> wide(call);
  const std::int64_t least = std::max(wide.reach(), least_brick_width);
  Slabs::of<T>(call.order, least).for_each_apart(call.cpu, [&](const GroupBox& box) { spread_box(wide, box); });
}
template <class T> void interpolate_tiles(const InterpolateCall<T>& call) {
  const WideInterpolate<T> wide(call);
  const Slabs slabs = Slabs::of<T>(call.order, least_brick_width);
  slabs.for_each_slab(call.cpu, [&](const GroupBox& box) { interpolate_box(wide, box); });
}

template void spread_tiles(const SpreadCall<float>&);
template void spread_tiles(const SpreadCall<double>&);
template void interpolate_tiles(const InterpolateCall<float>&);
template void interpolate_tiles(const InterpolateCall<double>&);

} // namespace corral::cpu
#endif

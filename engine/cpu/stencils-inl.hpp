// Each particle its own stencil on the caller's fields. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_STENCILS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_STENCILS_INL
#undef CORRAL_CPU_STENCILS_INL
#else
#define CORRAL_CPU_STENCILS_INL
#endif

#include "engine/cpu/batch_rows-inl.hpp"
#include "engine/cpu/wide_call.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// Calls f(offset in the field, weight) for the points of particle p's stencil that boundaries leave, one by one.
template <class T, class Point, class F>
HWY_INLINE void for_each_point(const Strand<T, Point>& strand, const StrandSets<T>& sets, int p, const F& f) {
  const AxisPoints<T>&x = strand.points[0], &y = strand.points[1], &z = strand.points[2];
  const T *wx = sets.x.of(p), *wy = sets.y.of(p), *wz = sets.z.of(p);
  const auto at = [&](std::int32_t first, int i) { return static_cast<std::size_t>(first + i); };
  for (int c = 0; c < strand.stencil_points(2); ++c)
    for (int b = 0; b < strand.stencil_points(1); ++b) {
      const std::size_t j = at(sets.y.first[p], b), k = at(sets.z.first[p], c);
      const T row = wz[c] * wy[b] * (z.sign[k] * y.sign[j]);
      if (z.sign[k] * y.sign[j] == 0) continue;
      for (int a = 0; a < strand.stencil_points(0); ++a) {
        const std::size_t i = at(sets.x.first[p], a);
        if (x.sign[i] != 0) f(z.offset[k] + y.offset[j] + x.offset[i], row * (wx[a] * x.sign[i]));
      }
    }
}

/// Sorts the particles of a batch into those whose stencils are plain rows, and others: which[0 .. plain) and
/// which[plain .. n). Returns the number of plain ones.
template <class T, class Point>
HWY_INLINE int plain_first(const Strand<T, Point>& strand, const StrandSets<T>& sets, int n, std::int32_t* which) {
  int plain = 0, other = n;
  for (std::int32_t p = 0; p < n; ++p)
    which[strand.plain(sets.x.first[p], sets.y.first[p], sets.z.first[p]) ? plain++ : --other] = p;
  return plain;
}

template <class T, class Point>
HWY_INLINE void at_field(const Strand<T, Point>& strand, const StrandSets<T>& sets, int n, BatchRows<T>& rows) {
  for (int p = 0; p < n; ++p) rows.at_x[p] = strand.points[0].offset[static_cast<std::size_t>(sets.x.first[p])];
}

template <class T> void spread_stencils_in(const WideSpread<T>& wide, const Box& box) {
  WeightSets<T> sets(wide.call);
  BatchRows<T> rows(wide.call.kernel.widest());
  for_each_batch<T>(wide.call.order, box, [&](const ParticleBatch<T>& batch) HWY_ATTR {
    sets.set(batch);
    for (const auto& strand : wide.strands) {
      const StrandSets<T> s(sets, strand);
      read_values(wide.call, strand, batch, rows);
      at_field(strand, s, batch.n, rows);
      const int plain = plain_first(strand, s, batch.n, rows.which);
      auto stencils = stencil_rows(strand, s, strand.data, rows);
      stencils.n = plain;
      stencils.row_y = strand.points[1].offset.data();
      stencils.row_z = strand.points[2].offset.data();
      spread_x(s.x, strand, batch.n, rows);
      add_stencils(stencils);
      for (int l = plain; l < batch.n; ++l) {
        const std::int32_t p = rows.which[l];
        for_each_point(strand, s, p, [&](std::int64_t at, T weight) {
          for (int lane = 0; lane < strand.lanes; ++lane)
            strand.data[at + lane] += weight * rows.value[p * strand.lanes + lane];
        });
      }
    }
  });
}

template <class T> void interpolate_stencils_in(const WideInterpolate<T>& wide, const Box& box) {
  WeightSets<T> sets(wide.call);
  BatchRows<T> rows(wide.call.kernel.widest());
  for_each_batch<T>(wide.call.order, box, [&](const ParticleBatch<T>& batch) HWY_ATTR {
    sets.set(batch);
    for (const auto& strand : wide.strands) {
      const StrandSets<T> s(sets, strand);
      at_field(strand, s, batch.n, rows);
      const int plain = plain_first(strand, s, batch.n, rows.which);
      auto stencils = stencil_rows(strand, s, strand.data, rows);
      stencils.n = plain;
      stencils.row_y = strand.points[1].offset.data();
      stencils.row_z = strand.points[2].offset.data();
      repeat_x(s.x, strand, batch.n, rows);
      std::fill_n(rows.value, batch.n * strand.lanes, T(0));
      sum_stencils(stencils, strand.lanes, rows.value);
      for (int l = plain; l < batch.n; ++l) {
        const std::int32_t p = rows.which[l];
        for_each_point(strand, s, p, [&](std::int64_t at, T weight) {
          for (int lane = 0; lane < strand.lanes; ++lane)
            rows.value[p * strand.lanes + lane] += weight * strand.data[at + lane];
        });
      }
      write_values(wide.call, strand, batch, rows);
    }
  });
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

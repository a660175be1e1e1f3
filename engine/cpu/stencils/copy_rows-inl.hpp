// Copies of a field's points and the stencils of batches in them. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_COPY_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_COPY_ROWS_INL
#undef CORRAL_CPU_COPY_ROWS_INL
#else
#define CORRAL_CPU_COPY_ROWS_INL
#endif

#include "engine/cpu/stencils/batch_rows-inl.hpp"
#include "engine/cpu/stencils/brick.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// to[i] += factor * from[i], n values
template <class T>
HWY_INLINE void add_run(const T* HWY_RESTRICT from, T factor, std::int64_t n, T* HWY_RESTRICT to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

/// Calls run(value in the copy, offset in the field, values) for the stretches of a row whose points follow each other
/// in both, and point(value in the copy, offset in the field, sign) for its other points, in ascending order.
template <class T, class Point, class Run, class One>
HWY_INLINE void along_row(const LanedField<T, Point>& laned, std::int64_t low, std::int64_t high, const Run& run,
                          const One& one) {
  const AxisPoints<T>& x = laned.points[0];
  const bool adjoining = laned.stride[0] == laned.lanes;
  const std::int64_t run_begin = std::clamp(x.run_begin, low, high);
  const std::int64_t run_end = adjoining ? std::clamp(x.run_end, run_begin, high) : run_begin;
  const auto points = [&](std::int64_t begin, std::int64_t end) HWY_ATTR {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t lane = 0; lane < laned.lanes; ++lane)
        one((i - low) * laned.lanes + lane, x.offset[i] + lane, x.sign[i]);
    }
  };
  points(low, run_begin);
  if (run_end > run_begin)
    run((run_begin - low) * laned.lanes, x.offset[run_begin], (run_end - run_begin) * laned.lanes);
  points(run_end, high);
}

/// Asks for a row of the field.
template <class T, class Point>
HWY_INLINE void prefetch_row(const LanedField<T, Point>& laned, const GroupBox& points, std::int64_t j,
                             std::int64_t k) {
  constexpr std::int64_t line = 64 / sizeof(T);
  const auto index = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  const Point* row = laned.data + (laned.points[1].offset[index(j)] + laned.points[2].offset[index(k)] +
                                    laned.points[0].offset[index(points.low[0])]);
  const std::int64_t values = (points.high[0] - points.low[0]) * laned.lanes;
  for (std::int64_t i = 0; i < values; i += line) hwy::Prefetch(row + i);
}

/// Calls f(row of the copy, offset in the field, sign) for the rows of a box of the copy's points.
template <class T, class Point, class F>
HWY_INLINE void for_each_row(const LanedField<T, Point>& laned, BrickCopy<T>& copy, const GroupBox& points,
                             const F& f) {
  constexpr std::int64_t ahead = 4;
  const std::int64_t across = points.high[1] - points.low[1];
  for (std::int64_t k = points.low[2]; k < points.high[2]; ++k)
    for (std::int64_t j = points.low[1]; j < points.high[1]; ++j) {
      if (j + ahead < points.high[1])
        prefetch_row(laned, points, j + ahead, k);
      else if (k + 1 < points.high[2] && ahead <= across)
        prefetch_row(laned, points, j + ahead - across, k + 1);
      const auto b = static_cast<std::size_t>(j), c = static_cast<std::size_t>(k);
      f(copy.row(j, k), laned.points[1].offset[b] + laned.points[2].offset[c],
        laned.points[1].sign[b] * laned.points[2].sign[c]);
    }
}

/// The field += the copy, whose rows are whole, at a box of its points.
template <class T>
HWY_INLINE void add_copy(const LanedField<T, T>& laned, BrickCopy<T>& copy, const GroupBox& points) {
  for_each_row(laned, copy, points, [&](const T* from, std::int64_t at, T sign) HWY_ATTR {
    if (sign == 0) return;
    T* to = laned.data + at;
    along_row(
        laned, points.low[0], points.high[0],
        [&](std::int64_t i, std::int64_t offset, std::int64_t n) HWY_ATTR { add_run(from + i, sign, n, to + offset); },
        [&](std::int64_t i, std::int64_t offset, T x_sign) HWY_ATTR {
          if (x_sign != 0) to[offset] += sign * x_sign * from[i];
        });
  });
}

/// The rows of a whole batch in the copy. Where `apart` is more than 1, of particles that far apart in the order.
template <class T, class Point>
HWY_INLINE StencilRows<T, Point, PitchedRows> rows_in_copy(const LanedField<T, Point>& laned, const LanedSets<T>& sets,
                                                           BrickCopy<T>& copy, int n, int apart, BatchRows<T>& rows) {
  for (int p = 0; p < n; ++p) rows.at[p] = copy.at(sets.x.first[p], sets.y.first[p], sets.z.first[p]);
  int l = 0;
  for (int first = 0; first < apart; ++first)
    for (int p = first; p < n; p += apart) rows.which[l++] = p;
  const PitchedRows places{rows.at, copy.pitch_y(), copy.pitch_z()};
  auto s = stencil_rows<T, Point>(laned, sets, copy.data(), places, rows);
  s.n = n;
  return s;
}

/// A row is read back wholly or not at all while it waits to be written: rows that overlap those of the particle before
/// wait for them. Of stencils with few rows it is still their turn then; so particles are taken from here and there.
template <class T, class Point> HWY_INLINE int particles_apart(const LanedField<T, Point>& laned) {
  constexpr int stores_that_wait = 64;
  return laned.stencil_points(1) * laned.stencil_points(2) < stores_that_wait ? 8 : 1;
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

// Batches of particles made ready for the rows of a field, and for copies of its points. Included once per instruction
// set; the guard is Highway's.
#if defined(CORRAL_CPU_BATCH_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_BATCH_ROWS_INL
#undef CORRAL_CPU_BATCH_ROWS_INL
#else
#define CORRAL_CPU_BATCH_ROWS_INL
#endif

#include "engine/cpu/stencils/brick.hpp"
#include "engine/cpu/stencils/stencil_rows-inl.hpp"
#include "engine/cpu/stencils/wide_call.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// The weights that a field takes from those of a call.
template <class T> struct LanedSets {
  const WeightSet<T>&x, &y, &z;

  template <class Point>
  LanedSets(const WeightSets<T>& sets, const LanedField<T, Point>& s)
      : x(sets(0, s.support.axis[0])), y(sets(1, s.support.axis[1])), z(sets(2, s.support.axis[2])) {}
};

/// Asks for what the particles [first, end) of the order will be read from.
template <class T, class Term>
HWY_INLINE void prefetch_particles(const MapCall<T, Term>& call, std::int64_t first, std::int64_t end) {
  constexpr std::int64_t line = 64 / sizeof(T);
  for (std::int64_t p = first; p < end + line - 1; p += line)
    for (const Array<T>& u : call.order.fraction) hwy::Prefetch(u.data() + p);
  if (!call.order.identity) return;
  for (const Term& term : call.terms) {
    const auto [data, n, stride] = term.column;
    if (stride > line) continue;
    for (std::int64_t v = first * stride; v < end * stride + line - 1; v += line) hwy::Prefetch(data + v);
  }
}

/// values = the field's columns at the batch's particles, [lane][particle].
template <class T>
HWY_INLINE void read_values(const SpreadCall<T>& call, const LanedField<T, T>& laned, const ParticleBatch<T>& batch,
                            T* values) {
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(laned.lanes); ++lane) {
    const Column<const T>& column = call.terms[laned.term[lane]].column;
    T* value = values + lane * batch.capacity;
    if (call.order.identity && column.stride == 1)
      for (int p = 0; p < batch.n; ++p) value[p] = column.data[batch.place[p]];
    else
      for (int p = 0; p < batch.n; ++p) value[p] = column[call.order.source(batch.place[p])];
  }
}
/// The other way round.
template <class T>
HWY_INLINE void write_values(const InterpolateCall<T>& call, const LanedField<T, const T>& laned,
                             const ParticleBatch<T>& batch, const T* values) {
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(laned.lanes); ++lane) {
    const Column<T>& column = call.terms[laned.term[lane]].column;
    const T* value = values + lane * batch.capacity;
    if (call.order.identity && column.stride == 1)
      for (int p = 0; p < batch.n; ++p) column.data[batch.place[p]] = value[p];
    else
      for (int p = 0; p < batch.n; ++p) column[call.order.source(batch.place[p])] = value[p];
  }
}

/// rows.x of a field = weights along x, [point][particle], times `factor`, [lane][particle] (null: 1), turned into rows: four
/// particles and four values of their rows at a time.
template <class T, class Point>
HWY_INLINE void set_x(const WeightSet<T>& x, const LanedField<T, Point>& laned, const T* factor, int n,
                      BatchRows<T>& rows, int field = 0) {
  using Quad = Pack<T, 4>;
  constexpr int batch = BatchRows<T>::capacity;
  const int lanes = laned.lanes, values = lanes * laned.stencil_points(0);
  for (int i = 0; i < values; i += 4) {
    const T *weight[4], *times[4];
    for (int v = 0; v < 4; ++v) {
      const int value = std::min(i + v, values - 1); // what lies beyond is written and not used
      const int point = lanes == 2 ? value / 2 : value;
      weight[v] = x.weights.data() + point * batch;
      times[v] = factor == nullptr ? nullptr : factor + (value - point * lanes) * batch;
    }
    for (int p = 0; p < n; p += 4) {
      Quad row[4];
      for (int v = 0; v < 4; ++v) {
        row[v] = Quad::load(weight[v] + p);
        if (factor != nullptr) row[v] = row[v] * Quad::load(times[v] + p);
      }
      transpose(row[0], row[1], row[2], row[3]);
      T* to = rows.x.data() + (field * batch + p) * rows.pitch + i;
      for (int q = 0; q < 4; ++q) row[q].store(to + q * rows.pitch);
    }
  }
}

/// Rows of a field, or of a copy of it at `data`.
template <class T, class Point, class Places>
HWY_INLINE StencilRows<T, Point, Places> stencil_rows(const LanedField<T, Point>& laned, const LanedSets<T>& sets,
                                                      Point* data, const Places& places, const BatchRows<T>& rows) {
  StencilRows<T, Point, Places> s{};
  s.which = rows.which;
  s.values = laned.lanes * laned.stencil_points(0);
  s.points_y = laned.stencil_points(1);
  s.points_z = laned.stencil_points(2);
  s.x = rows.x.data();
  s.pitch = rows.pitch;
  s.y = sets.y.weights.data();
  s.z = sets.z.weights.data();
  s.data[0] = data;
  s.places = places;
  return s;
}

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

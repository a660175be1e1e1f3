// Batches of particles made ready for the rows of a field. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_BATCH_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_BATCH_ROWS_INL
#undef CORRAL_CPU_BATCH_ROWS_INL
#else
#define CORRAL_CPU_BATCH_ROWS_INL
#endif

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

/// rows.value = the field's columns at the batch's particles.
template <class T>
HWY_INLINE void read_values(const SpreadCall<T>& call, const LanedField<T, T>& laned, const ParticleBatch<T>& batch,
                            BatchRows<T>& rows) {
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(laned.lanes); ++lane) {
    const Column<const T>& column = call.terms[laned.term[lane]].column;
    T* value = rows.value + lane * rows.capacity;
    if (call.order.identity && column.stride == 1)
      for (int p = 0; p < batch.n; ++p) value[p] = column.data[batch.place[p]];
    else
      for (int p = 0; p < batch.n; ++p) value[p] = column[call.order.source(batch.place[p])];
  }
}
/// The other way round.
template <class T>
HWY_INLINE void write_values(const InterpolateCall<T>& call, const LanedField<T, const T>& laned,
                             const ParticleBatch<T>& batch, const BatchRows<T>& rows) {
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(laned.lanes); ++lane) {
    const Column<T>& column = call.terms[laned.term[lane]].column;
    const T* value = rows.value + lane * rows.capacity;
    if (call.order.identity && column.stride == 1)
      for (int p = 0; p < batch.n; ++p) column.data[batch.place[p]] = value[p];
    else
      for (int p = 0; p < batch.n; ++p) column[call.order.source(batch.place[p])] = value[p];
  }
}

/// rows.x = weights along x, [point][particle], times `factor`, [lane][particle] (null: 1), turned into rows: four
/// particles and four values of their rows at a time.
template <class T, class Point>
HWY_INLINE void set_x(const WeightSet<T>& x, const LanedField<T, Point>& laned, const T* factor, int n,
                      BatchRows<T>& rows) {
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
      T* to = rows.x.data() + p * rows.pitch + i;
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
  s.data = data;
  s.places = places;
  return s;
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

// Batches of particles made ready for the rows of a strand. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_BATCH_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_BATCH_ROWS_INL
#undef CORRAL_CPU_BATCH_ROWS_INL
#else
#define CORRAL_CPU_BATCH_ROWS_INL
#endif

#include "engine/cpu/stencil_rows-inl.hpp"
#include "engine/cpu/wide_call.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// The weights that a strand takes from those of a call.
template <class T> struct StrandSets {
  const WeightSet<T>&x, &y, &z;

  template <class Point>
  StrandSets(const WeightSets<T>& sets, const Strand<T, Point>& s)
      : x(sets(0, s.support.axis[0])), y(sets(1, s.support.axis[1])), z(sets(2, s.support.axis[2])) {}
};

/// rows.value = the strand's columns at the batch's particles.
template <class T>
HWY_INLINE void read_values(const SpreadCall<T>& call, const Strand<T, T>& strand, const ParticleBatch<T>& batch,
                            BatchRows<T>& rows) {
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(strand.lanes); ++lane) {
    const Column<const T>& column = call.terms[strand.term[lane]].column;
    T* value = rows.value + lane;
    if (call.order.identity && column.stride == 1)
      for (int p = 0; p < batch.n; ++p) value[p * strand.lanes] = column.data[batch.place[p]];
    else
      for (int p = 0; p < batch.n; ++p) value[p * strand.lanes] = column[call.order.source(batch.place[p])];
  }
}
/// The other way round.
template <class T>
HWY_INLINE void write_values(const InterpolateCall<T>& call, const Strand<T, const T>& strand,
                             const ParticleBatch<T>& batch, const BatchRows<T>& rows) {
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(strand.lanes); ++lane) {
    const Column<T>& column = call.terms[strand.term[lane]].column;
    const T* value = rows.value + lane;
    if (call.order.identity && column.stride == 1)
      for (int p = 0; p < batch.n; ++p) column.data[batch.place[p]] = value[p * strand.lanes];
    else
      for (int p = 0; p < batch.n; ++p) column[call.order.source(batch.place[p])] = value[p * strand.lanes];
  }
}

/// rows.x = weights along x times the values that are spread.
template <class T>
HWY_INLINE void spread_x(const WeightSet<T>& x, const Strand<T, T>& strand, int n, BatchRows<T>& rows) {
  const int points = strand.stencil_points(0);
  for (int p = 0; p < n; ++p) {
    const T* w = x.of(p);
    T* to = rows.x.data() + p * rows.pitch;
    const T* value = rows.value + p * strand.lanes;
    if (strand.lanes == 1)
      for (int a = 0; a < points; ++a) to[a] = w[a] * value[0];
    else
      for (int a = 0; a < points; ++a) to[2 * a] = w[a] * value[0], to[2 * a + 1] = w[a] * value[1];
  }
}
/// rows.x = weights along x, for each lane.
template <class T, class Point>
HWY_INLINE void repeat_x(const WeightSet<T>& x, const Strand<T, Point>& strand, int n, BatchRows<T>& rows) {
  if (strand.lanes == 1) return;
  const int points = strand.stencil_points(0);
  for (int p = 0; p < n; ++p) {
    const T* w = x.of(p);
    T* to = rows.x.data() + p * rows.pitch;
    for (int a = 0; a < points; ++a) to[2 * a] = to[2 * a + 1] = w[a];
  }
}

/// Rows of a strand, or of a copy of it at `data`; the caller says where rows begin.
template <class T, class Point>
HWY_INLINE StencilRows<T, Point> stencil_rows(const Strand<T, Point>& strand, const StrandSets<T>& sets, Point* data,
                                              const BatchRows<T>& rows) {
  StencilRows<T, Point> s{};
  s.which = rows.which;
  s.values = strand.lanes * strand.stencil_points(0);
  s.points_y = strand.stencil_points(1);
  s.points_z = strand.stencil_points(2);
  const bool own = std::is_const_v<Point> && strand.lanes == 1; // interpolation weighs rows as they are
  s.x = own ? sets.x.weights.data() : rows.x.data();
  s.pitch_x = own ? sets.x.pitch : rows.pitch;
  s.y = sets.y.weights.data(), s.pitch_y = sets.y.pitch;
  s.z = sets.z.weights.data(), s.pitch_z = sets.z.pitch;
  s.data = data;
  s.at_x = rows.at_x;
  s.first_y = sets.y.first, s.first_z = sets.z.first;
  return s;
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

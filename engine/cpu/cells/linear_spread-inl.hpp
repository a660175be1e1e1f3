// Trilinear spreading, row by row of cells. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_LINEAR_SPREAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_LINEAR_SPREAD_INL
#undef CORRAL_CPU_LINEAR_SPREAD_INL
#else
#define CORRAL_CPU_LINEAR_SPREAD_INL
#endif

#include "engine/cpu/cells/linear_shapes-inl.hpp"
#include "engine/cpu/cells/row_method.hpp"

#include <hwy/cache_control.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// Calls add(p) for the particles of a cell, in pieces; each asks for the cache lines that a later one will read, since
/// short runs defeat the hardware's own prefetcher. A fixed number of lines, and one set of sums, because a branch that
/// depends on the count of a cell's particles is mispredicted as often as not.
template <std::size_t F, class T, class Add>
HWY_INLINE void for_each_particle(const SpreadTask<T>& task, int cell, const Add& add) {
  constexpr std::int32_t line = 64 / sizeof(T), piece = 2 * line, ahead = 256;
  const std::int32_t end = task.begin[cell + 1];
  for (std::int32_t p = task.begin[cell]; p < end;) {
    for (std::int32_t l = p + ahead; l < p + ahead + piece; l += line) {
      for (std::size_t d = 0; d < 3; ++d) hwy::Prefetch(task.u[d] + l);
      for (std::size_t f = 0; f < F; ++f) hwy::Prefetch(task.value[f] + l);
    }
    for (const std::int32_t stop = std::min(end, p + piece); p < stop; ++p) add(p);
  }
}

/// F fields of one staggering.
template <std::size_t F, class T, class Shape>
HWY_NOINLINE void spread_row(const Shape& shape, const SpreadTask<T>& task, std::array<std::int64_t, 3> stride) {
  typename Shape::Row row[F];
  for (auto& r : row) {
    r.clear();
    if constexpr (requires { shape.width; }) r.straddled_x = shape.width[0] == 3;
  }
  for (int cell = 0; cell < task.cells; ++cell) {
    typename Shape::Sums sums[F];
    for (auto& s : sums) s.clear();
    for_each_particle<F, T>(task, cell, [&](std::int32_t p) HWY_ATTR {
      const auto w = shape.weights(Oct<T>::all(task.u[0][p]), Oct<T>::all(task.u[1][p]), Oct<T>::all(task.u[2][p]));
      for (std::size_t f = 0; f < F; ++f) sums[f].add(w, Oct<T>::all(task.value[f][p]));
    });
    for (std::size_t f = 0; f < F; ++f) row[f].put(cell, sums[f]);
  }
  for (std::size_t f = 0; f < F; ++f) shape.flush(row[f], task.cells, task.point[f], stride);
}

template <class T, class Shape>
void spread_shape(const Shape& shape, const SpreadTask<T>& task, std::array<std::int64_t, 3> stride) {
  switch (task.fields) {
  case 1: return spread_row<1, T>(shape, task, stride);
  case 2: return spread_row<2, T>(shape, task, stride);
  case 3: return spread_row<3, T>(shape, task, stride);
  default: return spread_row<4, T>(shape, task, stride);
  }
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

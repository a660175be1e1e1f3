// How the points of a cell lie in registers while linear spreads to faces in a grid of one cell along x. Included once per
// instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_LINEAR_THIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_LINEAR_THIN_INL
#undef CORRAL_CPU_LINEAR_THIN_INL
#else
#define CORRAL_CPU_LINEAR_THIN_INL
#endif

#include "engine/cpu/cells/linear_shapes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// One point along x, straddled along y (D = 1) or z (D = 2): lane = (the other of y and z) 4 + (low, total, high, unused).
/// Sums have the bits that AnyShape gives them, whose lanes for two more points along x would stay empty.
template <class T, int D> struct ThinX {
  LaneLines<T> straddled{3, {0, 1, 2, -1, 0, 1, 2, -1}}, other{2, {0, 0, 0, 0, 1, 1, 1, 1}};

  using Weights = Oct<T>;
  struct Sums {
    Oct<T> all;
    HWY_INLINE void clear() { all = Oct<T>::zero(); }
    HWY_INLINE void add(const Weights& w, const Oct<T>& value) { all = fma(w, value, all); }
  };
  HWY_INLINE Weights weights(const Oct<T>&, const Oct<T>& uy, const Oct<T>& uz) const {
    const Oct<T>&m = D == 1 ? uy : uz, &l = D == 1 ? uz : uy;
    return fma(m, Oct<T>::load(straddled.slope), Oct<T>::load(straddled.intercept)).positive_part() *
           fma(l, Oct<T>::load(other.slope), Oct<T>::load(other.intercept)).positive_part();
  }
  struct Row {
    T b[8 * row_cells];
    HWY_INLINE void clear() {}
    HWY_INLINE void put(int cell, const Sums& s) { s.all.store(b + 8 * cell); }
  };
  HWY_INLINE void flush(const Row& r, int cells, T* to, std::array<std::int64_t, 3> stride) const {
    for (int cell = 0; cell < cells; ++cell)
      for (int half = 0; half < 2; ++half) {
        const T* b = r.b + 8 * cell + 4 * half;
        T* point = to + cell + half * stride[3 - D];
        point[0] += b[0];
        point[stride[D]] += b[1] - b[0] - b[2];
        point[2 * stride[D]] += b[2];
      }
  }
};

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

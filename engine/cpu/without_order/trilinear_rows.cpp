#include "engine/cpu/without_order/trilinear_rows.hpp"

#include <algorithm>

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/without_order/trilinear_rows.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/machine/pack-inl.hpp"

#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// The eight points of trilinear stencils as four rows, W fields wide.
template <class T, std::size_t W> class RowStencils {
public:
  using Row = Pack<T, 2 * W>;
  static constexpr int ahead = 16; ///< particles: memory lies anywhere, and comes later than the work on one takes

  RowStencils(const PointRows<T>& rows, const TrilinearBatch<T>& batch)
      : values_(rows.values), batch_(batch), y_(rows.pitch * static_cast<std::int64_t>(W)),
        z_(rows.plane * static_cast<std::int64_t>(W)) {}

  /// The rows of particle i: lower and upper plane, lower and upper along y in each.
  HWY_INLINE T* lower(int i) const { return values_ + static_cast<std::size_t>(batch_.point[i]) * W; }
  HWY_INLINE T* upper(int i) const { return lower(i) + z_; }
  HWY_INLINE std::int64_t next() const { return y_; }

  HWY_INLINE void expect(int i) const {
    for (T* plane : {lower(i), upper(i)})
      for (T* row : {plane, plane + y_}) hwy::Prefetch(row), hwy::Prefetch(row + 2 * W - 1);
  }

  /// Weights along x, once per field.
  HWY_INLINE Row along_x(int i) const {
    constexpr T one = 1;
    alignas(64) static constexpr T at_0[8] = {one, one, W == 4, W == 4}, wide[8] = {-1, -1, -1, -1, 1, 1, 1, 1},
                                   narrow[8] = {-1, -1, 1, 1};
    return fma(Row::all(batch_.u[0][i]), Row::load(W == 4 ? wide : narrow), Row::load(at_0));
  }
  HWY_INLINE T y(int i) const { return batch_.u[1][i]; }
  HWY_INLINE T z(int i) const { return batch_.u[2][i]; }

private:
  T* values_;
  const TrilinearBatch<T>& batch_;
  std::int64_t y_, z_;
};

/// Calls f(i) for the chosen particles, and some time before asks for their memory.
template <class T, std::size_t W, class F>
HWY_INLINE void for_each_chosen(const RowStencils<T, W>& stencils, const ChosenParticles& chosen, const F& f) {
  for (int c = 0; c < std::min(chosen.count, stencils.ahead); ++c) stencils.expect(chosen.particle[c]);
  for (int c = 0; c < chosen.count; ++c) {
    if (c + stencils.ahead < chosen.count) stencils.expect(chosen.particle[c + stencils.ahead]);
    f(chosen.particle[c]);
  }
}

/// Stores the sums over the two points of a row.
template <class T> HWY_INLINE void store_sum_of_points(const Pack<T, 8>& both, T* to) {
  (low(both) + high(both)).store(to);
}
template <class T> HWY_INLINE void store_sum_of_points(const Pack<T, 4>& both, T* to) {
  T v[4];
  both.store(v);
  to[0] = v[0] + v[2], to[1] = v[1] + v[3];
}

template <class T, std::size_t W>
void read_wide(const PointRows<T>& rows, TrilinearBatch<T>& batch, const ChosenParticles& chosen) {
  using Row = Pack<T, 2 * W>;
  const RowStencils<T, W> stencils(rows, batch);
  for_each_chosen(stencils, chosen, [&](int i) HWY_ATTR {
    const T *const lower = stencils.lower(i), *const upper = stencils.upper(i), y = stencils.y(i), z = stencils.z(i);
    Row sum = Row::all((1 - z) * (1 - y)) * Row::load(lower);
    sum = fma(Row::all((1 - z) * y), Row::load(lower + stencils.next()), sum);
    sum = fma(Row::all(z * (1 - y)), Row::load(upper), sum);
    sum = fma(Row::all(z * y), Row::load(upper + stencils.next()), sum);
    store_sum_of_points(sum * stencils.along_x(i), batch.value + i * batch.value_width);
  });
}

/// The values of a particle for both points of a row.
template <class T> HWY_INLINE void load_twice(const T* from, Pack<T, 8>& to) { to = twice(Pack<T, 4>::load(from)); }
template <class T> HWY_INLINE void load_twice(const T* from, Pack<T, 4>& to) { to = Pack<T, 4>::load(from); }

template <class T, std::size_t W>
void add_wide(const PointRows<T>& rows, const TrilinearBatch<T>& batch, const ChosenParticles& chosen,
              const PointRange& range) {
  using Row = Pack<T, 2 * W>;
  const RowStencils<T, W> stencils(rows, batch);
  for_each_chosen(stencils, chosen, [&](int i) HWY_ATTR {
    Row value;
    load_twice(batch.value + i * batch.value_width, value);
    const Row q = value * stencils.along_x(i);
    const T y = stencils.y(i), z = stencils.z(i);
    const auto add = [&](T weight, T* row) HWY_ATTR { fma(Row::all(weight), q, Row::load(row)).store(row); };
    const std::int64_t below = batch.point[i], above = below + rows.plane;
    if (below >= range.begin) {
      add((1 - z) * (1 - y), stencils.lower(i));
      add((1 - z) * y, stencils.lower(i) + stencils.next());
    }
    if (above < range.end) {
      add(z * (1 - y), stencils.upper(i));
      add(z * y, stencils.upper(i) + stencils.next());
    }
  });
}

template <class T> void read(const PointRows<T>& rows, TrilinearBatch<T>& batch, const ChosenParticles& chosen) {
  if (rows.width == 4) read_wide<T, 4>(rows, batch, chosen);
  else read_wide<T, 2>(rows, batch, chosen);
}
template <class T>
void add(const PointRows<T>& rows, const TrilinearBatch<T>& batch, const ChosenParticles& chosen,
         const PointRange& range) {
  if (rows.width == 4) add_wide<T, 4>(rows, batch, chosen, range);
  else add_wide<T, 2>(rows, batch, chosen, range);
}

void read_float(const PointRows<float>& r, TrilinearBatch<float>& b, const ChosenParticles& c) { read(r, b, c); }
void read_double(const PointRows<double>& r, TrilinearBatch<double>& b, const ChosenParticles& c) { read(r, b, c); }
void add_float(const PointRows<float>& r, const TrilinearBatch<float>& b, const ChosenParticles& c,
               const PointRange& range) {
  add(r, b, c, range);
}
void add_double(const PointRows<double>& r, const TrilinearBatch<double>& b, const ChosenParticles& c,
                const PointRange& range) {
  add(r, b, c, range);
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::cpu {

HWY_EXPORT(read_float);
HWY_EXPORT(read_double);
HWY_EXPORT(add_float);
HWY_EXPORT(add_double);

template <>
void read_rows(const PointRows<float>& rows, TrilinearBatch<float>& batch, const ChosenParticles& chosen) {
  HWY_DYNAMIC_DISPATCH(read_float)(rows, batch, chosen);
}
template <>
void read_rows(const PointRows<double>& rows, TrilinearBatch<double>& batch, const ChosenParticles& chosen) {
  HWY_DYNAMIC_DISPATCH(read_double)(rows, batch, chosen);
}
template <>
void add_rows(const PointRows<float>& rows, const TrilinearBatch<float>& batch, const ChosenParticles& chosen,
              const PointRange& range) {
  HWY_DYNAMIC_DISPATCH(add_float)(rows, batch, chosen, range);
}
template <>
void add_rows(const PointRows<double>& rows, const TrilinearBatch<double>& batch, const ChosenParticles& chosen,
              const PointRange& range) {
  HWY_DYNAMIC_DISPATCH(add_double)(rows, batch, chosen, range);
}

} // namespace corral::cpu
#endif

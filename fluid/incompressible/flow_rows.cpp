#include "fluid/incompressible/flow_rows.hpp"

#include <corral/array.hpp>

#include <algorithm>

// Compiled once per instruction set and chosen at run time. No multiply-add is fused: the same bits on all of them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/incompressible/flow_rows.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/incompressible/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

/// Differences of differences: between neighbours they cancel to the bit.
template <class T> HWY_INLINE T second_difference(const T& low, const T& here, const T& high) {
  return (high - here) - (here - low);
}

template <class T> HWY_INLINE T twice_mean(const double* row, std::int64_t a, std::int64_t b) {
  return value_at<T>(row + a) + value_at<T>(row + b);
}

/// What rows of all components have. Where `still`, the velocity that is carried is the one that viscosity acts on.
template <bool still, bool pressed> struct RowTerms {
  const double *u, *y_low, *y_high, *z_low, *z_high; ///< carried
  const double *s, *s_y_low, *s_y_high, *s_z_low, *s_z_high;
  const double *force, *q, *q_back;
  MomentumFactors f;

  explicit RowTerms(const MomentumRow& r)
      : u(r.carried.centre), y_low(r.carried.low[0]), y_high(r.carried.high[0]), z_low(r.carried.low[1]),
        z_high(r.carried.high[1]), s(r.start.centre), s_y_low(r.start.low[0]), s_y_high(r.start.high[0]),
        s_z_low(r.start.low[1]), s_z_high(r.start.high[1]), force(r.force), q(r.q), q_back(r.q_back), f(r.factors) {}

  /// The row and those around it, at one place.
  template <class T> struct Values { T here, x_low, x_high, y_low, y_high, z_low, z_high; };
  template <class T> HWY_INLINE Values<T> carried(std::int64_t i, std::int64_t low, std::int64_t high) const {
    return {value_at<T>(u + i),      value_at<T>(u + low),   value_at<T>(u + high),  value_at<T>(y_low + i),
            value_at<T>(y_high + i), value_at<T>(z_low + i), value_at<T>(z_high + i)};
  }
  template <class T>
  HWY_INLINE T viscous(const Values<T>& c, std::int64_t i, std::int64_t low, std::int64_t high) const {
    const Values<T> v =
        still ? c : Values<T>{value_at<T>(s + i),       value_at<T>(s + low),      value_at<T>(s + high),
                              value_at<T>(s_y_low + i), value_at<T>(s_y_high + i), value_at<T>(s_z_low + i),
                              value_at<T>(s_z_high + i)};
    return T(f.viscosity[0]) * second_difference(v.x_low, v.here, v.x_high) +
           T(f.viscosity[1]) * second_difference(v.y_low, v.here, v.y_high) +
           T(f.viscosity[2]) * second_difference(v.z_low, v.here, v.z_high);
  }
  template <class T>
  HWY_INLINE T sum(const T& viscous_part, const T& advection, std::int64_t i, const double* before) const {
    const T all = viscous_part - advection + (T(f.force) * value_at<T>(force + i) + T(f.body));
    if constexpr (pressed) return all - T(f.pressure) * (value_at<T>(q + i) - value_at<T>(before));
    return all;
  }
};

template <bool still, bool pressed> struct RowOfX {
  RowTerms<still, pressed> r;
  const double *v_low, *v_high, *w_low, *w_high;

  template <class T> HWY_INLINE T operator()(std::int64_t i, std::int64_t low, std::int64_t high) const {
    const auto c = r.template carried<T>(i, low, high);
    const T right = c.here + c.x_high, left = c.x_low + c.here;
    const T y = (c.here + c.y_high) * twice_mean<T>(v_high, low, i) - (c.y_low + c.here) * twice_mean<T>(v_low, low, i);
    const T z = (c.here + c.z_high) * twice_mean<T>(w_high, low, i) - (c.z_low + c.here) * twice_mean<T>(w_low, low, i);
    const T advection =
        T(r.f.advection[0]) * (right * right - left * left) + T(r.f.advection[1]) * y + T(r.f.advection[2]) * z;
    return r.template sum<T>(r.template viscous<T>(c, i, low, high), advection, i, r.q + low);
  }
};

/// `normal` is 0 for component y and 1 for z.
template <int normal, bool still, bool pressed> struct RowOfOther {
  RowTerms<still, pressed> r;
  const double *a, *a_back, *b_low, *b_low_back, *b_high, *b_high_back;

  template <class T> HWY_INLINE T operator()(std::int64_t i, std::int64_t low, std::int64_t high) const {
    const auto c = r.template carried<T>(i, low, high);
    const T x = (c.here + c.x_high) * (value_at<T>(a_back + high) + value_at<T>(a + high)) -
                (c.x_low + c.here) * (value_at<T>(a_back + i) + value_at<T>(a + i));
    const T on = c.here + (normal == 0 ? c.y_high : c.z_high), back = (normal == 0 ? c.y_low : c.z_low) + c.here;
    const T side =
        (c.here + (normal == 0 ? c.z_high : c.y_high)) * (value_at<T>(b_high_back + i) + value_at<T>(b_high + i)) -
        ((normal == 0 ? c.z_low : c.y_low) + c.here) * (value_at<T>(b_low_back + i) + value_at<T>(b_low + i));
    const T advection = T(r.f.advection[0]) * x + T(r.f.advection[1 + normal]) * (on * on - back * back) +
                        T(r.f.advection[2 - normal]) * side;
    return r.template sum<T>(r.template viscous<T>(c, i, low, high), advection, i, r.q_back + i);
  }
};

template <bool still, bool pressed> void row_of_x(const MomentumRow& r, const CarriersOfX& c, double* to) {
  const RowOfX<still, pressed> row{RowTerms<still, pressed>(r), c.low[0], c.high[0], c.low[1], c.high[1]};
  each_of_row(r.n, to, row);
}
template <int normal, bool still, bool pressed>
void row_of_other(const MomentumRow& r, const CarriersOfOther& c, double* to) {
  const RowOfOther<normal, still, pressed> row{
      RowTerms<still, pressed>(r), c.x, c.x_back, c.beside_low, c.beside_low_back, c.beside_high, c.beside_high_back};
  each_of_row(r.n, to, row);
}

inline void rows_of_x(const MomentumRow& r, const CarriersOfX& c, double* to) {
  const bool still = r.start.centre == r.carried.centre;
  if (r.q != nullptr)
    still ? row_of_x<true, true>(r, c, to) : row_of_x<false, true>(r, c, to);
  else
    still ? row_of_x<true, false>(r, c, to) : row_of_x<false, false>(r, c, to);
}

template <int normal> void rows_of_component(const MomentumRow& r, const CarriersOfOther& c, double* to) {
  const bool still = r.start.centre == r.carried.centre;
  if (r.q != nullptr)
    still ? row_of_other<normal, true, true>(r, c, to) : row_of_other<normal, false, true>(r, c, to);
  else
    still ? row_of_other<normal, true, false>(r, c, to) : row_of_other<normal, false, false>(r, c, to);
}
inline void rows_of_other(const MomentumRow& r, const CarriersOfOther& c, double* to) {
  c.normal == 0 ? rows_of_component<0>(r, c, to) : rows_of_component<1>(r, c, to);
}

} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::fluid {

HWY_EXPORT(rows_of_x);
HWY_EXPORT(rows_of_other);

void momentum_row(const MomentumRow& row, const CarriersOfX& carriers, double* to) {
  HWY_DYNAMIC_DISPATCH(rows_of_x)(row, carriers, to);
}
void momentum_row(const MomentumRow& row, const CarriersOfOther& carriers, double* to) {
  HWY_DYNAMIC_DISPATCH(rows_of_other)(row, carriers, to);
}

void mirror_row(std::int64_t n, double wall, const double* inside, double* to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = 2 * wall - inside[i];
}

void MomentumRows::read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to,
                        std::int64_t stride) const {
  const std::int64_t n = layout_.shape.nx;
  const bool low = d_ != 1 && layout_.beside_low_wall(plane), high = d_ != 1 && layout_.beside_high_wall(plane);
  Array<double> beyond(low || high ? 2 * n : 0);
  const double* const u = fields_.start[d_];
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t j = layout_.j(plane, row + r), k = layout_.k(plane, row + r);
    if (low) mirror_row(n, fields_.walls[0], u + layout_.begin(d_, j, k), beyond.data());
    if (high) mirror_row(n, fields_.walls[1], u + layout_.begin(d_, j, k), beyond.data() + n);
    read_row(j, k, {low ? beyond.data() : nullptr, high ? beyond.data() + n : nullptr}, to + r * stride);
  }
}

RowsAround MomentumRows::around(const double* u, std::int64_t j, std::int64_t k, const Beyond& beyond) const {
  const auto row = [&](std::int64_t row_j, std::int64_t row_k) { return u + layout_.begin(d_, row_j, row_k); };
  return {.centre = row(j, k),
          .low = {beyond.low != nullptr ? beyond.low : row(layout_.back(1, j), k), row(j, layout_.back(2, k))},
          .high = {beyond.high != nullptr ? beyond.high : row(layout_.on(1, j), k), row(j, layout_.on(2, k))}};
}

void MomentumRows::read_row(std::int64_t j, std::int64_t k, const Beyond& beyond, double* to) const {
  const ConstFacePointers& u = fields_.carried;
  const double* const own = u[d_];
  const std::int64_t j_back = layout_.back(1, j), k_back = layout_.back(2, k), j_on = layout_.on(1, j), k_on = layout_.on(2, k);
  const std::int64_t at_face = layout_.begin(d_, j, k);
  const double* const q = fields_.q != nullptr ? fields_.q + layout_.begin(0, j, k) : nullptr;
  const double* const q_back = fields_.q == nullptr || d_ == 0 ? nullptr
                               : d_ == 1                       ? fields_.q + layout_.begin(0, j_back, k)
                                                               : fields_.q + layout_.begin(0, j, k_back);
  const MomentumRow row{.n = layout_.shape.nx,
                        .start = around(fields_.start[d_], j, k, beyond),
                        .carried = around(own, j, k, beyond), // nothing comes through a wall, whatever stands beyond
                        .force = fields_.force + at_face,
                        .q = q,
                        .q_back = q_back,
                        .factors = factors_};
  if (d_ == 0)
    momentum_row(row, CarriersOfX{{at(u, 1, j, k), at(u, 2, j, k)}, {at(u, 1, j_on, k), at(u, 2, j, k_on)}}, to);
  else if (d_ == 1)
    momentum_row(row,
                 CarriersOfOther{0, at(u, 0, j, k), at(u, 0, j_back, k), at(u, 2, j, k), at(u, 2, j_back, k),
                                 at(u, 2, j, k_on), at(u, 2, j_back, k_on)},
                 to);
  else
    momentum_row(row,
                 CarriersOfOther{1, at(u, 0, j, k), at(u, 0, j, k_back), at(u, 1, j, k), at(u, 1, j, k_back),
                                 at(u, 1, j_on, k), at(u, 1, j_on, k_back)},
                 to);
}

} // namespace corral::fluid
#endif

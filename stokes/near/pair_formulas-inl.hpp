// What one source does to one target: near fields as formulas of numbers of any kind, to be compiled as its includer says:
//   CORRAL_PAIR_NAMESPACE   where they stand, with multiply_add(a, b, c) = a b + c for the numbers
//   CORRAL_PAIR_INLINE      what they are declared as
// No guard: each instruction set (pair-inl.hpp) and a device (device/point_law.cuh) have their own.

namespace corral::stokes::CORRAL_PAIR_NAMESPACE {

template <class V> CORRAL_PAIR_INLINE V dot(const V* a, const V* b) {
  return multiply_add(a[2], b[2], multiply_add(a[1], b[1], a[0] * b[0]));
}

/// By Radial. Those that a sum does not need are not read.
template <class V> struct RadialValues {
  V of[radial_functions];
  V square; ///< 2 xi^2
  CORRAL_PAIR_INLINE const V& operator()(Radial f) const { return of[static_cast<std::size_t>(f)]; }
};

/// Adds to `out`, columns(sum, all) numbers, what a source of the strength s at the distance r = target - source does.
template <bool all, class V>
CORRAL_PAIR_INLINE void add_stokeslet(const V* r, const RadialValues<V>& radial, const V* f, V* out) {
  const V a = radial(Radial::hasimoto), psi_1 = radial(Radial::psi_1), along = dot(r, f), b = psi_1 * along;
  for (int i = 0; i < 3; ++i) out[i] = multiply_add(a, f[i], multiply_add(b, r[i], out[i]));
  if constexpr (all) {
    out[3] = multiply_add(V(2.0), b, out[3]);
    const V slope = radial(Radial::gauss) - psi_1, c = radial(Radial::psi_2) * along;
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < 3; ++l) {
        V& g = out[4 + 3 * i + l];
        g = multiply_add(multiply_add(slope, f[i], V(0.0) - c * r[i]), r[l], multiply_add(psi_1 * f[l], r[i], g));
        if (i == l) g = g + b;
      }
  }
}

template <bool all, class V>
CORRAL_PAIR_INLINE void add_stresslet(const V* r, const RadialValues<V>& radial, const V* s, V* out) {
  const V *const q = s, *const n = s + 3;
  const V rq = dot(r, q), rn = dot(r, n), qn = dot(q, n), D = radial(Radial::gauss), psi_2 = radial(Radial::psi_2);
  const V both = rq * rn, c = multiply_add(V(-2.0) * psi_2, both, D * qn), of_q = D * rn, of_n = D * rq;
  for (int i = 0; i < 3; ++i)
    out[i] = multiply_add(c, r[i], multiply_add(of_q, q[i], multiply_add(of_n, n[i], out[i])));
  if constexpr (all) {
    out[3] = multiply_add(V(4.0), radial(Radial::psi_1) * qn - psi_2 * both, out[3]);
    const V steep = radial.square * D; // -(dD/dr)/r
    const V twist = V(-2.0) * psi_2;
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < 3; ++l) {
        V& g = out[4 + 3 * i + l];
        // d/dx_l of c, of D (r.n), of D (r.q)
        const V dc = multiply_add(V(2.0) * radial(Radial::psi_3) * both, r[l],
                                  multiply_add(twist, multiply_add(q[l], rn, n[l] * rq), V(0.0) - steep * qn * r[l]));
        const V dq = multiply_add(D, n[l], V(0.0) - steep * rn * r[l]);
        const V dn = multiply_add(D, q[l], V(0.0) - steep * rq * r[l]);
        g = multiply_add(dc, r[i], multiply_add(dq, q[i], multiply_add(dn, n[i], g)));
        if (i == l) g = g + c;
      }
  }
}

template <bool all, class V> CORRAL_PAIR_INLINE void add_rotlet(const V* r, const RadialValues<V>& radial, const V* t, V* out) {
  const V psi_1 = radial(Radial::psi_1);
  const V cross[3]{t[1] * r[2] - t[2] * r[1], t[2] * r[0] - t[0] * r[2], t[0] * r[1] - t[1] * r[0]};
  for (int i = 0; i < 3; ++i) out[i] = multiply_add(psi_1, cross[i], out[i]);
  if constexpr (all) {
    const V psi_2 = radial(Radial::psi_2);
    for (int i = 0; i < 3; ++i) {
      const V c = V(0.0) - psi_2 * cross[i];
      for (int l = 0; l < 3; ++l) out[3 + 3 * i + l] = multiply_add(c, r[l], out[3 + 3 * i + l]);
      const int next = (i + 1) % 3, last = (i + 2) % 3; // (t x r)_i = t_next r_last - t_last r_next
      out[3 + 3 * i + last] = multiply_add(psi_1, t[next], out[3 + 3 * i + last]);
      out[3 + 3 * i + next] = out[3 + 3 * i + next] - psi_1 * t[last];
    }
  }
}

template <bool all, class V> CORRAL_PAIR_INLINE void add_charge(const V* r, const RadialValues<V>& radial, const V* q, V* out) {
  out[0] = multiply_add(radial(Radial::psi_0), q[0], out[0]);
  if constexpr (all) {
    const V c = V(0.0) - radial(Radial::psi_1) * q[0];
    for (int l = 0; l < 3; ++l) out[1 + l] = multiply_add(c, r[l], out[1 + l]);
  }
}

/// Radial functions of a sum. E = exp(-x^2) and erfcx = erfc(x) exp(x^2), x = xi r; inverse = 1/r; unit = 2 xi/sqrt(pi).
/// in_place(which, value) says what counts where both are in one place.
template <Sum sum, bool all, class V, class F>
CORRAL_PAIR_INLINE RadialValues<V> radial_values(const V& erfcx, const V& E, const V& inverse, const V& unit,
                                                 const V& two_xi2, const F& in_place) {
  constexpr RadialSet needed = radial_set(sum, all);
  const V inverse_square = inverse * inverse, B = E * unit, D = B * two_xi2;
  const V psi_0 = erfcx * E * inverse, psi_1 = (psi_0 + B) * inverse_square;
  RadialValues<V> values;
  if constexpr (needed[0]) values.of[0] = in_place(Radial::hasimoto, psi_0 - B);
  if constexpr (needed[1]) values.of[1] = in_place(Radial::psi_0, psi_0);
  if constexpr (needed[2]) values.of[2] = in_place(Radial::psi_1, psi_1);
  const V psi_2 = multiply_add(V(3.0), psi_1, D) * inverse_square;
  if constexpr (needed[3]) values.of[3] = in_place(Radial::psi_2, psi_2);
  if constexpr (needed[4])
    values.of[4] = in_place(Radial::psi_3, multiply_add(V(5.0), psi_2, D * two_xi2) * inverse_square);
  if constexpr (needed[5]) values.of[5] = D;
  values.square = two_xi2;
  return values;
}

template <Sum sum, bool all, class V>
CORRAL_PAIR_INLINE void add_pair(const V* r, const RadialValues<V>& radial, const V* strength, V* out) {
  if constexpr (sum == Sum::stokeslet) add_stokeslet<all>(r, radial, strength, out);
  if constexpr (sum == Sum::stresslet) add_stresslet<all>(r, radial, strength, out);
  if constexpr (sum == Sum::rotlet) add_rotlet<all>(r, radial, strength, out);
  if constexpr (sum == Sum::laplace) add_charge<all>(r, radial, strength, out);
}

} // namespace corral::stokes::CORRAL_PAIR_NAMESPACE

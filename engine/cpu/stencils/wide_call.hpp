#pragma once

#include "engine/cpu/map_fields.hpp"
#include "engine/cpu/stencils/laned_field.hpp"
#include "engine/cpu/stencils/particle_batch.hpp"

#include <corral/array.hpp>
#include <corral/error.hpp>
#include <corral/kernel_weights.hpp>

#include <hwy/base.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::cpu {

/// The weights of a batch of particles along one axis, for fields whose points lie on its faces or don't.
template <class T> struct WeightSet {
  bool used = false;
  shared::AxisSupport support;
  AxisKernel<T> kernel;
  Array<T> weights; ///< [point][particle]
  std::int32_t first[ParticleBatch<T>::capacity]; ///< padded index of each particle's first point

  T weight(int point, int particle) const { return weights[point * ParticleBatch<T>::capacity + particle]; }
};

/// All sets of weights that the fields of a call need, at most two per axis: evaluated once, shared by the fields.
template <class T> class WeightSets {
public:
  template <class Term> explicit WeightSets(const MapCall<T, Term>& call) {
    for (const FieldBlock<T>& block : call.blocks)
      for (std::size_t d = 0; d < 3; ++d) {
        const shared::AxisSupport& support = block.support.axis[d];
        WeightSet<T>& set = sets_[d][support.on_faces];
        if (set.used) continue;
        set.used = true;
        set.support = support;
        set.kernel = call.kernel(support.on_faces);
        set.weights.resize(ParticleBatch<T>::capacity * support.support, T(1)); // which thin axes keep
      }
  }

  HWY_INLINE void set(const ParticleBatch<T>& batch) {
    for (std::size_t d = 0; d < 3; ++d)
      for (WeightSet<T>& set : sets_[d])
        if (set.used) place(set, batch.group[d], batch.u[d], batch.n);
  }

  const WeightSet<T>& operator()(std::size_t axis, const shared::AxisSupport& support) const {
    return sets_[axis][support.on_faces];
  }

private:
  HWY_INLINE static void place(WeightSet<T>& set, const std::int32_t* group, const T* u, int n) {
    if (set.support.thin) {
      for (int i = 0; i < n; ++i) set.first[i] = group[i];
      return;
    }
    alignas(64) T r[ParticleBatch<T>::capacity];
    for (int i = 0; i < ParticleBatch<T>::capacity; ++i) {
      const shared::StencilPosition<T> p = shared::stencil_position(set.support, u[i]);
      r[i] = p.r;
      set.first[i] = group[i] + p.lead;
    }
    set.kernel.evaluate(set.kernel.kernel, r, n, set.weights.data(), ParticleBatch<T>::capacity);
  }

  std::array<std::array<WeightSet<T>, 2>, 3> sets_;
};

/// A call for a kernel of any width, mapped to and from the caller's own fields. Term is Spread<T> or Interpolate<T>.
template <class T, class Term> struct WideCall {
  static constexpr int most_points = 64; ///< along an axis

  /// Throws Error for a kernel that is wider still.
  explicit WideCall(const MapCall<T, Term>& c) : call(c), laned_fields(laned_fields_of(c)) {
    if (call.kernel.widest() > most_points)
      throw Error("a kernel of " + std::to_string(call.kernel.widest()) + " points (maps take at most " +
                  std::to_string(most_points) + " along an axis)");
  }

  /// Groups that a slab has at least, so that its stencils reach no further than into the next one, whatever the
  /// staggering: a field gets the same bits whatever other fields are in the call. Straddled axes have one point more.
  std::int64_t reach() const { return call.kernel.widest(); }

  const MapCall<T, Term>& call;
  decltype(laned_fields_of(call)) laned_fields;
};
template <class T> using WideSpread = WideCall<T, Spread<T>>;
template <class T> using WideInterpolate = WideCall<T, Interpolate<T>>;

/// Room for the stencils of a batch on one field.
template <class T> struct BatchRows {
  static constexpr int capacity = ParticleBatch<T>::capacity;

  /// `widest` is the largest support of the kernels.
  explicit BatchRows(int widest) : pitch((2 * widest + 3) / 4 * 4), x(alike_fields * capacity * pitch) {}

  int pitch;             ///< [values] between the rows of one particle and the next
  Array<T> x;            ///< [field][particle][pitch] per point and lane: weights along x, times the value that is spread
  T value[alike_fields * capacity]; ///< [lane, or field][particle]
  std::int64_t at[capacity]; ///< where rows begin
  std::int32_t which[capacity];
};

} // namespace corral::cpu

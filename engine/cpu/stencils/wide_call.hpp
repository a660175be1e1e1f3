#pragma once

#include "engine/cpu/stencils/laned_field.hpp"
#include "engine/cpu/stencils/weight_sets.hpp"

#include <corral/array.hpp>
#include <corral/error.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::cpu {

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
  explicit BatchRows(int widest) : pitch((2 * widest + 3) / 4 * 4), x(capacity * pitch) {}

  int pitch;             ///< [values] between the rows of one particle and the next
  Array<T> x;            ///< [particle][pitch] per point and lane: weights along x, times the value that is spread
  T value[2 * capacity]; ///< [lane][particle]
  std::int64_t at[capacity]; ///< where rows begin
  std::int32_t which[capacity];
};

} // namespace corral::cpu

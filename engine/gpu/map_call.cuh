#pragma once

#include "engine/gpu/methods/stencil.cuh"
#include "engine/gpu/order/order.cuh"
#include "engine/gpu/padded.cuh"
#include "engine/shared/field_support.hpp"

#include <corral/interpolate.hpp>
#include <corral/kernel_weights.hpp>
#include <corral/spread.hpp>

#include <span>
#include <type_traits>
#include <vector>

namespace corral::gpu {

template <class T, class Term> inline constexpr bool is_spread = std::is_same_v<Term, Spread<T>>;

/// The terms of a map that share a staggering, with their padded fields in the order's device memory.
template <class T, class Term> struct FieldBlock {
  using Point = std::conditional_t<is_spread<T, Term>, T, const T>;
  using Value = std::conditional_t<is_spread<T, Term>, const T, T>;

  PaddedField layout;
  shared::FieldSupport support;
  std::vector<std::size_t> terms; ///< indices into the call's terms
  T* memory = nullptr;            ///< padded fields one behind the other
  Stencils<T> stencils;
  BlockFields<Point, Value> fields;
  FieldsOfBlock<Point> fields_of_caller;
};

/// One call of spread or interpolate on the GPU as its method sees it. Term is Spread<T> or Interpolate<T>.
template <class T, class Term> struct MapCall {
  cudaStream_t stream;
  OrderData<T>& scratch;
  CallOn work;
  Places<T> places;
  const DeviceKernelWeights<T>& kernel;
  std::vector<FieldBlock<T, Term>> blocks;

  /// Checks the terms, sorts them into blocks, and takes memory for padded fields. Weights are not there yet.
  /// Throws Error where a column or a field does not fit the order, or lies in host memory.
  MapCall(cudaStream_t, typename CellOrder<T>::Data&, const Places<T>&, const DeviceKernelWeights<T>&,
          std::span<const Term>);
  /// Evaluates the weights that `stencils` of the blocks read, for methods that do.
  void evaluate_weights();

  std::int64_t padded_size() const { return padded_size_; }
  double particles_per_group() const { return static_cast<double>(places.size) / static_cast<double>(places.groups); }

private:
  void lay_padded_fields(std::span<const Term>);

  std::int64_t padded_size_ = 0;
};

template <class T> using SpreadCall = MapCall<T, Spread<T>>;
template <class T> using InterpolateCall = MapCall<T, Interpolate<T>>;

} // namespace corral::gpu

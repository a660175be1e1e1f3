#pragma once

#include "engine/gpu/methods/stencil.cuh"
#include "engine/gpu/order/order.cuh"
#include "engine/gpu/padded.cuh"
#include "engine/shared/field_support.hpp"

#include <corral/interpolate.hpp>
#include <corral/kernel_weights.hpp>
#include <corral/spread.hpp>

#include <algorithm>
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
  T* memory = nullptr; ///< padded fields one behind the other
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

  /// Checks the terms and sorts them into blocks. Neither padded fields nor weights are there yet.
  /// Throws Error where a column or a field does not fit the order, or lies in host memory.
  MapCall(cudaStream_t, typename CellOrder<T>::Data&, const Places<T>&, const DeviceKernelWeights<T>&,
          std::span<const Term>);
  /// Takes memory for padded fields, for methods that have them.
  void take_padded_fields();
  /// Evaluates the weights that `stencils` of the blocks read, for methods that do.
  void evaluate_weights();

  std::int64_t padded_size() const { return padded_size_; }
  double particles_per_group() const { return static_cast<double>(places.size) / static_cast<double>(places.groups); }

private:

  std::int64_t padded_size_ = 0;
};

/// Field number `field` of a block.
template <class T, class Term> struct FieldOfCall {
  const FieldBlock<T, Term>* block;
  int field;
};

/// The fields of a staggering, one at least. They share their stencils, whatever their signs at walls.
template <class T, class Term> using FieldsOfStaggering = std::vector<FieldOfCall<T, Term>>;

/// For methods that take more fields at once than a block has.
template <class T, class Term>
std::vector<FieldsOfStaggering<T, Term>> fields_by_staggering(const MapCall<T, Term>& call) {
  const auto staggering = [](const FieldBlock<T, Term>& block) { return block.fields_of_caller.view[0].staggering; };
  std::vector<FieldsOfStaggering<T, Term>> all;
  for (const auto& block : call.blocks) {
    auto of = std::find_if(all.begin(), all.end(), [&](const FieldsOfStaggering<T, Term>& some) {
      return staggering(*some[0].block) == staggering(block);
    });
    if (of == all.end()) of = all.insert(of, FieldsOfStaggering<T, Term>{});
    for (int f = 0; f < block.fields.count; ++f) of->push_back({&block, f});
  }
  return all;
}

template <class T> using SpreadCall = MapCall<T, Spread<T>>;
template <class T> using InterpolateCall = MapCall<T, Interpolate<T>>;

} // namespace corral::gpu

#pragma once

#include "cub_call.hpp"

#include <functional>
#include <vector>

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Op, class Init, class Count>
  static cudaError_t ExclusiveScan(void* temporary, std::size_t& bytes, In in, Out out, Op op, Init init, Count count,
                                   cudaStream_t stream = nullptr) {
    constexpr const char* name = "DeviceScan::ExclusiveScan";
    if (temporary) cuda_on_host::check_cub_iterators(name, in, out);
    const auto work = [=] {
      auto so_far = init;
      for (Count i = 0; i < count; ++i) {
        const auto next = in[i]; // in and out may be the same
        out[i] = so_far;
        so_far = op(so_far, next);
      }
    };
    return cuda_on_host::cub_call(name, temporary, bytes, 256 + static_cast<std::size_t>(count) / 64, stream, work);
  }

  template <class In, class Out, class Count>
  static cudaError_t ExclusiveSum(void* temporary, std::size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr) {
    using T = cuda_on_host::ValueOf<In>;
    return ExclusiveScan(temporary, bytes, in, out, std::plus<T>(), T{}, count, stream);
  }

  template <class In, class Out, class Count>
  static cudaError_t InclusiveSum(void* temporary, std::size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr) {
    constexpr const char* name = "DeviceScan::InclusiveSum";
    if (temporary) cuda_on_host::check_cub_iterators(name, in, out);
    const auto work = [=] {
      cuda_on_host::ValueOf<In> so_far{};
      for (Count i = 0; i < count; ++i) out[i] = so_far = so_far + in[i];
    };
    return cuda_on_host::cub_call(name, temporary, bytes, 256 + static_cast<std::size_t>(count) / 64, stream, work);
  }
};

/// CUB doesn't say in which order it adds. Here it is one that nobody would write.
template <class T, class Op> T reduce_in_odd_order(std::vector<T> values, Op op) {
  while (values.size() > 1) {
    const std::size_t half = (values.size() + 1) / 2;
    for (std::size_t i = 0; i + half < values.size(); ++i) values[i] = op(values[i + half], values[i]);
    values.resize(half);
  }
  return values[0];
}

struct DeviceReduce {
  template <class In, class Out, class Count, class Op, class T>
  static cudaError_t Reduce(void* temporary, std::size_t& bytes, In in, Out out, Count count, Op op, T init,
                            cudaStream_t stream = nullptr) {
    constexpr const char* name = "DeviceReduce::Reduce";
    if (temporary) cuda_on_host::check_cub_iterators(name, in, out);
    const auto work = [=] {
      std::vector<T> values{init};
      for (Count i = 0; i < count; ++i) values.push_back(in[i]);
      *out = reduce_in_odd_order(std::move(values), op);
    };
    return cuda_on_host::cub_call(name, temporary, bytes, 256, stream, work);
  }

  template <class In, class Out, class Count>
  static cudaError_t Sum(void* temporary, std::size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr) {
    using T = cuda_on_host::ValueOf<In>;
    return Reduce(temporary, bytes, in, out, count, std::plus<T>(), T{}, stream);
  }

  /// Per run of equal keys, the key and the values' sum; `runs` gets how many there are.
  template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Runs, class Op, class Count>
  static cudaError_t ReduceByKey(void* temporary, std::size_t& bytes, KeysIn keys, KeysOut keys_out, ValuesIn values,
                                 ValuesOut values_out, Runs runs, Op op, Count count, cudaStream_t stream = nullptr) {
    constexpr const char* name = "DeviceReduce::ReduceByKey";
    if (temporary) cuda_on_host::check_cub_iterators(name, keys, keys_out, values, values_out, runs);
    const auto work = [=] {
      Count run = 0;
      for (Count i = 0, end; i < count; i = end) {
        std::vector<cuda_on_host::ValueOf<ValuesIn>> of_run;
        for (end = i; end < count && keys[end] == keys[i]; ++end) of_run.push_back(values[end]);
        keys_out[run] = keys[i];
        values_out[run++] = reduce_in_odd_order(std::move(of_run), op);
      }
      *runs = static_cast<std::remove_cvref_t<decltype(*runs)>>(run);
    };
    return cuda_on_host::cub_call(name, temporary, bytes, 256 + static_cast<std::size_t>(count) / 32, stream, work);
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Runs, class Count>
  static cudaError_t Encode(void* temporary, std::size_t& bytes, In in, Unique unique, Lengths lengths, Runs runs,
                            Count count, cudaStream_t stream = nullptr) {
    constexpr const char* name = "DeviceRunLengthEncode::Encode";
    if (temporary) cuda_on_host::check_cub_iterators(name, in, unique, lengths, runs);
    const auto work = [=] {
      Count run = 0;
      for (Count i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && in[end] == in[i];) ++end;
        unique[run] = in[i];
        lengths[run++] = static_cast<std::remove_cvref_t<decltype(lengths[0])>>(end - i);
      }
      *runs = static_cast<std::remove_cvref_t<decltype(*runs)>>(run);
    };
    return cuda_on_host::cub_call(name, temporary, bytes, 256 + static_cast<std::size_t>(count) / 32, stream, work);
  }
};

struct DeviceSelect {
  /// What is flagged, in its order.
  template <class In, class Flags, class Out, class Selected, class Count>
  static cudaError_t Flagged(void* temporary, std::size_t& bytes, In in, Flags flags, Out out, Selected selected,
                             Count count, cudaStream_t stream = nullptr) {
    constexpr const char* name = "DeviceSelect::Flagged";
    if (temporary) cuda_on_host::check_cub_iterators(name, in, flags, out, selected);
    const auto work = [=] {
      Count taken = 0;
      for (Count i = 0; i < count; ++i)
        if (flags[i]) out[taken++] = in[i];
      *selected = static_cast<std::remove_cvref_t<decltype(*selected)>>(taken);
    };
    return cuda_on_host::cub_call(name, temporary, bytes, 256 + static_cast<std::size_t>(count) / 32, stream, work);
  }
};

} // namespace cub

#pragma once

#include "cuda_runtime.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <type_traits>
#include <vector>

namespace cuda_on_host {

/// CUB's two calls: without temporary storage it says in `bytes` how much is needed; with it, `work` is queued in the
/// stream, where it finds device memory open. Storage that is too small is cudaErrorInvalidValue, storage in host
/// memory throws.
cudaError_t cub_call(const char* name, void* temporary, std::size_t& bytes, std::size_t needed, cudaStream_t stream,
                     std::function<void()> work);
/// Throws Error where a pointer leads to host memory.
void check_cub_pointer(const char* name, const void* p);

template <class... Iterators> void check_cub_iterators(const char* name, const Iterators&... iterators) {
  const auto check = [name](const auto& iterator) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(iterator)>>) check_cub_pointer(name, iterator);
  };
  (check(iterators), ...);
}

template <class Iterator> using ValueOf = std::remove_cvref_t<decltype(std::declval<Iterator&>()[0])>;

} // namespace cuda_on_host

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

template <class T> struct DoubleBuffer {
  T* d_buffers[2]{};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() const { return d_buffers[selector]; }
  T* Alternate() const { return d_buffers[selector ^ 1]; }
};

/// Stable sorts of integers by the bits from begin_bit to below end_bit.
class DeviceRadixSort {
public:
  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* temporary, std::size_t& bytes, const Key* keys_in, Key* keys_out,
                               const Value* values_in, Value* values_out, Count count, int begin_bit = 0,
                               int end_bit = int(sizeof(Key) * 8), cudaStream_t stream = nullptr) {
    return sort("DeviceRadixSort::SortPairs", temporary, bytes, keys_in, keys_out, values_in, values_out, count,
                begin_bit, end_bit, stream);
  }

  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* temporary, std::size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Count count, int begin_bit = 0,
                               int end_bit = int(sizeof(Key) * 8), cudaStream_t stream = nullptr) {
    const cudaError_t error = sort("DeviceRadixSort::SortPairs", temporary, bytes, keys.Current(), keys.Alternate(),
                                   values.Current(), values.Alternate(), count, begin_bit, end_bit, stream);
    if (temporary && error == cudaSuccess) keys.selector ^= 1, values.selector ^= 1;
    return error;
  }

  template <class Key, class Count>
  static cudaError_t SortKeys(void* temporary, std::size_t& bytes, const Key* keys_in, Key* keys_out, Count count,
                              int begin_bit = 0, int end_bit = int(sizeof(Key) * 8), cudaStream_t stream = nullptr) {
    const char* no_values_in = nullptr;
    char* no_values_out = nullptr;
    return sort("DeviceRadixSort::SortKeys", temporary, bytes, keys_in, keys_out, no_values_in, no_values_out, count,
                begin_bit, end_bit, stream);
  }

  template <class Key, class Count>
  static cudaError_t SortKeys(void* temporary, std::size_t& bytes, DoubleBuffer<Key>& keys, Count count,
                              int begin_bit = 0, int end_bit = int(sizeof(Key) * 8), cudaStream_t stream = nullptr) {
    const cudaError_t error =
        SortKeys(temporary, bytes, keys.Current(), keys.Alternate(), count, begin_bit, end_bit, stream);
    if (temporary && error == cudaSuccess) keys.selector ^= 1;
    return error;
  }

private:
  /// The key's bits that count, such that unsigned order is the keys' order.
  template <class Key> static std::uint64_t digits(Key key, int begin_bit, int end_bit) {
    static_assert(std::is_integral_v<Key>, "only integers are sorted here");
    using Bits = std::make_unsigned_t<Key>;
    const std::uint64_t sign = std::is_signed_v<Key> ? std::uint64_t{1} << (8 * sizeof(Key) - 1) : 0;
    const std::uint64_t below_end = end_bit >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end_bit) - 1;
    return begin_bit >= 64 ? 0 : ((static_cast<Bits>(key) ^ sign) & below_end) >> begin_bit;
  }

  template <class Key, class Value, class Count>
  static cudaError_t sort(const char* name, void* temporary, std::size_t& bytes, const Key* keys_in, Key* keys_out,
                          const Value* values_in, Value* values_out, Count count, int begin_bit, int end_bit,
                          cudaStream_t stream) {
    if (temporary) {
      cuda_on_host::check_cub_iterators(name, keys_in, keys_out, values_in, values_out);
      if (count && (keys_in == keys_out || (values_in && values_in == values_out))) return cudaErrorInvalidValue;
    }
    const auto work = [=] {
      const std::size_t n = static_cast<std::size_t>(count);
      std::vector<std::size_t> from(n);
      std::iota(from.begin(), from.end(), std::size_t{0});
      std::stable_sort(from.begin(), from.end(), [&](std::size_t a, std::size_t b) {
        return digits(keys_in[a], begin_bit, end_bit) < digits(keys_in[b], begin_bit, end_bit);
      });
      for (std::size_t i = 0; i < n; ++i) {
        keys_out[i] = keys_in[from[i]];
        if (values_in) values_out[i] = values_in[from[i]];
      }
    };
    return cuda_on_host::cub_call(name, temporary, bytes, 1024 + static_cast<std::size_t>(count) / 8, stream, work);
  }
};

} // namespace cub

#pragma once

#include "cub_call.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cub {

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

#pragma once

#include <corral/device_code.cuh>
#include <corral/memory.hpp>

#include <cstdint>

namespace corral::detail {

/// Device memory for `size` values, unset, in order on a stream: scratch of one call.
template <class T> class StreamMemory {
public:
  StreamMemory(cudaStream_t stream, std::int64_t size)
      : stream_(stream), data_(static_cast<T*>(take_memory_on(stream, static_cast<std::size_t>(size) * sizeof(T)))) {}
  ~StreamMemory() { (void)cudaFreeAsync(data_, stream_); } // where it fails the stream has failed, and others say so
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;

  T* data() const { return data_; }
  /// Copies values [first, first + size) to the host, and waits for the stream.
  void copy_to(T* host, std::int64_t first, std::int64_t size, const char* what) const {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    check_cuda(cudaMemcpyAsync(host, data_ + first, bytes, cudaMemcpyDeviceToHost, stream_), what);
    check_cuda(cudaStreamSynchronize(stream_), what);
  }

private:
  cudaStream_t stream_;
  T* data_;
};

} // namespace corral::detail

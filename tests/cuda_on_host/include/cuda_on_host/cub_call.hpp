#pragma once

#include "cuda_runtime.h"

#include <functional>
#include <type_traits>

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

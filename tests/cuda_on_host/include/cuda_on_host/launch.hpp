#pragma once

#include "runtime_api.hpp"

#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda_on_host {

struct LaunchShape {
  const char* name;  ///< as it stands in the source
  const void* entry; ///< address of the function, for its attributes
  dim3 grid, block;
  std::size_t dynamic_bytes; ///< of shared memory
};

/// What one argument of a launch is made of. Addresses of pageable host memory are refused, in pointers and, as far as
/// they can be told from numbers, in structs.
void check_argument(const LaunchShape&, int position, const void* bytes, std::size_t size, bool is_pointer);
/// Queues the launch; `body` is called once by each CUDA thread.
cudaError_t enqueue_launch(const LaunchShape&, cudaStream_t, std::function<void()> body);

template <class T> void check_argument(const LaunchShape& shape, int position, const T& argument) {
  static_assert(std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>,
                "arguments of a device entry are copied byte by byte");
  if constexpr (std::is_pointer_v<T>) {
    if constexpr (!std::is_function_v<std::remove_pointer_t<T>>)
      check_argument(shape, position, &argument, sizeof argument, true);
  } else if constexpr (std::is_class_v<T>) {
    T copy = argument;
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&copy); // which may hold what an address has left on the stack
#endif
    check_argument(shape, position, &copy, sizeof copy, false);
  }
}

/// Arguments convert to the entry's parameters as in a call; every thread gets its own copies.
template <class... Parameters>
cudaError_t launch(const char* name, void (*entry)(Parameters...), dim3 grid, dim3 block, std::size_t dynamic_bytes,
                   cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
  static_assert((!std::is_reference_v<Parameters> && ...), "parameters of a device entry are values");
  const LaunchShape shape{name, entry_address(entry), grid, block, dynamic_bytes};
  [[maybe_unused]] int position = 0;
  (check_argument(shape, ++position, arguments), ...);
  return enqueue_launch(shape, stream, [entry, kept = std::tuple<Parameters...>(arguments...)] {
    std::apply([entry](const Parameters&... each) { entry(each...); }, kept);
  });
}

} // namespace cuda_on_host

/// CORRAL_LAUNCH(entry, grid, block, dynamic_shared_bytes, stream, arguments...), a cudaError_t. An entry with commas
/// stands in parentheses: (octet_global<double, 3>).
#define CORRAL_LAUNCH(entry, grid, block, dynamic_shared_bytes, stream, ...)                                           \
  ::cuda_on_host::launch(#entry, entry, grid, block, dynamic_shared_bytes, stream __VA_OPT__(, ) __VA_ARGS__)

#pragma once

#include <cstddef>
#include <type_traits>

namespace cuda_on_host {

/// The running block's variable that `key` stands for, made and poisoned when its first thread comes by.
void* static_shared(const void* key, std::size_t bytes, std::size_t alignment, const char* name);
/// The block's dynamic shared memory, of the size the launch has asked for.
void* dynamic_shared(std::size_t alignment, const char* name);

} // namespace cuda_on_host

/// CORRAL_SHARED(double, sums, [4][32]) declares shared memory of a block, CORRAL_SHARED(int, first) a single variable.
/// Each block finds it full of 0xff: NaN, or -1.
#define CORRAL_SHARED(type, name, ...)                                                                                 \
  static char name##_key_;                                                                                             \
  using name##_type_ = type __VA_ARGS__;                                                                               \
  static_assert(::std::is_trivially_default_constructible_v<name##_type_>, "shared memory has no constructors");       \
  name##_type_& name = *static_cast<name##_type_*>(                                                                    \
      ::cuda_on_host::static_shared(&name##_key_, sizeof(name##_type_), alignof(name##_type_), #name))

/// CORRAL_DYNAMIC_SHARED(double, rows): a pointer to the shared memory that the launch has asked for.
#define CORRAL_DYNAMIC_SHARED(type, name)                                                                              \
  type* const name = static_cast<type*>(::cuda_on_host::dynamic_shared(alignof(type), #name))

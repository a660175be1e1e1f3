#pragma once

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

namespace corral::test {

/// Lets the emulation not look into structs for pointers to the host: padding of the views that loops capture holds
/// anything, what looks like one, too.
class [[maybe_unused]] PaddingHoldsAnything {
#ifdef CORRAL_CUDA_ON_HOST
  static cuda_on_host::Configuration configuration() {
    cuda_on_host::Configuration configuration = cuda_on_host::configuration();
    configuration.search_structs = false;
    return configuration;
  }

  cuda_on_host::ScopedConfiguration scoped_{configuration()};
#endif
};

} // namespace corral::test

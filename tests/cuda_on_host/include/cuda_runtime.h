#pragma once

// Stands in for CUDA's own header of this name, so that device code compiled by a host compiler finds it here. What a
// piece does and how it differs from a device stands in its own file; ../README.md says what all of it is for.
#ifdef __CUDACC__
#error "this is the header for host compilers: nvcc must find its own"
#endif

#include "cuda_on_host/language.hpp"

#include "cuda_on_host/async_copies.hpp"
#include "cuda_on_host/atomics.hpp"
#include "cuda_on_host/collectives.hpp"
#include "cuda_on_host/device_maths.hpp"
#include "cuda_on_host/launch.hpp"
#include "cuda_on_host/runtime_api.hpp"

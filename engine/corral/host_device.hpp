#pragma once

#if __cplusplus < 201709L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#error "corral's C++ headers ask for C++20 (-std=c++20); corral.h serves C, and C++ of any standard"
#endif

/// Marks functions that both processors run. Empty unless nvcc compiles the file, so that no public header
/// depends on CUDA.
#ifdef __CUDACC__
#define CORRAL_HOST_DEVICE __host__ __device__
#else
#define CORRAL_HOST_DEVICE
#endif

/// Marks a lambda that is the body of a loop in a template over Execution: the host compiler makes the CPU's of it, nvcc
/// the device's alone. A lambda for both is wrapped by nvcc in pointers that each translation unit has of its own, and
/// where linkers take one part of the wrapping from here and the other from there, they are null.
#ifdef __CUDACC__
#define CORRAL_BODY __device__
#else
#define CORRAL_BODY
#endif

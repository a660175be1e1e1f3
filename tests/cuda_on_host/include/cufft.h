#pragma once

// Stands in for cuFFT: the calls that corral makes, with cuFFT's names, layouts, signs and lack of a normalisation. Transforms
// are kissfft's, line by line, in the stream's turn.

#include "cuda_runtime.h"

#include <cstddef>

using cufftHandle = int;
using cufftDoubleReal = double;
struct alignas(16) cufftDoubleComplex {
  double x, y;
};
enum cufftResult {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9
};
enum cufftType { CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c };

cufftResult cufftCreate(cufftHandle* plan);
/// Only plans that allocate nothing are served.
cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic);
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride, long long idist,
                                long long* onembed, long long ostride, long long odist, cufftType type, long long batch,
                                std::size_t* bytes);
cufftResult cufftSetWorkArea(cufftHandle plan, void* memory);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out);
cufftResult cufftDestroy(cufftHandle plan);

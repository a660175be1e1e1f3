#include "engine/gpu/methods/gather/entry.cuh"

template void corral::gpu::gather::launch<corral::gpu::gather::Shape<4, 4, 1>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<4, 4, 2>>(cudaStream_t, const Job&);

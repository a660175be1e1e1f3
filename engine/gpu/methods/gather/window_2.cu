#include "engine/gpu/methods/gather/entry.cuh"

template void corral::gpu::gather::launch<corral::gpu::gather::Shape<2, 2, 1>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<2, 1, 2>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<2, 2, 2>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<2, 1, 4>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<2, 2, 4>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<2, 1, 12>>(cudaStream_t, const Job&);

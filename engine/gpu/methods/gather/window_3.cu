#include "engine/gpu/methods/gather/entry.cuh"

template void corral::gpu::gather::launch<corral::gpu::gather::Shape<3, 4, 1>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<3, 2, 2>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<3, 3, 2>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<3, 2, 4>>(cudaStream_t, const Job&);
template void corral::gpu::gather::launch<corral::gpu::gather::Shape<3, 3, 4>>(cudaStream_t, const Job&);

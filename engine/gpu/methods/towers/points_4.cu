#include "engine/gpu/methods/towers/entry.cuh"

template void corral::gpu::towers::launch_points<4>(cudaStream_t, const Job&, int);

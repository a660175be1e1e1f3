#pragma once

#include "engine/gpu/methods/towers/job.cuh"

#include <cuda_runtime.h>

/// The launches of the method towers.
namespace corral::gpu::towers {

inline constexpr int points_served[] = {4, 5, 6, 8, 11, 14, 17}; ///< along an axis: stencils of cells up to so wide
#ifdef CORRAL_FEW_SHAPES // tests with sanitizers, which would compile the others for minutes
inline constexpr int fields_served[] = {1, most_fields};
#else
inline constexpr int fields_served[] = {1, 2, 3, 4, 8, most_fields};
#endif

/// Spreads a pass by Shape<P, fields>; a file for each P.
template <int P> void launch_points(cudaStream_t, const Job&, int fields);

/// Finds crowded bricks, of which there are none where Crowds::most is 0.
void find_crowds(cudaStream_t, const Cells&, const Crowds&);
/// Sets Job::visits_before [tower][pair], for towers of so many points along y; `visits` is the same memory.
void count_visits(cudaStream_t, const Job&, int points_of_tower, std::uint64_t* visits);
/// Adds to the fields, and to what lies beyond them, what the parts of crowds have left.
void add_crowds(cudaStream_t, const Job&);

} // namespace corral::gpu::towers

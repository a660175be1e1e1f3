#pragma once

#include "engine/gpu/methods/gather/memory.cuh"

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

/// The launches of the method bricks.
namespace corral::gpu::gather {

/// Shared memory that a block of S may have, for so many blocks on a multiprocessor [bytes].
template <class S> constexpr std::size_t most_bytes() {
  constexpr std::size_t of_multiprocessor = 228 << 10, of_system = 1 << 10; // the latter a block's
  return of_multiprocessor / S::blocks / 1024 * 1024 - of_system;
}

/// Interpolates a pass. Compiled in a file for each KX.
template <class S> void launch(cudaStream_t, const Job&);

/// A shape that is compiled.
struct Instance {
  int KX, KY, F, sets, tiles, pitch, warps, blocks;
  std::size_t most_bytes;
  MemoryLayout (*layout)(const Division&, const int (&buffer)[2]);
  void (*launch)(cudaStream_t, const Job&);

  template <class S> static constexpr Instance of() {
    return {S::KX, S::KY, S::F, S::sets, S::tiles, S::pitch, S::warps, S::blocks, gather::most_bytes<S>(), &MemoryLayout::of<S>, &gather::launch<S>};
  }
};

/// Sets Job::parts from the particles of each brick.
void list_parts(cudaStream_t, const Job&);

/// What a pass is made by.
struct Choice {
  const Instance* instance = nullptr;
  Division division;
  double cost = 0; ///< of a particle, in products
};

/// The shape, brick and columns of the least cost for up to `fields` fields: by counts, not measured on the device.
/// `cells` along each axis; the widths of stencils of cells; the weights' buffers; particles a cell.
Choice choose(const int (&cells)[3], const int (&width)[3], const int (&buffer)[2], double density, int fields);

} // namespace corral::gpu::gather

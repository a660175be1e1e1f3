#pragma once

#include "engine/gpu/map_call.cuh"

/// The methods of the GPU, a file each. Those that spread set the padded fields of a call, or add to them: then
/// they are zero before. `spread` folds them into the caller's. The methods of cells add to these by themselves.
namespace corral::gpu {

template <class T> void spread_atomic(const SpreadCall<T>&);
template <class T> void spread_octet(const SpreadCall<T>&);
template <class T> void spread_corners(const SpreadCall<T>&);
template <class T> void spread_zhao(const SpreadCall<T>&);
template <class T> void spread_stream(const SpreadCall<T>&);
template <class T> void spread_grid_gather(const SpreadCall<T>&);
template <class T> void spread_tiles(const SpreadCall<T>&);
template <class T> void spread_hybrid(const SpreadCall<T>&);
/// The fields of one block, for methods whose own way does not serve it.
template <class T> void spread_hybrid(const SpreadCall<T>&, const FieldBlock<T, Spread<T>>&);
void spread_tensor_core(const SpreadCall<double>&);
/// Adds to the caller's fields by itself; what lies beyond them is left in the padded ones.
template <class T> void spread_towers(const SpreadCall<T>&);
/// Whether cells and strides are such that it counts them in 32 bits.
template <class T> bool towers_count(const SpreadCall<T>&);
/// Shift after shift of the stencil; buffered: several at a time.
template <class T> void spread_sort_reduce(const SpreadCall<T>&, bool buffered);

/// Cell by cell, of kernels that are linear.
template <class T> void interpolate_stream(const InterpolateCall<T>&);
/// A thread per particle, in the order of the call's places.
template <class T> void interpolate_particles(const InterpolateCall<T>&);
/// Sets of the padded fields the points beyond the caller's, and reads both. Weights are evaluated where the entries can't.
/// The places are those of an order.
void interpolate_bricks(InterpolateCall<double>&);

} // namespace corral::gpu

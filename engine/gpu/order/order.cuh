#pragma once

#include "engine/gpu/device.cuh"
#include "engine/shared/field_support.hpp"
#include "engine/shared/order_data.hpp"

#include <array>
#include <cstdint>

namespace corral::gpu {

/// Particles in cell order, as device entries see them. A device holds fewer than 2^32 of them: indices have 32 bits.
template <class T> struct Places {
  std::int64_t size;           ///< particles, those outside and those not finite included
  std::uint32_t groups;        ///< all of them
  std::uint32_t per_axis[3];
  const std::uint32_t* begin;  ///< of each group, of those outside, of those not finite, and the end; null: no order
  const std::uint32_t* key;    ///< group of place i; `groups` outside, groups + 1 not finite
  const std::uint32_t* source; ///< the caller's index of place i; null: i itself
  const T* u[3];               ///< fractions within the group

  __device__ std::int64_t source_of(std::int64_t place) const {
    return source == nullptr ? place : static_cast<std::int64_t>(source[place]);
  }
  __device__ bool inside(std::int64_t place) const { return key[place] < groups; }
  /// The group's number along each axis.
  __device__ void group_of(std::uint32_t group, std::uint32_t (&along)[3]) const {
    along[0] = group % per_axis[0];
    along[1] = group / per_axis[0] % per_axis[1];
    along[2] = group / per_axis[0] / per_axis[1];
  }
};

/// Memory of the host that device copies reach, and what tells when they did.
struct Counts {
  Counts();
  ~Counts();
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;

  Array<std::uint32_t> end{3, 0, Memory::pinned}; ///< of the particles inside, outside, not finite
  cudaEvent_t arrived = nullptr;
};

/// What an order holds on the device.
template <class T> struct OrderData {
  Array<std::uint32_t> begin{Memory::device};
  Array<std::uint32_t> key{Memory::device}, permutation{Memory::device};
  Array<T> fraction[3]{Array<T>(Memory::device), Array<T>(Memory::device), Array<T>(Memory::device)};
  Counts counts;

  Array<std::uint32_t> other_key{Memory::device}, other_permutation{Memory::device}; ///< scratch of sort_reduce
  Array<unsigned char> sort_scratch{Memory::device};
  Array<std::uint64_t> column_copy{Memory::device}; ///< scratch of permute
  Array<T> padded{Memory::device}, weights{Memory::device}, sums{Memory::device};   ///< scratch of the maps
  T* lent = nullptr; ///< the caller's memory in place of sums, where it suffices
  std::int64_t lent_size = 0;
  Array<T> part_sums{Memory::device};                            ///< scratch of Parts
  Array<double> records{Memory::device}, crowd_sums{Memory::device}; ///< scratch of towers
  Array<std::uint64_t> visits{Memory::device};                   ///< scratch of towers
  Array<std::uint32_t> parts{Memory::device};                    ///< scratch of Parts
  Array<std::uint32_t> segments{Memory::device}, segment_places{Memory::device}; ///< scratch of sort_reduce
  Work work; ///< the last member: it waits before the others are freed

  std::int64_t bytes() const;
  T* sums_of(std::int64_t size, cudaStream_t);
};

/// The places of an order that was sorted on the device. Throws Error where it was not.
template <class T> Places<T> places(const typename CellOrder<T>::Data& order);

/// Finds the group and the fractions of particles in the order in which the caller has them, for methods that need no
/// cell order. The order serves nothing else afterwards, but its counts are those of the particles.
template <class T>
Places<T> place_unsorted(cudaStream_t, typename CellOrder<T>::Data& order, const Positions<T>& positions);

/// Throws Error unless the three columns of coordinates are of one length and lie in device memory.
template <class T> void require_positions(const Positions<T>& positions) {
  shared::check_positions(positions);
  for (const auto& column : positions.axis) require_device_memory(column.data, "coordinates");
}

/// Sorts n pairs by key, stably; keys are at most `largest`. The `other` arrays are as long and hold anything; what is
/// sorted ends in the first ones, which may have changed places with them. Compiled once: CUB costs ten seconds a file.
void sort_pairs(cudaStream_t, Array<std::uint32_t>& key, Array<std::uint32_t>& other_key,
                Array<std::uint32_t>& value, Array<std::uint32_t>& other_value, std::int64_t n,
                std::uint32_t largest, Array<unsigned char>& scratch);

/// Each of n values becomes the sum of those before it.
void add_up(cudaStream_t, std::uint64_t* values, std::int64_t n, Array<unsigned char>& scratch);

} // namespace corral::gpu

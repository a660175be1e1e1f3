#pragma once

#include "engine/gpu/map_call.cuh"
#include "engine/gpu/tuning.cuh"

#include <cstdint>
#include <span>
#include <vector>

namespace corral::gpu {

/// Where particles cluster, a group, or a brick of groups, may hold more of them than the threads that own it should
/// take alone. Its particles are then cut into parts. The first is the owner's; each further one goes to other threads,
/// which leave its sums in memory of its own. All further parts are done before the owners start, who add up what those
/// left, part by part: the order of sums depends on the particles alone.
template <class T> struct Parts {
  std::uint32_t particles = 0;    ///< of a part, at most
  std::uint32_t most = 0;         ///< further parts that there can be; 0: none, and no memory for any
  std::uint32_t* count = nullptr; ///< further parts that there are
  std::uint32_t* owner = nullptr; ///< of each further part, the brick
  std::uint32_t* first = nullptr; ///< of each brick that has any, the first of its further parts
  T* sums = nullptr;              ///< of the further parts, one behind the other

  /// So many beside the first has a brick that holds `particles_held`.
  __device__ std::uint32_t further(std::uint32_t particles_held) const {
    return most == 0 || particles_held <= particles ? 0 : (particles_held - 1) / particles;
  }
  /// Further part i is this one of its brick, counted from 1.
  __device__ std::uint32_t number(std::uint32_t i) const { return i - first[owner[i]] + 1; }
};

/// What is to be cut: bricks of so many groups along each axis.
struct Cut {
  int size[3];
  std::int64_t points; ///< of a brick; a further part leaves a number for each and for each field
  int fields;

  bool same_bricks(const Cut& other) const {
    return size[0] == other.size[0] && size[1] == other.size[1] && size[2] == other.size[2] && points == other.points;
  }
};

/// Cuts the bricks of an order, in its device memory; what it returned before is void then. How depends on the number
/// of particles and on the bricks alone, not on the fields.
template <class T>
std::vector<Parts<T>> cut_into_parts(const SpreadCall<T>&, std::span<const Cut>, tuning::PartSize);

} // namespace corral::gpu

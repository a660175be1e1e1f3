#pragma once

#include "collectives.hpp"

#include <cstdint>
#include <cstring>

// What engine/gpu/async_copies.cuh calls, in the words that stand there. What has been asked for arrives late: see
// ../../runtime/block/async_copies.hpp.
namespace cuda_on_host {

/// The runtime keeps the phases; here stands that they have begun.
struct PhaseBarrier {
  std::uint64_t state;
};
inline constexpr std::uint64_t phases_begun = 0x6e75676562736168;

void begin_phases(const PhaseBarrier*, unsigned arrivals, Place);
/// Takes arrivals and adds bytes that this phase expects.
void change_phase(const PhaseBarrier*, unsigned arrivals, unsigned bytes, Place);
void await_phase(const PhaseBarrier*, unsigned parity, Place);
/// Without a barrier it belongs to the thread's open group.
void ask_for_copy(void* to, const void* from, unsigned bytes, const PhaseBarrier*, Place);
void await_copies(unsigned pending);

/// The barrier, which TSan sees being read.
inline const PhaseBarrier* begun(const PhaseBarrier& barrier, Place place) {
  if (barrier.state != phases_begun)
    fail_in_kernel("a barrier of phases that begin() was never called for, or that was overwritten", place);
  return &barrier;
}

inline void begin(PhaseBarrier& barrier, unsigned arrivals, Place place = Place::current()) {
  begin_phases(&barrier, arrivals, place);
  barrier.state = phases_begun;
}
void fence_begun();
inline void fence_copies() {} // what is missing without it only a device shows
inline void arrive(PhaseBarrier& barrier, Place place = Place::current()) {
  change_phase(begun(barrier, place), 1, 0, place);
}
inline void arrive_expecting(PhaseBarrier& barrier, unsigned bytes, Place place = Place::current()) {
  change_phase(begun(barrier, place), 1, bytes, place);
}
inline void expect(PhaseBarrier& barrier, unsigned bytes, Place place = Place::current()) {
  change_phase(begun(barrier, place), 0, bytes, place);
}
inline void wait_for_phase(PhaseBarrier& barrier, unsigned parity, Place place = Place::current()) {
  await_phase(begun(barrier, place), parity, place);
}

inline void copy_bulk(void* shared, const void* global, unsigned bytes, PhaseBarrier& barrier,
                      Place place = Place::current()) {
  ask_for_copy(shared, global, bytes, begun(barrier, place), place);
}
inline void copy_word(void* shared, const void* global, Place place = Place::current()) {
  ask_for_copy(shared, global, 4, nullptr, place);
}
inline void copy_two_words(void* shared, const void* global, Place place = Place::current()) {
  ask_for_copy(shared, global, 8, nullptr, place);
}
inline void copy_four_words(void* shared, const void* global, Place place = Place::current()) {
  ask_for_copy(shared, global, 16, nullptr, place);
}
void commit_copies();
template <int pending> void wait_copies() {
  static_assert(pending >= 0, "groups that may be pending are counted");
  await_copies(pending);
}

/// What a lane has of a tensor-core step; the runtime finds it by the address that the lane brings.
struct Step16x8x4 {
  double sum[4], a[2], b;
};

inline void multiply_16x8x4(double (&sum)[4], double a0, double a1, double b, Place place = Place::current()) {
  Step16x8x4 mine{{sum[0], sum[1], sum[2], sum[3]}, {a0, a1}, b};
  LaneValue lane;
  lane.word[0] = reinterpret_cast<std::uintptr_t>(&mine);
  warp_collective(Operation::mma_16x8x4, ~0u, lane, 0, place);
  std::memcpy(sum, mine.sum, sizeof sum);
}

} // namespace cuda_on_host

#pragma once

#include "cuda_on_host/async_copies.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

// Copies that a thread asks for and goes on without. From then on their destination is 0xff, NaN or -1: the earliest
// that a device may write there. The bytes come as late as a device may bring them: words when their thread waits for
// them, bulk copies when no thread of the block can run. In random order they come at any time before that.
namespace cuda_on_host {

/// Things in a row. No vector, for the reason that ReadyQueue gives.
template <class T> class Row {
public:
  unsigned size() const { return size_; }
  void clear() { size_ = 0; }
  T& operator[](unsigned place) { return things_[place]; }
  const T& operator[](unsigned place) const { return things_[place]; }
  void push(const T& thing) {
    if (size_ == capacity_) {
      const tsan::LookAway own_memory;
      std::unique_ptr<T[]> more(new T[capacity_ = 2 * capacity_ + 16]);
      for (unsigned i = 0; i < size_; ++i) more[i] = things_[i];
      things_.swap(more);
    }
    things_[size_++] = thing;
  }
  /// Takes that one out; the others keep their order.
  T take(unsigned place) {
    const T taken = things_[place];
    for (unsigned i = place + 1; i < size_; ++i) things_[i - 1] = things_[i];
    --size_;
    return taken;
  }

private:
  std::unique_ptr<T[]> things_;
  unsigned size_ = 0, capacity_ = 0;
};

/// The phases of a barrier that a thread of the block has begun.
struct Phases {
  const PhaseBarrier* barrier;
  unsigned arrivals;        ///< of each phase
  unsigned missing;         ///< of them, in this phase
  std::int64_t bytes;       ///< that this phase expects and has not got; below 0 where more came than are expected yet
  unsigned ended;           ///< phases
  unsigned thread;          ///< that has begun them
  bool fenced;              ///< by fence_begun
  Place place;              ///< of begin
  void *token, *last_token; ///< what TSan orders memory by: of this phase, and of the last one that has ended
};

/// A copy on its way.
struct Copy {
  void* to;
  const void* from;
  unsigned bytes;
  bool bulk;
  unsigned phases; ///< bulk: the number of the barrier that counts its bytes
  unsigned thread; ///< that has asked for it
  unsigned group;  ///< words: the thread's
  Place place;
};

} // namespace cuda_on_host

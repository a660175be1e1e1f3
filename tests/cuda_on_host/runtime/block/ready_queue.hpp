#pragma once

#include "tests/cuda_on_host/runtime/block/fiber.hpp"

#include "cuda_on_host/configuration.hpp"

#include <memory>

namespace cuda_on_host {

/// The threads of a block that can run, in the order in which they became ready. No vector: its code could be shared
/// with translation units that TSan instruments, and TSan would report what fibers do to it.
class ReadyQueue {
public:
  /// Empty, with room for that many.
  void reset(unsigned capacity) {
    if (capacity > capacity_) threads_.reset(new unsigned[capacity_ = capacity]);
    first_ = count_ = 0;
  }
  bool empty() const { return count_ == 0; }
  void push(unsigned thread) { at(count_++) = thread; }

  /// Takes the next one out. Not to be called when empty.
  unsigned pop(Order order, std::uint64_t& random) {
    if (order == Order::random) {
      unsigned &last = at(count_ - 1), &any = at(static_cast<unsigned>(next_random(random) % count_));
      const unsigned taken = any;
      any = last;
      --count_;
      return taken;
    }
    if (order == Order::warps) return pop_of_first_warp();
    --count_;
    if (order == Order::reverse) return at(count_);
    const unsigned taken = at(0);
    first_ = first_ + 1 == capacity_ ? 0 : first_ + 1;
    return taken;
  }

private:
  /// The first that became ready of the lowest warp.
  unsigned pop_of_first_warp() {
    unsigned best = 0;
    for (unsigned i = 1; i < count_; ++i)
      if (at(i) / 32 < at(best) / 32) best = i;
    const unsigned taken = at(best);
    for (unsigned i = best + 1; i < count_; ++i) at(i - 1) = at(i);
    --count_;
    return taken;
  }
  unsigned& at(unsigned place) {
    const unsigned i = first_ + place;
    return threads_.get()[i < capacity_ ? i : i - capacity_];
  }

  std::unique_ptr<unsigned[]> threads_;
  unsigned capacity_ = 0, first_ = 0, count_ = 0;
};

} // namespace cuda_on_host

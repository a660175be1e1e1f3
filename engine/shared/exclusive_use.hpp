#pragma once

#include <corral/error.hpp>

#include <atomic>

namespace corral::shared {

/// Marks an order as used by a call for as long as this lives. A flag, not a lock: waiting would hide the mistake, and
/// could not end where one thread is in both calls.
class ExclusiveUse {
public:
  /// Throws Error where another call has it.
  explicit ExclusiveUse(std::atomic_flag& in_use) : in_use_(in_use) {
    if (in_use_.test_and_set(std::memory_order_acquire))
      throw Error("an order that another call is using at this moment (its scratch memory serves one sort or map at a "
                  "time) give each thread an order of its own");
  }
  ~ExclusiveUse() { in_use_.clear(std::memory_order_release); }
  ExclusiveUse(const ExclusiveUse&) = delete;
  ExclusiveUse& operator=(const ExclusiveUse&) = delete;

private:
  std::atomic_flag& in_use_;
};

} // namespace corral::shared

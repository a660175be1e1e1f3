#pragma once

#include <corral/array.hpp>

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace corral::shared {

/// Arrays that tasks borrow and that stay for the next task and call: memory which is asked of the system anew is
/// cleared by it page by page, and that may take longer than the work.
template <class T> class ScratchPool {
public:
  /// One task's own array, of any size, with any values; given back at the end of its scope.
  class Lease {
  public:
    explicit Lease(ScratchPool& pool) : array(pool.take()), pool_(pool) {}
    ~Lease() { pool_.give_back(std::move(array)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Array<T> array;

  private:
    ScratchPool& pool_;
  };

  std::int64_t bytes() const {
    const std::lock_guard lock(mutex_);
    std::int64_t sum = 0;
    for (const Array<T>& array : free_) sum += array.bytes();
    return sum;
  }

private:
  Array<T> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.reserve(lent_ + 1); // so that giving back never needs memory
      ++lent_;
      return {};
    }
    Array<T> array = std::move(free_.back());
    free_.pop_back();
    ++lent_;
    return array;
  }
  void give_back(Array<T> array) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(array));
    --lent_;
  }

  mutable std::mutex mutex_;
  std::vector<Array<T>> free_;
  std::size_t lent_ = 0;
};

} // namespace corral::shared

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace corral::fluid::spectral {

/// Lends objects that one thread at a time may use, and makes more where all are lent: as many as threads ask at once.
template <class T> class ObjectPool {
public:
  explicit ObjectPool(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  /// Given back at the end of its life.
  class Lease {
  public:
    Lease(ObjectPool& pool, std::unique_ptr<T> object) : pool_(pool), object_(std::move(object)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      const std::lock_guard lock(pool_.mutex_);
      pool_.free_.push_back(std::move(object_)); // there is room: all that were ever made fit
    }
    T* operator->() const { return object_.get(); }
    T& operator*() const { return *object_; }

  private:
    ObjectPool& pool_;
    std::unique_ptr<T> object_;
  };

  Lease take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> last = std::move(free_.back());
        free_.pop_back();
        return Lease(*this, std::move(last));
      }
      free_.reserve(++made_);
    }
    return Lease(*this, make_());
  }

  std::int64_t made() const { return static_cast<std::int64_t>(made_); }

private:
  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
  std::size_t made_ = 0;
};

} // namespace corral::fluid::spectral

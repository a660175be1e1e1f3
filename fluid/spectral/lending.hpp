#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace corral::fluid::spectral {

/// Lends objects that one thread at a time may use, and makes more where all are lent: as many as threads ask at once.
template <class T> class Lending {
public:
  explicit Lending(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  /// Given back at the end of its life.
  class Loan {
  public:
    Loan(Lending& lender, std::unique_ptr<T> object) : lender_(lender), object_(std::move(object)) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() {
      const std::lock_guard lock(lender_.mutex_);
      lender_.free_.push_back(std::move(object_)); // there is room: all that were ever made fit
    }
    T* operator->() const { return object_.get(); }
    T& operator*() const { return *object_; }

  private:
    Lending& lender_;
    std::unique_ptr<T> object_;
  };

  Loan take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> last = std::move(free_.back());
        free_.pop_back();
        return Loan(*this, std::move(last));
      }
      free_.reserve(++made_);
    }
    return Loan(*this, make_());
  }

  std::int64_t made() const { return static_cast<std::int64_t>(made_); }

private:
  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
  std::size_t made_ = 0;
};

} // namespace corral::fluid::spectral

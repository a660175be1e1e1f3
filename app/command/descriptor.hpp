#pragma once

#include <unistd.h>

#include <utility>

namespace corral::app {

/// A descriptor of the system that is closed with its scope; negative: none, as ::open gives where it fails.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  /// For whoever wants to know how closing went.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

private:
  int number_ = -1;
};

} // namespace corral::app

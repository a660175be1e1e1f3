#pragma once

#include <corral/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace corral {

/// Owned host memory: `size()` values of a trivially copyable T, aligned to a cache line.
/// `resize` keeps what it held and leaves new values unset unless a fill value is given; capacity only grows.
template <class T> class Array {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  static constexpr std::size_t alignment = 64; ///< [bytes] one cache line

  Array() = default;
  explicit Array(std::int64_t size) { resize(size); }
  Array(std::int64_t size, T fill) { resize(size, fill); }
  Array(const Array& other) { assign(other.span()); }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(const Array& other) {
    if (this != &other) assign(other.span());
    return *this;
  }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Array() = default;

  void swap(Array& other) noexcept {
    data_.swap(other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  /// Throws std::bad_alloc where memory does not suffice; the array is then unchanged.
  void resize(std::int64_t size) {
    if (size < 0) throw Error("an array of " + std::to_string(size) + " values (a size is never negative)");
    if (size > capacity_) grow(size);
    size_ = size;
  }
  void resize(std::int64_t size, T fill) {
    const std::int64_t old = size_;
    resize(size);
    if (size > old) std::fill(begin() + old, end(), fill);
  }
  void assign(std::span<const T> values) {
    resize(static_cast<std::int64_t>(values.size()));
    std::copy(values.begin(), values.end(), begin());
  }
  void fill(T value) { std::fill(begin(), end(), value); }

  std::int64_t size() const { return size_; }
  std::int64_t capacity() const { return capacity_; }
  std::int64_t bytes() const { return capacity_ * static_cast<std::int64_t>(sizeof(T)); }
  bool empty() const { return size_ == 0; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::int64_t i) { return data_[static_cast<std::size_t>(i)]; }
  const T& operator[](std::int64_t i) const { return data_[static_cast<std::size_t>(i)]; }
  std::span<T> span() { return {data(), static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const { return {data(), static_cast<std::size_t>(size_)}; }

private:
  struct Free {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t{alignment}); }
  };

  void grow(std::int64_t size) {
    const std::int64_t wanted = capacity_ == 0 ? size : std::max(size, capacity_ + capacity_ / 2);
    if (static_cast<std::size_t>(wanted) > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    void* raw = ::operator new(static_cast<std::size_t>(wanted) * sizeof(T), std::align_val_t{alignment});
    std::unique_ptr<T[], Free> fresh(static_cast<T*>(raw));
    if (data_ != nullptr) std::memcpy(fresh.get(), data_.get(), static_cast<std::size_t>(size_) * sizeof(T));
    data_ = std::move(fresh);
    capacity_ = wanted;
  }

  std::unique_ptr<T[], Free> data_;
  std::int64_t size_ = 0;
  std::int64_t capacity_ = 0;
};

} // namespace corral

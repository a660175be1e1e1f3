#pragma once

#include <corral/error.hpp>
#include <corral/memory.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace corral {

/// Owned memory, of the host unless said otherwise: `size()` values of a trivially copyable T, aligned to a cache line.
/// `resize` keeps what it held and leaves new values unset unless a fill value is given; capacity only grows. Values on
/// a device are reached by `data()` on the device, by `assign`, `copy_to` and `values` on the host.
template <class T> class Array {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  static constexpr std::size_t alignment = detail::memory_alignment; ///< [bytes]

  Array() = default;
  explicit Array(Memory memory) : data_(nullptr, Release{memory, 0}) {}
  explicit Array(std::int64_t size, Memory memory = Memory::host) : Array(memory) { resize(size); }
  Array(std::int64_t size, T fill, Memory memory = Memory::host) : Array(memory) { resize(size, fill); }
  Array(std::span<const T> values, Memory memory) : Array(memory) { assign(values); }
  /// Memory that somebody lends: it outlives the array, which never gives it back. Where more is wanted than was lent, the
  /// array takes memory of its own.
  static Array lent(T* data, std::int64_t size, Memory memory) {
    Array array;
    array.data_ = std::unique_ptr<T[], Release>(data, Release{memory, 0, true});
    array.size_ = array.capacity_ = size;
    return array;
  }
  Array(const Array& other) : Array(other.memory()) { copy(other); }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(const Array& other) {
    if (this != &other) copy(other);
    return *this;
  }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Array() = default;

  void swap(Array& other) noexcept {
    data_.swap(other.data_); // where it lies, too
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  Memory memory() const { return data_.get_deleter().memory; }

  /// Throws std::bad_alloc where memory does not suffice, Error where there is none of its kind; the array is then
  /// unchanged.
  void resize(std::int64_t size) {
    require_size(size);
    if (size > capacity_) grow(size);
    size_ = size;
  }
  /// Where an array of the host begins as many zeros, these take no room until they are written.
  void resize(std::int64_t size, T fill) {
    const std::int64_t old = size_;
    if (capacity_ == 0 && size > 0 && memory() == Memory::host && is_zero(fill)) return begin_as_zeros(size);
    resize(size);
    if (size > old) set(old, size, fill);
  }
  /// Device memory for `size` values, unset, in order on a stream, which is where the values were used last: scratch.
  /// A little more is taken, so that a count that wavers does not allocate every step.
  T* renew(std::int64_t size, CUstream_st* stream) {
    assert(memory() == Memory::device);
    require_size(size);
    if (size > capacity_) {
      const std::size_t had = bytes_of(capacity_);
      capacity_ = size_ = 0;
      if (T* const old = data_.release()) detail::give_back_memory_on(stream, old, had);
      const std::int64_t wanted = size + size / 16;
      data_ = std::unique_ptr<T[], Release>(static_cast<T*>(detail::take_memory_on(stream, bytes_of(wanted))),
                                            Release{memory(), bytes_of(wanted)});
      capacity_ = wanted;
    }
    size_ = size;
    return data();
  }
  /// Copies values of the host.
  void assign(std::span<const T> values) {
    resize(static_cast<std::int64_t>(values.size()));
    move(data(), values.data(), size_);
  }
  /// Copies them to values of the host, as many.
  void copy_to(std::span<T> values) const {
    assert(static_cast<std::int64_t>(values.size()) == size_);
    move(values.data(), data(), size_);
  }
  std::vector<T> values() const {
    std::vector<T> host(static_cast<std::size_t>(size_));
    copy_to(host);
    return host;
  }
  /// Sets every byte to 0; of device memory in order on the default stream.
  void zero() {
    if (size_ == 0) return;
    if (memory() == Memory::device) detail::clear_memory(data(), bytes_of(size_));
    else std::memset(data(), 0, bytes_of(size_));
  }
  void fill(T value) { set(0, size_, value); }

  std::int64_t size() const { return size_; }
  std::int64_t capacity() const { return capacity_; }
  std::int64_t bytes() const { return capacity_ * static_cast<std::int64_t>(sizeof(T)); }
  bool empty() const { return size_ == 0; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  // What follows is for memory of the host.
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::int64_t i) { return data_[static_cast<std::size_t>(i)]; }
  const T& operator[](std::int64_t i) const { return data_[static_cast<std::size_t>(i)]; }
  std::span<T> span() { return {data(), static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const { return {data(), static_cast<std::size_t>(size_)}; }

private:
  struct Release {
    Memory memory = Memory::host;
    std::size_t bytes = 0;
    bool is_lent = false, began_as_zeros = false;
    void operator()(T* p) const {
      if (is_lent) return;
      if (began_as_zeros) detail::give_back_zeros(p, bytes);
      else detail::give_back_memory(memory, p, bytes);
    }
  };

  static bool is_zero(const T& value) {
    static constexpr std::array<unsigned char, sizeof(T)> zeros{};
    return std::memcmp(&value, zeros.data(), sizeof(T)) == 0;
  }
  void begin_as_zeros(std::int64_t size) {
    const std::size_t bytes = bytes_of(size);
    data_ = std::unique_ptr<T[], Release>(static_cast<T*>(detail::take_zeros(bytes)), Release{Memory::host, bytes, false, true});
    size_ = capacity_ = size;
  }

  static void require_size(std::int64_t size) {
    if (size < 0) throw Error("an array of " + std::to_string(size) + " values (a size is never negative)");
  }
  static std::size_t bytes_of(std::int64_t size) {
    if (static_cast<std::size_t>(size) > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<std::size_t>(size) * sizeof(T);
  }

  void move(T* to, const T* from, std::int64_t size) const {
    if (size == 0) return;
    if (memory() == Memory::device) detail::copy_memory(to, from, bytes_of(size));
    else std::memcpy(to, from, bytes_of(size));
  }
  void copy(const Array& other) {
    resize(other.size_);
    if (size_ > 0 && (memory() == Memory::device || other.memory() == Memory::device))
      detail::copy_memory(data(), other.data(), bytes_of(size_));
    else move(data(), other.data(), size_);
  }
  void set(std::int64_t begin, std::int64_t end, T value) {
    if (memory() != Memory::device) return std::fill(data() + begin, data() + end, value);
    const std::vector<T> host(static_cast<std::size_t>(end - begin), value);
    move(data() + begin, host.data(), end - begin);
  }

  void grow(std::int64_t size) {
    const std::int64_t wanted = capacity_ == 0 ? size : std::max(size, capacity_ + capacity_ / 2);
    std::unique_ptr<T[], Release> fresh(static_cast<T*>(detail::take_memory(memory(), bytes_of(wanted))),
                                        Release{memory(), bytes_of(wanted)});
    if (data_ != nullptr) move(fresh.get(), data_.get(), size_);
    data_ = std::move(fresh);
    capacity_ = wanted;
  }

  std::unique_ptr<T[], Release> data_;
  std::int64_t size_ = 0;
  std::int64_t capacity_ = 0;
};

} // namespace corral

#pragma once

#include <corral/array.hpp>
#include <corral/memory.hpp>

#include <cstdint>

namespace corral {

/// A few values on their way to a device or from it: pinned memory, which copies need not be waited for, and as much of the
/// device's. Nothing is taken before `resize`. <corral/staged.cuh> copies.
template <class T> struct Staged {
  Array<T> here{Memory::pinned}, there{Memory::device};

  void resize(std::int64_t size) {
    here.resize(size);
    there.resize(size);
  }
  std::int64_t size() const { return here.size(); }
};

} // namespace corral

#pragma once

#include "distributed/ranks.hpp"

#include <corral/array.hpp>

#include <cstddef>
#include <cstdint>

namespace corral::distributed {

/// Records of equal size, one after the other.
struct Records {
  explicit Records(std::int64_t bytes_each) : each(bytes_each) {}

  std::int64_t each; ///< [bytes]
  Array<std::byte> bytes;

  std::int64_t size() const { return bytes.size() / each; }
  std::byte* operator[](std::int64_t i) { return bytes.data() + i * each; }
  const std::byte* operator[](std::int64_t i) const { return bytes.data() + i * each; }
};

/// Sends record i to rank to[i], another than this one, wherever that is, and returns what others sent here, in no
/// order that matters. Collective. PETSc's DMSwarm carries them, in rounds of at most so many bytes from each rank: its
/// messages have 32-bit lengths.
Records exchange(const Ranks& ranks, const Records& records, const Array<int>& to,
                 std::int64_t bytes_a_round = std::int64_t{1} << 28);

} // namespace corral::distributed

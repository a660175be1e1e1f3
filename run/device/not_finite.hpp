#pragma once

#include <corral/execution.hpp>
#include <corral/staged.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace corral::run {

/// Looks for what is infinite or no number among arrays on a device.
class NotFiniteScan {
public:
  /// An array in device memory.
  struct Values {
    const double* data;
    std::int64_t count;
  };
  struct Place {
    std::int64_t array, index;
  };

  /// The first in order of the arrays, then of their values; nothing where all are finite. One launch, and waits for it.
  /// From the second call with as many arrays on nothing is allocated. Throws Error where the device fails.
  std::optional<Place> first(Gpu gpu, std::span<const Values> arrays);

  /// An array as blocks look for theirs.
  struct Part {
    Values values;
    std::int64_t begin;       ///< of its values among those of all
    std::int64_t first_block; ///< of those that look at it
  };

private:
  Staged<Part> parts_;
  Staged<std::uint64_t> found_;
};

} // namespace corral::run

#pragma once

#include "run/case/settings.hpp"
#include "run/state/registry.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corral::run {

/// What another run left in its newest checkpoint, for a case that begins with it.
class EarlierRun {
public:
  virtual ~EarlierRun() = default;

  /// Reads what is saved of `wanted`, which was declared as that run had it. Throws Error where the checkpoint lacks some of
  /// it that is not optional, or holds it in another shape.
  virtual void read(Registry& wanted) const = 0;

  std::string place;      ///< the directory of the checkpoint
  std::int64_t step = 0;
  std::string time;       ///< simulated [s], as log.csv has it
  WrittenCase used;       ///< its case with everything resolved; files that it names need not be there any more
  std::vector<std::string> left_aside; ///< why newer checkpoints are, which are damaged; a sentence each
};

} // namespace corral::run

#pragma once

#include "app/output/openpmd/shown_file.hpp"
#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::app {

/// Files of a run by openPMD, one for each time at which something is due, called by its step: openpmd_000000001200.h5.
/// openpmd.pmd names them all for ParaView.
class OpenpmdSeries {
public:
  explicit OpenpmdSeries(std::filesystem::path directory) : directory_(std::move(directory)) {}

  void add(const run::Registry& registry, const Shown& shown, const run::Clock& clock);
  /// What was added so far is on the disk when it returns.
  void sync();
  /// Of a run that goes on from the clock's step: removes files of later ones.
  void restore(const run::Clock& clock) const;

private:
  std::filesystem::path directory_;
  std::vector<std::filesystem::path> not_on_disk_{};
  bool listed_ = false; ///< openpmd.pmd has been written, by this process
};

} // namespace corral::app

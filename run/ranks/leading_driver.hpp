#pragma once

#include "distributed/team.hpp"
#include "run/driver.hpp"
#include "run/ranks/rank_file.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace corral::run {

/// A run over ranks has its loop, its files and its words on rank 0 alone: there the driver of this rank stands behind another one,
/// which hands each call that asks for the state on to all ranks, and shows the state of the whole. So nothing above
/// drivers knows of ranks. Values that ranks share it leaves out of the files that it makes; all ranks fill these in together.
///
/// Errors: what any rank throws in a call is thrown on rank 0, once all have come to the call's end. Where the others wait
/// for that rank in the middle of it, all processes end (Team::meet).
class Lead {
public:
  /// On rank 0. Others are in `follow`.
  Lead(const distributed::Team& team, OpenRankFile open) : team_(team), open_(std::move(open)) {}
  /// Lets the others go.
  ~Lead();
  Lead(const Lead&) = delete;
  Lead& operator=(const Lead&) = delete;

  /// Makes the driver on all ranks. Throws what `make` throws here, and Error where others alone do. The others are told `words`.
  std::unique_ptr<Driver> make(const std::function<std::unique_ptr<Driver>()>& make, const std::string& words = "");

  /// For what all ranks do beside their drivers: the others do it now, each with its own driver and these words, and the caller does
  /// its share of it. Not before `make`.
  void call(const std::string& words) const;
  const distributed::Team& team() const { return team_; }
  /// Of this rank's part alone, as the others have theirs; as long as that of the whole lives.
  Driver& own() const { return *own_; }

private:
  const distributed::Team& team_;
  OpenRankFile open_;
  Driver* own_ = nullptr;
};

/// What a rank does at such words. What it throws nobody hears of.
using Beside = std::function<void(Driver& own, const std::string& words)>;

/// On the other ranks: does what rank 0 asks for until it lets them go. `make` gets rank 0's words.
void follow(const distributed::Team& team, const OpenRankFile& open, const std::function<std::unique_ptr<Driver>(const std::string& words)>& make,
            const Beside& beside = {});

} // namespace corral::run

#pragma once

#include "app/case/case_file.hpp"
#include "app/run_loop.hpp"
#include "run/driver.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace corral::test {

/// What a run wrote, by file name; of log.csv the rows, and of the state at its end every value as bytes.
struct Written {
  std::map<std::string, std::string> files;
  std::vector<std::string> rows;
  std::map<std::string, std::string> state;
  bool operator==(const Written&) const = default;
};

/// The first thing in which two runs differ, "" where there is none.
std::string difference(const Written& a, const Written& b);

/// A case, and how its runs write: log, fields and particles at different multiples of its step.
class Runs {
public:
  Runs(app::Case c, double dt);

  /// `steps` steps in one go.
  Written whole(std::int64_t steps) const;
  /// Stopped after `cut` steps; the state is copied into a driver and a loop that are made afresh and go on. `change`
  /// sees both registries after that.
  using Change = std::function<void(run::Registry& driver, run::Registry& loop)>;
  Written resumed(std::int64_t steps, std::int64_t cut, const Change& change = [](auto&, auto&) {}) const;

  /// Names of all entries that are saved, those of the loop after "loop.", columns after their set's.
  std::vector<std::string> saved() const;

private:
  app::RunPlan plan(std::int64_t steps) const;

  app::Case case_;
  double dt_;
};

/// The entry of that name, as `Runs::saved` has it; nullptr where it is the other registry's.
const run::Entry* find(const run::Registry& registry, bool loop, const std::string& name);

} // namespace corral::test

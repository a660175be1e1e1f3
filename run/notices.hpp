#pragma once

#include "run/state/registry.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace corral::run {

/// Whether a notice has been given. State: a run that goes on does not repeat what was said before it was cut.
class Said {
public:
  void bind_state(Registry& registry, std::string name, std::string meaning) {
    registry.bind(std::move(name), std::move(meaning), said_);
  }
  explicit operator bool() const { return said_ != 0; }

private:
  friend class Notices;
  std::int64_t said_ = 0; ///< 1 once it has been
};

/// What makes a run's results doubtful though nothing fails, a sentence each; the run loop passes them on.
class Notices {
public:
  void add(std::string text) { texts_.push_back(std::move(text)); }
  /// Says it once.
  void add(Said& said, std::string text) {
    if (std::exchange(said.said_, 1) == 0) add(std::move(text));
  }
  /// What was said since the last call.
  std::vector<std::string> take() { return std::exchange(texts_, {}); }

private:
  std::vector<std::string> texts_;
};

} // namespace corral::run

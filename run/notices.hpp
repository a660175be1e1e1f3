#pragma once

#include "run/case/values.hpp"
#include "run/state/registry.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace corral::run {

/// What is said of a run while it goes on. A notice tells what it does by itself. A warning tells what makes its results
/// doubtful though nothing fails. What must not go on is a fault, which is thrown: an Error.
struct Notice {
  std::string text;
  bool warns = false;
};

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

/// What makes results doubtful, and how bad it has been. A warning is given when it begins, and again each time that it
/// has become worse by half. State, as what was said.
class Doubt {
public:
  static constexpr double worse = 1.5; ///< times what was said last: worth saying again

  double worst() const { return worst_; } ///< 0 where there was none

private:
  friend class Notices;
  std::string what_, unit_; ///< "parcels crossed more than a cell in a step", "cells"
  double worst_ = 0, when_ = 0, said_ = 0;
};

/// Collects them; the run loop passes them on.
class Notices {
public:
  Notices() = default;
  Notices(const Notices&) = delete; // it knows where its doubts are
  Notices& operator=(const Notices&) = delete;

  /// `what` was the case, and by how much at worst: "parcels crossed more than a cell in a step", "cells". `name` is that
  /// of its state. The doubt must stay where it is.
  void bind(Doubt& doubt, Registry& registry, const std::string& name, std::string what, std::string unit) {
    registry.bind(name + "_worst", unit, "worst so far: " + what, doubt.worst_);
    registry.bind(name + "_when", "s", "when that was", doubt.when_);
    registry.bind(name + "_said", unit, "what was said of it last", doubt.said_);
    doubt.what_ = std::move(what);
    doubt.unit_ = std::move(unit);
    doubts_.push_back(&doubt);
  }

  void add(std::string text) { notices_.push_back({std::move(text), false}); }
  /// Says it once.
  void add(Said& said, std::string text) {
    if (std::exchange(said.said_, 1) == 0) add(std::move(text));
  }
  /// Warns once: of a law beyond its range, which would be looked at in vain from then on.
  void warn(Said& said, std::string text) {
    if (std::exchange(said.said_, 1) == 0) notices_.push_back({std::move(text), true});
  }
  /// `value`, above 0, tells how bad it is at `time` [s]; text() what to say of it.
  template <class Text> void warn(Doubt& doubt, double value, double time, const Text& text) {
    if (!(value > doubt.worst_)) return;
    doubt.worst_ = value;
    doubt.when_ = time;
    if (doubt.said_ > 0 && value < Doubt::worse * doubt.said_) return;
    doubt.said_ = value;
    notices_.push_back({text(), true});
  }
  /// What was said since the last call.
  std::vector<Notice> take() { return std::exchange(notices_, {}); }
  /// The worst of each doubt that there was, for the end of a run: "parcels crossed more than a cell in a step: 1.3 cells at
  /// worst, at .2 s".
  std::vector<std::string> doubts() const {
    std::vector<std::string> all;
    for (const Doubt* doubt : doubts_)
      if (doubt->worst_ > 0)
        all.push_back(doubt->what_ + ": " + brief(doubt->worst_) + (doubt->unit_.empty() ? "" : " ") + doubt->unit_ +
                      " at worst, at " + brief(doubt->when_) + " s");
    return all;
  }

private:
  std::vector<const Doubt*> doubts_;
  std::vector<Notice> notices_;
};

} // namespace corral::run

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace corral::run {

/// Where the wall-clock time goes: seconds and calls of each named phase. `auto t = phases.time("spread");` times the
/// rest of the block. A phase within another takes its time away from the outer one, so that shares add up.
/// Called from the thread that steps the driver only.
class Phases {
  using SteadyClock = std::chrono::steady_clock;

public:
  struct Phase {
    std::string name;
    double seconds = 0;
    std::int64_t calls = 0;
    bool beside = false; ///< on threads of its own while another phase lasted, in whose seconds these are
  };

  class Timer {
  public:
    Timer(Phases& phases, Phase& phase) : phases_(phases), phase_(phase), outer_(phases.running_) {
      phases_.running_ = this;
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer() {
      const double elapsed = std::chrono::duration<double>(SteadyClock::now() - begin_).count();
      phase_.seconds += elapsed - inner_;
      ++phase_.calls;
      if (outer_) outer_->inner_ += elapsed;
      phases_.running_ = outer_;
    }

  private:
    Phases& phases_;
    Phase& phase_;
    Timer* outer_;
    double inner_ = 0; // spent in phases within this one [s]
    SteadyClock::time_point begin_ = SteadyClock::now();
  };

  [[nodiscard]] Timer time(std::string_view name) { return Timer(*this, find(name)); }

  /// What was done before there was anything to time it with: it stands before all others.
  void begin_with(std::string name, double seconds) {
    phases_.emplace_front(Phase{.name = std::move(name), .seconds = seconds, .calls = 1});
  }

  /// What ran beside others on threads of its own, for so long.
  void add_beside(std::string_view name, double seconds) {
    Phase& phase = find(name);
    phase.seconds += seconds;
    ++phase.calls;
    phase.beside = true;
  }

  /// In the order of their first call.
  const std::deque<Phase>& all() const { return phases_; }

private:
  Phase& find(std::string_view name) {
    for (Phase& p : phases_)
      if (p.name == name) return p;
    return phases_.emplace_back(Phase{std::string(name)});
  }

  std::deque<Phase> phases_; // timers keep references
  Timer* running_ = nullptr;
};

} // namespace corral::run

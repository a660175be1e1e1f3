#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace corral::run {

/// Where the wall-clock time goes: seconds and calls of each named phase. `auto t = phases.time("spread");` times the
/// rest of the block. A phase within another takes its time away from the outer one, so that shares add up.
/// Called from the thread that steps the driver only.
///
/// Work on a device goes on after its calls have returned. There a timeline tells the time: of a phase all that passes
/// between what came before it and its end, as the device comes to them, be it busy or idle.
class Phases {
  using SteadyClock = std::chrono::steady_clock;

public:
  struct Phase {
    std::string name;
    double seconds = 0;
    std::int64_t calls = 0;
    double bytes = 0;    ///< what of it was told, `moved`
    bool beside = false; ///< on threads of its own while another phase lasted, in whose seconds these are
  };

  /// The time of who works behind the calls.
  class Timeline {
  public:
    virtual ~Timeline() = default;
    /// From here on, and up to the next call, its time counts to that [s]; null: to nothing.
    virtual void count_to(double* seconds) noexcept = 0;
    /// Adds up all that is behind the last call; waits for it.
    virtual void settle() noexcept = 0;
    /// What a copy within its memory reads and writes a second [bytes/s], measured when first asked for; 0 where it cannot be.
    virtual double copy_rate() noexcept = 0;
  };

  class Timer {
  public:
    Timer(Phases& phases, Phase& phase) : phases_(phases), phase_(phase), outer_(phases.running_) {
      phases_.running_ = this;
      if (phases_.timeline_) phases_.timeline_->count_to(&phase_.seconds);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer() {
      ++phase_.calls;
      phases_.running_ = outer_;
      if (phases_.timeline_) phases_.timeline_->count_to(outer_ ? &outer_->phase_.seconds : nullptr);
      else add(std::chrono::duration<double>(SteadyClock::now() - begin_).count());
    }

  private:
    void add(double elapsed) {
      phase_.seconds += elapsed - inner_;
      if (outer_) outer_->inner_ += elapsed;
    }

    Phases& phases_;
    Phase& phase_;
    Timer* outer_;
    double inner_ = 0; // spent in phases within this one [s]
    SteadyClock::time_point begin_ = SteadyClock::now();
  };

  [[nodiscard]] Timer time(std::string_view name) { return Timer(*this, find(name)); }

  /// Phases that begin from now on are timed by that.
  void time_by(std::unique_ptr<Timeline> timeline) { timeline_ = std::move(timeline); }
  /// Brings the seconds of all that have ended up to date; waits for a device.
  void settle() {
    if (timeline_) timeline_->settle();
  }

  /// Bytes that a phase had to read and write at the least, further ones.
  void moved(std::string_view name, double bytes) { find(name).bytes += bytes; }
  /// That of the timeline; 0 where there is none.
  double copy_rate() const { return timeline_ ? timeline_->copy_rate() : 0; }

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
  std::unique_ptr<Timeline> timeline_;
};

} // namespace corral::run

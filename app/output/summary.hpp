#pragma once

#include "run/driver.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace corral::app {

/// How far a run is and how fast it goes.
struct Pace {
  double time = 0;               ///< simulated [s]
  double end = 0;                ///< [s]
  double fraction = 0;           ///< done, 0 to 1
  std::int64_t steps = 0;        ///< done
  double first_fraction = 0;     ///< of these, what another run had done, which this one went on from
  std::int64_t first_steps = 0;  ///< likewise
  std::int64_t particle_steps = 0; ///< particles moved, summed over the steps
  std::string one = "particle";  ///< what one of them is called
  double stepping = 0;           ///< wall clock of the steps and their checks [s]
  double elapsed = 0;            ///< wall clock since the first step, output included [s]

  double steps_per_second() const { return elapsed > 0 ? static_cast<double>(steps - first_steps) / elapsed : 0; }
  /// [ns] of one particle in one step, output excepted; nothing where none has been moved.
  std::optional<double> ns_per_particle_step() const;
  double remaining() const { ///< [s]
    return fraction > first_fraction ? elapsed * (1 - fraction) / (fraction - first_fraction) : 0;
  }
};

std::string progress_line(const Pace& pace);
/// The same behind a bar; at most 100 characters.
std::string progress_bar(const Pace& pace);
/// "0:07", "12:40", "3:05:00".
std::string duration_text(double seconds);

/// Shows how a run goes on: on a terminal a bar that is redrawn at most 10 times a second, elsewhere a line at most
/// every 10 seconds.
class Progress {
public:
  enum class Style : std::uint8_t { none, lines, bar };

  /// `bar` where the stream is a terminal, otherwise `lines`.
  static Style style_for(std::FILE* stream);

  Progress(std::FILE* stream, Style style) : stream_(stream), style_(style) {}

  void show(const Pace& pace);
  /// A line of its own, whatever the style but none.
  void note(const std::string& text);
  /// The same of what is told however quiet a run is to be.
  void warn(const std::string& text);
  /// Clears the bar.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  std::FILE* stream_;
  Style style_;
  Clock::time_point last_ = Clock::now();
};

/// Shows what a command waits for before a run: on a terminal, after a second, a line that is redrawn at most 10 times a
/// second and goes at the end, elsewhere a line after 3 seconds and every 5.
class Waiting {
public:
  Waiting(std::FILE* stream, Progress::Style style) : Waiting(stream, style, style == Progress::Style::bar ? 1 : 3) {}
  /// Waits `patience` [s] before its first word.
  Waiting(std::FILE* stream, Progress::Style style, double patience)
      : stream_(stream), style_(style), next_(Clock::now() + seconds(patience)) {}
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  void show(const std::string& how_far);

private:
  using Clock = std::chrono::steady_clock;
  static Clock::duration seconds(double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
  }

  std::FILE* stream_;
  Progress::Style style_;
  Clock::time_point next_;
  bool shown_ = false;
};

/// What a run came to, its wall-clock figures included; nothing else that corral writes holds any of these.
struct Summary {
  std::string title;
  std::string outcome; ///< why the run ended: "end", "until", "steps", "interrupted", "failed"
  std::string message; ///< of a failure
  std::vector<run::Notice> notices{}; ///< of the driver while it ran, warnings too
  int threads = 0;
  std::string threads_because{}; ///< what set their number, where nobody asked for it
  run::Clock clock;
  Pace pace;               ///< of the steps, output excepted
  double wall_seconds = 0; ///< of the whole run, in which the driver is made
};

/// The text of summary.json. Phases, figures, memory and log columns are asked of the driver.
std::string summary_json(const Summary& summary, run::Driver& driver);

/// For the terminal: phase, seconds, share of the whole, calls; a line each, "other" and the total last. On a device also the
/// share of what copies would move in that time, for phases that tell their bytes.
std::string phase_table(const run::Phases& phases, double wall_seconds);

/// For the terminal: the worst of what made results doubtful, a line each.
std::string doubts_text(const std::vector<std::string>& doubts);

/// The last line of a run, for instance "end reached: 1 s in 5000 steps, 12.3 s, 104 ns per parcel and step".
std::string closing_line(const Summary& summary);

/// Largest resident memory of the process so far.
std::int64_t peak_memory_bytes();

} // namespace corral::app

#include "app/command/progress.hpp"

#include "app/output/number.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace corral::app {

namespace {

std::string two_digits(std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); }

} // namespace

std::optional<double> Pace::ns_per_particle_step() const {
  if (particle_steps == 0) return std::nullopt;
  return 1e9 * stepping / static_cast<double>(particle_steps);
}

std::string duration_text(double seconds) {
  const auto s = static_cast<std::int64_t>(std::clamp(std::round(seconds), 0.0, 1e9));
  if (s < 3600) return std::to_string(s / 60) + ":" + two_digits(s % 60);
  return std::to_string(s / 3600) + ":" + two_digits(s / 60 % 60) + ":" + two_digits(s % 60);
}

std::string progress_line(const Pace& pace) {
  std::string line = std::to_string(static_cast<int>(100 * pace.fraction)) + " %, " + rounded_text(pace.time, 4) +
                     " of " + rounded_text(pace.end, 4) + " s, " + rounded_text(pace.steps_per_second(), 3) +
                     " steps/s";
  if (const auto ns = pace.ns_per_particle_step())
    line += ", " + rounded_text(*ns, 3) + " ns per " + pace.one + " and step";
  return line + ", " + duration_text(pace.remaining()) + " left";
}

std::string progress_bar(const Pace& pace) {
  constexpr int width = 20;
  const int done = static_cast<int>(width * pace.fraction);
  return "[" + std::string(done, '#') + std::string(width - done, '.') + "] " + progress_line(pace);
}

Progress::Style Progress::style_for(std::FILE* stream) { return isatty(fileno(stream)) ? Style::bar : Style::lines; }

void Progress::show(const Pace& pace) {
  if (style_ == Style::none) return;
  const auto now = Clock::now();
  const auto pause = style_ == Style::bar ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
  if (now - last_ < pause) return;
  last_ = now;
  const std::string text = style_ == Style::bar ? "\r" + progress_bar(pace) + "\033[K" : progress_line(pace) + "\n";
  std::fputs(text.c_str(), stream_);
  std::fflush(stream_);
}

void Progress::note(const std::string& text) {
  if (style_ != Style::none) warn(text);
}

void Progress::warn(const std::string& text) {
  finish();
  std::fputs((text + "\n").c_str(), stream_);
  std::fflush(stream_);
}

void Progress::finish() {
  if (style_ != Style::bar) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
}

} // namespace corral::app

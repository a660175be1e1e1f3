#include "app/output/summary.hpp"

#include "app/system/text.hpp"

#include <corral/execution.hpp>
#include <corral/memory.hpp>

#include <sys/resource.h>
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

void Waiting::show(const std::string& how_far) {
  const auto now = Clock::now();
  if (style_ == Progress::Style::none || now < next_) return;
  const bool bar = style_ == Progress::Style::bar;
  next_ = now + seconds(bar ? 0.1 : 5);
  shown_ = true;
  std::fputs((bar ? "\r" + how_far + "\033[K" : how_far + "\n").c_str(), stream_);
  std::fflush(stream_);
}

Waiting::~Waiting() {
  if (!shown_ || style_ != Progress::Style::bar) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
}

namespace {

double share(double seconds, double whole) { return whole > 0 ? seconds / whole : 0; }

/// Of what the device's copies move in the time of the phase, the part that the phase had to move.
double share_of_copies(const run::Phases::Phase& phase, double copy_rate) {
  return phase.seconds > 0 ? phase.bytes / (phase.seconds * copy_rate) : 0;
}

void write_phases(Json& json, const run::Phases& phases, double wall_seconds) {
  const double copies = phases.copy_rate();
  if (copies > 0) json.member("copy_bytes_per_second", copies);
  json.key("phases");
  json.begin_array();
  for (const run::Phases::Phase& p : phases.all()) {
    json.begin_object();
    json.member("name", p.name);
    json.member("seconds", p.seconds);
    json.member("share", share(p.seconds, wall_seconds));
    json.member("calls", p.calls);
    if (copies > 0 && p.bytes > 0) json.member("bytes", p.bytes);
    if (copies > 0 && p.bytes > 0) json.member("share_of_copies", share_of_copies(p, copies));
    if (p.beside) json.member("beside", true);
    json.end_object();
  }
  json.end_array();
}

void write_log_columns(Json& json, const run::Driver& driver) {
  json.key("log_columns");
  json.begin_object();
  for (const run::LogColumn& c : driver.log_columns()) {
    json.key(c.name);
    json.begin_object();
    json.member("unit", c.unit);
    json.member("meaning", c.meaning);
    json.end_object();
  }
  json.end_object();
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string table_row(const std::string& name, std::size_t width, double seconds, double whole) {
  return name + std::string(width - name.size(), ' ') + padded(rounded_text(seconds, 4), 12) +
         padded(rounded_text(100 * share(seconds, whole), 3), 8) + " %";
}

} // namespace

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{1024} * usage.ru_maxrss;
}

std::string summary_json(const Summary& s, run::Driver& driver) {
  Json json;
  json.begin_object();
  json.member("corral", CORRAL_VERSION);
  json.member("title", s.title);
  json.member("outcome", s.outcome);
  if (!s.message.empty()) json.member("message", s.message);
  json.key("notices");
  json.begin_array();
  for (const run::Notice& notice : s.notices) json.value(notice.text);
  json.end_array();
  json.key("warnings");
  json.begin_array();
  for (const run::Notice& notice : s.notices)
    if (notice.warns) json.value(notice.text);
  json.end_array();
  json.key("doubts");
  json.begin_array();
  for (const std::string& doubt : driver.doubts()) json.value(doubt);
  json.end_array();
  json.member("time", s.clock.time());
  json.member("steps", s.clock.step());
  json.member("cells", driver.grid().cells());
  for (const run::ParticleSet& set : driver.registry().sets()) json.member(set.name(), set.size());
  json.member("threads", s.threads);
  if (!s.threads_because.empty()) json.member("threads_because", s.threads_because);
  json.member("instruction_set", instruction_set());
  json.member("backend", driver.device().empty() ? "cpu" : "gpu");
  if (!driver.device().empty()) json.member("device", driver.device());
  json.member("wall_seconds", s.wall_seconds);
  json.member("stepping_seconds", s.pace.stepping);
  json.member(s.pace.one + "_steps", s.pace.particle_steps);
  json.key("ns_per_" + s.pace.one + "_step");
  if (const auto ns = s.pace.ns_per_particle_step()) json.value(*ns);
  else json.null();
  json.member("peak_memory_bytes", peak_memory_bytes());
  json.member("state_bytes", driver.registry().bytes());
  json.member("arrays_bytes", memory_use(Memory::host).most);
  if (const std::int64_t most = memory_use(Memory::device).most; most > 0) json.member("device_arrays_bytes", most);
  if (const std::int64_t most = memory_use(Memory::pinned).most; most > 0) json.member("pinned_arrays_bytes", most);
  write_phases(json, driver.phases(), s.wall_seconds);
  json.key("figures");
  json.begin_object();
  for (const auto& [name, value] : driver.figures()) json.member(name, value);
  json.end_object();
  write_log_columns(json, driver);
  json.end_object();
  return json.text();
}

std::string phase_table(const run::Phases& phases, double wall_seconds) {
  const double copies = phases.copy_rate();
  std::size_t width = 5;
  double other = wall_seconds;
  for (const run::Phases::Phase& p : phases.all()) {
    width = std::max(width, p.name.size());
    if (!p.beside) other -= p.seconds;
  }
  std::string table = "phase" + std::string(width - 5, ' ') + padded("seconds", 12) + padded("share", 10) +
                      padded("calls", 12) + (copies > 0 ? padded("of copies", 12) : "") + "\n";
  bool any_beside = false;
  for (const run::Phases::Phase& p : phases.all()) {
    table += table_row(p.name, width, p.seconds, wall_seconds) + padded(std::to_string(p.calls), 12);
    if (copies > 0 && p.bytes > 0) table += padded(rounded_text(100 * share_of_copies(p, copies), 3), 10) + " %";
    table += p.beside ? "  *\n" : "\n";
    any_beside = any_beside || p.beside;
  }
  return table + table_row("other", width, std::max(0.0, other), wall_seconds) + "\n" +
         table_row("total", width, wall_seconds, wall_seconds) + "\n" +
         (any_beside ? "* on threads of its own beside the other, within `at once`\n" : "") +
         (copies > 0 ? "of copies: bytes that the phase must move, over those that copies on the device move in its time, " +
                           rounded_text(1e-12 * copies, 3) + " TB/s\n"
                     : "");
}

std::string doubts_text(const std::vector<std::string>& doubts) {
  std::string text;
  for (const std::string& doubt : doubts) text += "warning   " + doubt + "\n";
  return text;
}

std::string closing_line(const Summary& s) {
  const std::int64_t before = s.pace.first_steps;
  std::string line = s.outcome + ": " + rounded_text(s.clock.time(), 6) + " s simulated in " +
                     std::to_string(s.clock.step()) + " steps" +
                     (before > 0 ? ", those after the first " + std::to_string(before) + " in " : " and ") +
                     rounded_text(s.wall_seconds, 3) +
                     " s on " + std::to_string(s.threads) + (s.threads == 1 ? " thread" : " threads");
  if (const auto ns = s.pace.ns_per_particle_step())
    line += ", " + rounded_text(*ns, 3) + " ns per " + s.pace.one + " and step";
  return line;
}

} // namespace corral::app

#include "app/output/summary.hpp"

#include "app/output/json.hpp"
#include "app/output/number.hpp"

#include <corral/execution.hpp>

#include <sys/resource.h>

#include <algorithm>

namespace corral::app {

namespace {

double share(double seconds, double whole) { return whole > 0 ? seconds / whole : 0; }

void write_phases(Json& json, const run::Phases& phases, double wall_seconds) {
  json.key("phases");
  json.begin_array();
  for (const run::Phases::Phase& p : phases.all()) {
    json.begin_object();
    json.member("name", p.name);
    json.member("seconds", p.seconds);
    json.member("share", share(p.seconds, wall_seconds));
    json.member("calls", p.calls);
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
  for (const std::string& notice : s.notices) json.value(notice);
  json.end_array();
  json.member("time", s.clock.time());
  json.member("steps", s.clock.step());
  json.member("cells", driver.grid().cells());
  for (const run::ParticleSet& set : driver.registry().sets()) json.member(set.name(), set.size());
  json.member("threads", s.threads);
  json.member("instruction_set", instruction_set());
  json.member("wall_seconds", s.wall_seconds);
  json.member("stepping_seconds", s.pace.stepping);
  json.member(s.pace.one + "_steps", s.pace.particle_steps);
  json.key("ns_per_" + s.pace.one + "_step");
  if (const auto ns = s.pace.ns_per_particle_step()) json.value(*ns);
  else json.null();
  json.member("peak_memory_bytes", peak_memory_bytes());
  json.member("state_bytes", driver.registry().bytes());
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
  std::size_t width = 5;
  double other = wall_seconds;
  for (const run::Phases::Phase& p : phases.all()) {
    width = std::max(width, p.name.size());
    other -= p.seconds;
  }
  std::string table = "phase" + std::string(width - 5, ' ') + padded("seconds", 12) + padded("share", 10) +
                      padded("calls", 12) + "\n";
  for (const run::Phases::Phase& p : phases.all())
    table += table_row(p.name, width, p.seconds, wall_seconds) + padded(std::to_string(p.calls), 12) + "\n";
  return table + table_row("other", width, std::max(0.0, other), wall_seconds) + "\n" +
         table_row("total", width, wall_seconds, wall_seconds) + "\n";
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

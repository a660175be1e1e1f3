#include "bench/maps.hpp"

#include "bench/device/device.hpp"
#include "bench/measure.hpp"
#include "bench/report.hpp"

#include <corral/error.hpp>

#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace corral::bench {

namespace {

/// A bar on standard error; nothing where that is no terminal.
class Bar {
public:
  explicit Bar(std::size_t works) : works_(works), shown_(isatty(STDERR_FILENO) != 0) {}
  ~Bar() { clear(); }

  void show(std::size_t done) const {
    constexpr std::size_t width = 20;
    const std::string filled(width * done / works_, '#');
    if (shown_)
      std::fprintf(stderr, "\r[%s%s] workload %zu of %zu\033[K", filled.c_str(),
                   std::string(width - filled.size(), '.').c_str(), done + 1, works_);
  }
  void clear() const {
    if (shown_) std::fputs("\r\033[K", stderr);
  }

private:
  std::size_t works_;
  bool shown_;
};

bool can_go_on(const Workload& work) { return work.backend == Backend::cpu || device_works(); }

/// The rows of a workload. What cannot be measured, or is wrong, is kept in `failures`, and the other calls are
/// measured without it.
std::vector<Row> measure_what_is_right(const Workload& work, std::vector<std::string>& failures) {
  try {
    return measure(work);
  } catch (const Error& e) {
    if (work.calls.size() <= 1 || !can_go_on(work)) {
      failures.emplace_back(e.what());
      return {};
    }
  }
  std::vector<Row> rows;
  for (const Call& call : work.calls) {
    if (!can_go_on(work)) break;
    Workload alone = work;
    alone.calls = {call};
    for (const Row& row : measure_what_is_right(alone, failures)) rows.push_back(row);
  }
  return rows;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  if (!(out << text).flush()) throw Error(file + " could not be written");
}

void run_other(const MapOptions& options, std::ostream& out) {
  const std::string json = options.other->run(options.call, [&](const std::string& line) {
    if (!options.json) out << line << std::flush;
  });
  if (options.json) out << json;
  if (!options.json_file.empty()) write(options.json_file, json);
}

} // namespace

std::vector<OtherSuite>& other_suites() {
  static std::vector<OtherSuite> all;
  return all;
}

void run_maps(const MapOptions& options, std::ostream& out) {
  if (options.other) return run_other(options, out);
  const std::vector<Workload>& works = options.suite.works;
  const Table table(works);
  const Bar bar(works.size());
  std::vector<Row> all;
  std::vector<std::string> failures;
  Ceilings ceilings;
  if (options.suite.ceilings) ceilings = {device_name(), measure_ceilings()};
  if (!options.json) out << (ceilings.all.empty() ? "" : text(ceilings)) << table.header() << std::flush;
  for (std::size_t w = 0; w < works.size(); ++w) {
    bar.show(w);
    const std::vector<Row> rows = measure_what_is_right(works[w], failures);
    bar.clear();
    all.insert(all.end(), rows.begin(), rows.end());
    if (!options.json)
      for (const Row& row : rows) out << table.line(row);
    out.flush();
    if (!failures.empty() && !can_go_on(works[w])) break;
  }
  if (options.json) out << json(ceilings, all);
  else if (options.suite.conclusion) out << "\n" << options.suite.conclusion(all);
  if (!options.json_file.empty()) write(options.json_file, json(ceilings, all));
  if (failures.empty()) return;
  out.flush();
  std::string message = failures.front();
  for (std::size_t f = 1; f < failures.size(); ++f) message += "\ncorral: " + failures[f];
  throw Error(message);
}

} // namespace corral::bench

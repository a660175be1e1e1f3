#include "bench/maps.hpp"

#include "bench/measure.hpp"
#include "bench/report.hpp"

#include <unistd.h>

#include <cstdio>

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

} // namespace

void run_maps(const MapOptions& options, std::ostream& out) {
  const std::vector<Workload>& works = options.suite.works;
  const Table table(works);
  const Bar bar(works.size());
  std::vector<Row> all;
  if (!options.json) out << table.header() << std::flush;
  for (std::size_t w = 0; w < works.size(); ++w) {
    bar.show(w);
    const std::vector<Row> rows = measure(works[w]);
    bar.clear();
    all.insert(all.end(), rows.begin(), rows.end());
    if (options.json) continue;
    for (const Row& row : rows) out << table.line(row);
    out.flush();
  }
  if (options.json) out << json(all);
  else if (options.suite.conclusion) out << "\n" << options.suite.conclusion(all);
}

} // namespace corral::bench

#include "app/run_driver.hpp"

#include "app/output_file.hpp"
#include "app/summary.hpp"

#include <corral/execution.hpp>

#include <chrono>
#include <exception>

namespace corral::app {

void say(std::FILE* stream, const std::string& text) {
  if (!stream) return;
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

int run_driver(run::Driver& driver, const RunPlan& plan, const OutputDirectory& directory, const std::string& title,
               const Voices& voices) {
  using WallClock = std::chrono::steady_clock;
  const auto begin = WallClock::now();
  Progress progress(voices.err, voices.err ? Progress::style_for(voices.err) : Progress::Style::none);
  RunLoop loop(driver, plan, directory, progress);
  Summary summary;
  summary.title = title;
  summary.threads = current_threads();
  const auto write_summary = [&] {
    progress.finish();
    summary.clock = loop.clock();
    summary.pace = loop.pace();
    summary.wall_seconds = std::chrono::duration<double>(WallClock::now() - begin).count();
    write_whole_file(directory.file("summary.json"), summary_json(summary, driver));
  };
  try {
    summary.outcome = loop.run();
    write_summary();
  } catch (const std::exception& e) {
    summary.outcome = "failed";
    summary.message = e.what();
    try {
      write_summary();
    } catch (const std::exception&) {
      // What failed first is what is reported.
    }
    throw;
  }
  say(voices.out, phase_table(driver.phases(), summary.wall_seconds) + closing_line(summary) + "\n");
  return summary.outcome == "interrupted" ? 3 : 0;
}

} // namespace corral::app

#include "app/run_driver.hpp"

#include "app/checkpoint/state_file.hpp"
#include "app/command/memory.hpp"
#include "app/output/output_file.hpp"
#include "app/output/summary.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <chrono>
#include <exception>
#include <new>

namespace corral::app {

int run_driver(run::Driver& driver, const RunPlan& plan, const OutputDirectory& directory, const Interrupts& interrupts,
               Console& console, Checkpointer* checkpointer, const Checkpoint* from) {
  using WallClock = std::chrono::steady_clock;
  const auto begin = WallClock::now();
  std::FILE* terminal = console.remarks();
  Progress progress(terminal ? terminal : stderr, terminal ? Progress::style_for(terminal) : Progress::Style::none);
  RunLoop loop(driver, plan, directory, progress, interrupts, checkpointer);
  Summary summary;
  summary.title = plan.title;
  summary.threads = current_threads();
  const auto write_summary = [&] {
    progress.finish();
    summary.notices = loop.notices();
    summary.clock = loop.clock();
    summary.pace = loop.pace();
    summary.wall_seconds = std::chrono::duration<double>(WallClock::now() - begin).count();
    write_whole_file(directory.file("summary.json"), summary_json(summary, driver));
  };
  try {
    if (from) {
      read_state(from->state(), driver.registry(), loop.state());
      if (loop.clock().step() != from->manifest.step)
        throw Error(from->state().string() + " is of step " + std::to_string(loop.clock().step()) +
                    ", and its manifest of another (somebody changed it)");
    }
    summary.outcome = from ? loop.resume() : loop.run();
    write_summary();
  } catch (const std::exception& e) {
    const auto* memory = dynamic_cast<const std::bad_alloc*>(&e);
    summary.outcome = "failed";
    summary.message = memory ? out_of_memory_text(*memory, driver.expected_bytes()) : e.what();
    try {
      write_summary();
    } catch (const std::exception&) {
      // What failed first is what is reported.
    }
    throw Error(summary.message);
  }
  console.answer(phase_table(driver.phases(), summary.wall_seconds) + closing_line(summary) + "\n");
  return summary.outcome == "interrupted" ? 3 : 0;
}

} // namespace corral::app

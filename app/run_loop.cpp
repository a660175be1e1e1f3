#include "app/run_loop.hpp"

#include "app/checkpoint/checkpoints.hpp"
#include "app/output/summary.hpp"
#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "app/system/text.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

namespace corral::app {

namespace {

Log begun_or_kept(const RunPlan& plan, const std::filesystem::path& file, const std::vector<run::LogColumn>& columns) {
  const auto kept = plan.kept.find(file.filename().string());
  return kept == plan.kept.end() ? Log(file, columns) : Log(file, columns, kept->second);
}

} // namespace

RunLoop::RunLoop(run::Driver& driver, const RunPlan& plan, const OutputDirectory& directory, Progress& progress,
                 const Interrupts& interrupts, Checkpointer* checkpointer)
    : driver_(driver), plan_(plan), directory_(directory), progress_(progress), interrupts_(interrupts),
      checkpointer_(checkpointer), state_(driver.grid()),
      log_(begun_or_kept(plan, directory.file("log.csv"), driver.log_columns())), log_due_(plan.log_interval),
      files_(plan.files, directory.path(), driver.registry()),
      in_situ_(plan.in_situ, directory.path(), plan.title, [this](const std::string& sentence) { note({sentence}); }, plan.ranks) {
  clock_.bind_state(state_);
  log_due_.bind_state(state_, "log");
  files_.bind_state(state_);
  // One that gets no more rows stays, too: checkpoints say how much of it counts.
  for (const auto& [kind, interval] : plan_.tables) {
    const std::string file = kind.name + ".csv";
    if (!(interval > 0) && !plan_.kept.contains(file)) continue;
    tables_.push_back({kind.name, DueTimes(interval), begun_or_kept(plan, directory.file(file), kind.columns)});
    tables_.back().due.bind_state(state_, kind.name, run::Use::saved | run::Use::optional);
  }
}

std::string RunLoop::run() {
  {
    const auto timer = driver_.phases().time("start");
    driver_.start();
  }
  check_state();
  for (const std::string& notice : plan_.notices) note({notice});
  write_due();
  in_situ_.look(driver_, clock_);
  if (checkpointer_) checkpointer_->begin(clock_);
  return go_on();
}

std::string RunLoop::resume() {
  {
    const auto timer = driver_.phases().time("start");
    driver_.restored(clock_);
  }
  in_situ_.looked(clock_);
  check_state();
  if (plan_.other_intervals.contains("log")) log_due_.begin(clock_);
  for (Table& table : tables_)
    if (plan_.other_intervals.contains(table.name)) table.due.begin(clock_);
  files_.restore(clock_, plan_.other_intervals);
  for (const std::string& notice : plan_.notices) note({notice});
  if (checkpointer_) checkpointer_->begin(clock_);
  if (const auto reason = reason_to_end(); reason && *reason != "interrupted")
    note({"the run is at " + rounded_text(clock_.time(), 6) + " s, step " + std::to_string(clock_.step()) +
          ", already: there is nothing to go on to"});
  return go_on();
}

std::string RunLoop::go_on() {
  begin_ = WallClock::now();
  first_steps_ = clock_.step();
  first_fraction_ = pace().fraction;
  std::optional<std::string> reason;
  while (!(reason = reason_to_end())) {
    step();
    write_due();
    in_situ_.look(driver_, clock_);
    if (checkpointer_ && checkpointer_->due(clock_)) try_checkpoint();
    progress_.show(pace());
  }
  // Whoever interrupts a run relies on its checkpoint.
  if (checkpointer_ && *reason == "interrupted") write_checkpoint();
  else if (checkpointer_ && checkpointer_->at_end()) try_checkpoint();
  log_.close();
  for (Table& table : tables_) table.log.close();
  return *reason;
}

std::optional<std::string> RunLoop::reason_to_end() const {
  // As for output: a time that rounding left a hair before the end is the end.
  const double time = clock_.time() + 1e-6 * clock_.dt();
  if (time >= plan_.end) return "end";
  if (interrupts_.pending() != 0) return "interrupted";
  if (plan_.until && time >= *plan_.until) return "until";
  if (plan_.steps && clock_.step() >= *plan_.steps) return "steps";
  return std::nullopt;
}

void RunLoop::step() {
  const double dt = driver_.next_dt();
  if (!(std::isfinite(dt) && clock_.time() + dt > clock_.time()))
    throw Error("time step " + number_text(dt) + " s at " + number_text(clock_.time()) +
                " s (it must be finite and move the time on)");
  clock_.set_dt(dt);
  const auto begin = WallClock::now();
  try {
    driver_.step(clock_);
  } catch (const Error& e) {
    dump(e.what());
  }
  pass_on_notices();
  clock_.advance();
  check_state();
  stepping_ += std::chrono::duration<double>(WallClock::now() - begin).count();
  if (const auto& sets = driver_.registry().sets(); !sets.empty()) particle_steps_ += sets.front().size();
}

void RunLoop::pass_on_notices() {
  for (run::Notice& notice : driver_.take_notices()) note(std::move(notice));
}

void RunLoop::note(run::Notice notice) {
  progress_.note((notice.warns ? "warning   " : "notice    ") + notice.text);
  notices_.push_back(std::move(notice));
  end_if_strict();
}

void RunLoop::end_if_strict() const {
  if (plan_.strict && notices_.back().warns) throw Error("a warning ends the run, by --strict: " + notices_.back().text);
}

void RunLoop::write_checkpoint() {
  const auto timer = driver_.phases().time("checkpoint");
  // It counts with the results up to it: all of them have reached the disk before.
  files_.sync();
  std::vector<Log*> tables{&log_};
  for (Table& table : tables_) tables.push_back(&table.log);
  driver_.before_checkpoint();
  checkpointer_->write(driver_.registry(), state_, clock_, tables);
}

// A run of days does not end for want of a checkpoint: the next one may find room, or memory. But whoever asked for
// silence counts on it all the same.
void RunLoop::try_checkpoint() {
  try {
    write_checkpoint();
  } catch (const std::exception& e) {
    notices_.push_back({"no checkpoint was written, those before stand: " + reason_text(e), true});
    progress_.warn("warning   " + notices_.back().text);
    end_if_strict();
  }
}

void RunLoop::check_state() {
  std::optional<std::string> found;
  {
    const auto timer = driver_.phases().time("check");
    found = driver_.registry().find_not_finite();
  }
  if (found) dump(*found);
}

void RunLoop::write_due() {
  const bool log = log_due_.due(clock_), files = files_.due(clock_);
  std::vector<Table*> tables_due;
  for (Table& t : tables_)
    if (t.due.due(clock_)) tables_due.push_back(&t);
  if (!log && !files && tables_due.empty()) return;
  const auto timer = driver_.phases().time("output");
  if (log) {
    write_rows(log_, {driver_.log_row()});
    pass_on_notices();
  }
  for (Table* t : tables_due) write_rows(t->log, driver_.table_rows(t->name));
  if (!files) return;
  driver_.before_output();
  files_.write(clock_);
}

void RunLoop::write_rows(Log& log, const run::Rows& rows) {
  if (const auto found = log.find_not_finite(rows)) dump(*found);
  log.rows(clock_, rows);
}

// Derived fields are left as they are: they can't be trusted to come out of a broken state.
void RunLoop::dump(const std::string& problem) {
  std::string where = "the state is in ";
  try {
    where += files_.dump(clock_);
  } catch (const std::exception& e) {
    where = std::string("the state could not be dumped: ") + reason_text(e);
  }
  throw Error(problem + " (step " + std::to_string(clock_.step()) + ", " + number_text(clock_.time()) + " s; " +
              where + ")");
}

Pace RunLoop::pace() const {
  Pace p;
  p.time = clock_.time();
  p.end = std::min(plan_.end, plan_.until.value_or(plan_.end));
  p.fraction = p.end > 0 ? p.time / p.end : 1;
  if (plan_.steps && *plan_.steps > 0)
    p.fraction = std::max(p.fraction, static_cast<double>(clock_.step()) / static_cast<double>(*plan_.steps));
  p.fraction = std::clamp(p.fraction, 0.0, 1.0);
  p.steps = clock_.step();
  p.first_steps = first_steps_;
  p.first_fraction = first_fraction_;
  p.particle_steps = particle_steps_;
  if (const auto& sets = driver_.registry().sets(); !sets.empty()) p.one = sets.front().one();
  p.stepping = stepping_;
  p.elapsed = std::chrono::duration<double>(WallClock::now() - begin_).count();
  return p;
}

int run_driver(run::Driver& driver, const RunPlan& plan, const OutputDirectory& directory, const Interrupts& interrupts,
               Console& console, Checkpointer* checkpointer, const Checkpoint* from) {
  using WallClock = std::chrono::steady_clock;
  const auto begin = WallClock::now();
  driver.phases().begin_with("set up", plan.set_up);
  std::FILE* terminal = console.remarks();
  Progress progress(terminal ? terminal : stderr, terminal ? Progress::style_for(terminal) : Progress::Style::none);
  RunLoop loop(driver, plan, directory, progress, interrupts, checkpointer);
  Summary summary;
  summary.title = plan.title;
  summary.threads = current_threads();
  summary.threads_because = plan.threads_because;
  const auto write_summary = [&] {
    progress.finish();
    driver.phases().settle();
    summary.notices = loop.notices();
    summary.clock = loop.clock();
    summary.pace = loop.pace();
    summary.wall_seconds = plan.set_up + std::chrono::duration<double>(WallClock::now() - begin).count();
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
  const std::string bounds = driver.step_bounds(), shares = driver.shares();
  console.answer(phase_table(driver.phases(), summary.wall_seconds) + doubts_text(driver.doubts()) +
                 (shares.empty() ? "" : "ranks: " + shares + "\n") + (bounds.empty() ? "" : "time steps were kept below time.dt: " + bounds + "\n") + closing_line(summary) +
                 "\n");
  return summary.outcome == "interrupted" ? 3 : 0;
}

} // namespace corral::app

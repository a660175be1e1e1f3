#include "run/ranks/leading_driver.hpp"

#include "run/case/values.hpp"
#include "run/limits.hpp"
#include "run/ranks/told_file.hpp"
#include "run/ranks/whole_files.hpp"
#include "run/ranks/whole_state.hpp"

#include <corral/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corral::run {

namespace {

enum class Ask : std::int64_t {
  make,
  start,
  restored,
  step,
  log_row,
  table_rows,
  take_notices,
  before_output,
  before_checkpoint,
  write,
  read,
  checksums,
  send,
  find_not_finite,
  beside,
  end
};

/// What rank 0 asks all to do.
struct Call {
  Ask what = Ask::end;
  double time = 0, dt = 0; ///< of the clock [s]
  std::int64_t step = 0;
  std::int64_t bytes = 0; ///< of what comes after it: a name, which entries, or places in a file
};

std::string reason(const std::exception& e) {
  if (dynamic_cast<const std::bad_alloc*>(&e)) {
    const auto* known = dynamic_cast<const OutOfMemory*>(&e);
    return "out of memory" + (known ? " (" + std::string(known->what()) + ")" : "") + "; `check -n` says what each rank takes";
  }
  const std::string text = e.what();
  return text.empty() ? "an error without a text" : text;
}

/// What each rank has, and does when it is asked.
class Worker {
public:
  Worker(const distributed::Team& team, std::unique_ptr<Driver> driver, const OpenRankFile& open)
      : team_(team), driver_(std::move(driver)), state_(driver_->registry(), team, driver_->shared()), files_(state_, team, open) {
    if (const distributed::SharedGrid* grid = driver_->shared()) {
      double own = 1;
      for (int d = 0; d < 3; ++d) own *= static_cast<double>(grid->own_end(d) - grid->own_begin(d));
      most_cells_ = team_.maximum(own) * team_.size() / static_cast<double>(grid->whole().cells());
    }
  }

  Driver& driver() { return *driver_; }
  WholeState& state() { return state_; }
  const WholeFiles& files() const { return files_; }
  const std::vector<std::string>& checksums() const { return checksums_; }
  /// What the rank with the most has, over the mean, and of what.
  struct Most {
    double over_mean;
    std::string of;
  };
  Most most() const {
    for (const ParticleSet& set : driver_->registry().sets())
      if (set.shared() && set.total() > 0)
        return {static_cast<double>(set.most()) * team_.size() / static_cast<double>(set.total()), set.name()};
    return {most_cells_, "cells"};
  }

  /// Throws on all ranks what one of them does.
  template <class F> auto together(const F& work) {
    std::string problem;
    decltype(work()) result{};
    try {
      result = work();
    } catch (const std::exception& e) {
      problem = reason(e);
    }
    team_.meet(problem);
    return result;
  }

  /// What is not collective throws here alone.
  void act(const Call& call, std::string& name) {
    switch (call.what) {
    case Ask::start: return done([&] { driver_->start(); });
    case Ask::restored: return done([&] { driver_->restored(clock(call)); });
    case Ask::step: return done([&] { driver_->step(clock(call)); });
    case Ask::log_row: return done([&] { driver_->log_row(); });
    case Ask::table_rows: return done([&] { driver_->table_rows(name); });
    case Ask::take_notices: driver_->take_notices(); return;
    case Ask::before_output: return done([&] { driver_->before_output(); });
    case Ask::before_checkpoint: return done([&] { driver_->before_checkpoint(); });
    case Ask::write: return done([&] { write(ToldFile(name)); });
    case Ask::read: return done([&] { read(ToldFile(name)); });
    case Ask::checksums: return done([&] { make_checksums(name); });
    case Ask::send: return done([&] { state_.send_copied(); });
    case Ask::find_not_finite: return team_.agree(driver_->registry().find_not_finite().value_or(""));
    case Ask::make:
    case Ask::beside:
    case Ask::end: return;
    }
  }

  static Clock clock(const Call& call) {
    Clock clock(call.time, call.step);
    clock.set_dt(call.dt);
    return clock;
  }

private:
  void write(const ToldFile& told) { files_.write(told.path, told.places_in(state_.whole()), told.on_disk); }
  void read(const ToldFile& told) { files_.read(told.path, told.places_in(state_.whole()), told.witness); }
  void make_checksums(const std::string& told) {
    std::array<std::size_t, 3> which{};
    std::memcpy(which.data(), told.data(), sizeof which);
    const auto [bytes, block, from] = which;
    checksums_ = files_.checksums(told.substr(sizeof which), static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(block), static_cast<std::int64_t>(from));
  }
  template <class F> void done(const F& work) {
    together([&] {
      work();
      return true;
    });
  }

  const distributed::Team& team_;
  std::unique_ptr<Driver> driver_;
  WholeState state_;
  WholeFiles files_;
  std::vector<std::string> checksums_; ///< that were asked for last
  double most_cells_ = 1;
};

void tell(const distributed::Team& team, Call call, std::string text = "") {
  call.bytes = static_cast<std::int64_t>(text.size());
  team.broadcast(&call, 1);
  if (!text.empty()) team.broadcast(text.data(), text.size());
}

/// Stands before rank 0's own.
class LeadingDriver final : public Driver, private Registry::Source {
public:
  LeadingDriver(const distributed::Team& team, std::unique_ptr<Driver> driver, const OpenRankFile& open)
      : team_(team), worker_(team, std::move(driver), open) {
    worker_.state().whole().come_from(*this);
  }

  Registry& registry() override { return worker_.state().whole(); }
  const Grid& grid() const override { return mine().shared() ? mine().shared()->whole() : mine().grid(); }
  Phases& phases() override { return worker_.driver().phases(); }

  void start() override { advance({Ask::start}); }
  void restored(const Clock& clock) override { advance(at(Ask::restored, clock)); }
  double next_dt() const override { return mine().next_dt(); }
  void step(const Clock& clock) override { advance(at(Ask::step, clock)); }

  std::vector<LogColumn> log_columns() const override { return mine().log_columns(); }
  std::vector<double> log_row() override {
    tell(team_, {Ask::log_row});
    return worker_.together([&] { return worker_.driver().log_row(); });
  }
  Rows table_rows(const std::string& name) override {
    tell(team_, {Ask::table_rows}, name);
    return worker_.together([&] { return worker_.driver().table_rows(name); });
  }
  /// The same on all ranks.
  std::vector<Notice> take_notices() override {
    tell(team_, {Ask::take_notices});
    return worker_.driver().take_notices();
  }
  std::vector<std::string> doubts() const override { return mine().doubts(); }
  std::string step_bounds() const override { return mine().step_bounds(); }
  std::string shares() const override {
    const Worker::Most most = worker_.most();
    const char* const files = worker_.files().apart() ? "; the others do not see rank 0's files, which it wrote for all" : "";
    return formatted("%d; the one with the most %s has %.3f times the mean%s", team_.size(), most.of.c_str(), most.over_mean, files);
  }
  void before_output() override { ask({Ask::before_output}); }
  void before_checkpoint() override { ask({Ask::before_checkpoint}); }
  std::vector<std::string> description() const override {
    return appended(mine().description(), {"ranks     " + std::to_string(team_.size()) + " processes"});
  }
  double expected_bytes() const override { return mine().expected_bytes(); }
  std::vector<std::pair<std::string, double>> figures() const override {
    auto all = mine().figures();
    all.emplace_back("ranks", team_.size());
    all.emplace_back("imbalance", worker_.most().over_mean);
    return all;
  }

private:
  const Driver& mine() const { return const_cast<Worker&>(worker_).driver(); }

  static Call at(Ask what, const Clock& clock) { return {what, clock.time(), clock.dt(), clock.step()}; }
  /// After it there may be more particles, or fewer.
  void advance(const Call& call) {
    ask(call);
    worker_.state().count();
  }
  void ask(const Call& call, std::string text = "") {
    tell(team_, call, text);
    worker_.act(call, text);
  }
  void write(const std::filesystem::path& file, const std::vector<FilePlace>& places, bool on_disk) override {
    ask({Ask::write}, ToldFile(registry(), places, file, {}, on_disk).text());
  }
  void read(const std::filesystem::path& file, const std::vector<FilePlace>& places, const std::filesystem::path& witness) override {
    ask({Ask::read}, ToldFile(registry(), places, file, witness, false).text());
  }
  std::vector<std::string> checksums(const std::filesystem::path& file, std::size_t bytes, std::size_t block, std::size_t from) override {
    const std::array<std::size_t, 3> which{bytes, block, from};
    ask({Ask::checksums}, std::string(reinterpret_cast<const char*>(which.data()), sizeof which) + file.string());
    return worker_.checksums();
  }
  void send() override { ask({Ask::send}); }
  std::optional<std::string> find_not_finite() override {
    try {
      ask({Ask::find_not_finite});
    } catch (const Error& found) {
      return found.what();
    }
    return std::nullopt;
  }

  const distributed::Team& team_;
  Worker worker_;
};

/// On all ranks at once, so that each comes to the end of it.
std::unique_ptr<Driver> made_together(const distributed::Team& team, const std::function<std::unique_ptr<Driver>()>& make) {
  std::unique_ptr<Driver> driver;
  std::exception_ptr mine;
  std::string problem;
  try {
    driver = make();
  } catch (const std::exception& e) {
    mine = std::current_exception();
    problem = reason(e);
  }
  try {
    team.meet(problem);
  } catch (const Error&) {
    if (mine) std::rethrow_exception(mine);
    throw;
  }
  return driver;
}

} // namespace

Lead::~Lead() {
  try {
    tell(team_, {Ask::end});
  } catch (const std::exception&) { // who cannot be told has gone
  }
}

std::unique_ptr<Driver> Lead::make(const std::function<std::unique_ptr<Driver>()>& make, const std::string& words) {
  tell(team_, {Ask::make}, words);
  std::unique_ptr<Driver> own = made_together(team_, make);
  own_ = own.get();
  return std::make_unique<LeadingDriver>(team_, std::move(own), open_);
}

void Lead::call(const std::string& words) const { tell(team_, {Ask::beside}, words); }

void follow(const distributed::Team& team, const OpenRankFile& open, const std::function<std::unique_ptr<Driver>(const std::string& words)>& make,
            const Beside& beside) {
  std::optional<Worker> worker;
  for (Call call;;) {
    team.broadcast(&call, 1);
    std::string text(static_cast<std::size_t>(call.bytes), '\0');
    if (!text.empty()) team.broadcast(text.data(), text.size());
    if (call.what == Ask::end) return;
    try {
      if (call.what == Ask::make) worker.emplace(team, made_together(team, [&] { return make(text); }), open);
      else if (worker && call.what == Ask::beside) beside(worker->driver(), text);
      else if (worker) worker->act(call, text);
    } catch (const std::exception&) { // rank 0 has it, too, and says what comes of it
    }
  }
}

} // namespace corral::run

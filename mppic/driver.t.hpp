#pragma once

/// The driver, for either processor.

#include "mppic/case/device_memory.hpp"
#include "mppic/case/estimates.hpp"
#include "mppic/output/figures.hpp"
#include "mppic/output/watch.hpp"
#include "mppic/step.hpp"
#include "mppic/time_step.hpp"
#include "run/begin_on.hpp"
#include "run/driver.hpp"

#include <corral/execution.hpp>

#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace corral::mppic {

/// The gas-solid driver on the processor that E says, which its state's memory is of.
template <Execution E> class GasSolidDriver final : public run::Driver {
public:
  explicit GasSolidDriver(Setup setup) : GasSolidDriver(std::move(setup), nullptr) {}
  /// Of one of the ranks that share the case.
  GasSolidDriver(Setup setup, const distributed::Team& team) : GasSolidDriver(std::move(setup), &team) {}

private:
  GasSolidDriver(Setup setup, const distributed::Team* team)
      : setup_(std::move(setup)), domain_(setup_.make_domain()), device_(run::begin_on(E{}, domain_, phases())),
        registry_(domain_.grid(), memory_for<E>), step_(E{}, setup_, domain_, registry_, phases(), team), figures_(setup_, domain_, memory_for<E>), time_step_(setup_, domain_, registry_),
        watch_(setup_, domain_) {
    figures_.bind_state(registry_);
    watch_.bind_state(registry_);
  }

public:
  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return domain_.grid(); }

  void start() override {
    step_.start();
    if (setup_.start) setup_.start->bed.reset(); // copied
    time_step_.start(step_);
  }
  void restored(const run::Clock& clock) override {
    set_time(clock.time());
    step_.restored();
  }
  double next_dt() const override { return time_step_.next(); }
  void step(const run::Clock& clock) override {
    time_step_.check(step_, clock.dt()); // what fails within a step that is far too long says little of the cause
    set_time(clock.time() + clock.dt());
    step_.advance(clock.dt(), clock.step());
    step_.books().check();
    step_.solid_books().check(step_.execution(), step_.parcels());
    time_step_.adapt(step_, clock.time() + clock.dt());
    time_step_.check(step_, clock.dt());
    time_step_.look(clock.time() + clock.dt(), clock.dt());
    watch_.look(step_, time_step_.parcel(), clock.time(), clock.dt());
    const auto t = phases().time("figures");
    figures_.add(step_, time_step_.gas(), time_step_.parcel(), clock.dt());
  }

  std::vector<run::LogColumn> log_columns() const override {
    return run::appended(figures_.columns(), time_step_.length().columns());
  }
  std::vector<double> log_row() override {
    const auto t = phases().time("figures");
    return run::appended(figures_.row(step_), time_step_.length().row());
  }
  std::string step_bounds() const override { return time_step_.length().summary(); }

  std::vector<run::Notice> take_notices() override {
    return run::appended(run::appended(time_step_.take_notices(), watch_.take()), step_.take_notices());
  }

  std::vector<std::string> doubts() const override { return watch_.doubts(); }

  std::vector<std::string> description() const override { return on_device ? describe_on_device(setup_) : describe(setup_); }
  double expected_bytes() const override { return on_device ? 0 : memory_needed(setup_).total(); }
  std::string device() const override { return device_; }
  std::vector<std::pair<std::string, double>> figures() const override {
    return {{"parcels", static_cast<double>(step_.parcels().total())},
            {"cells", static_cast<double>(domain_.grid().cells())}};
  }

private:
  static constexpr bool on_device = std::same_as<E, Gpu>;

  void set_time(double time) {
    const std::vector<double> before = domain_.factors();
    domain_.set_time(time);
    if (on_device && domain_.factors() != before) domain_.send();
  }

  Setup setup_;
  fluid::Domain domain_;
  std::string device_; ///< its name, "" on the CPU
  run::Registry registry_;
  Step<E> step_;
  Figures figures_;
  TimeStepper time_step_;
  Watch watch_;
};

} // namespace corral::mppic

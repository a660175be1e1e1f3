#pragma once

/// The driver, for either processor.

#include "body/case/body_case.hpp"
#include "body/case/device_memory.hpp"
#include "body/output/figures.t.hpp"
#include "body/step/step.hpp"
#include "body/step/time_step.hpp"
#include "run/begin_on.hpp"
#include "run/driver.hpp"
#include "structure/fluids/make_fluid.hpp"
#include "structure/fluids/shared_case.hpp"

#include <corral/execution.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace corral::body {

/// The driver of rigid bodies on the processor that E says, which its points' and fluid's memory is of.
template <Execution E> class BodyDriver final : public run::Driver {
public:
  explicit BodyDriver(BodySetup setup) : BodyDriver(nullptr, std::move(setup)) {}
  /// Of one of the ranks that share the case: it has a part of the fluid, and all bodies.
  BodyDriver(BodySetup setup, const distributed::Team& team)
      : BodyDriver{team.share(setup.make_grid(), ghosts_needed(setup), structure::uncut_axes(setup)), std::move(setup)} {} // in this order, by the braces

private:
  BodyDriver(std::unique_ptr<distributed::SharedGrid> shared, BodySetup setup)
      : setup_(std::move(setup)), shared_(std::move(shared)), domain_(setup_.make_domain(shared_.get())),
        device_(run::begin_on(E{}, domain_, phases())), registry_(domain_.grid(), memory_for<E>),
        step_(E{}, setup_, domain_, structure::make_fluid(E{}, setup_, setup_.time.dt, domain_, registry_), registry_, phases()),
        figures_(setup_, step_.bodies()), length_(setup_, registry_) {
    figures_.bind_state(registry_);
  }

public:
  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return domain_.grid(); }
  const distributed::SharedGrid* shared() const override { return shared_.get(); }

  void start() override {
    step_.start();
    figures_.start(step_);
    length_.adapt(0, step_.rate());
  }
  void restored(const run::Clock&) override { step_.restored(); }
  double next_dt() const override { return length_.next(); }
  void step(const run::Clock& clock) override {
    step_.advance(clock.time(), clock.dt());
    const double end = clock.time() + clock.dt();
    length_.check(clock.dt(), step_.rate());
    length_.adapt(end, step_.rate());
    const auto t = phases().time("figures");
    figures_.add(step_, end, clock.dt());
  }

  std::vector<run::LogColumn> log_columns() const override {
    return run::appended(BodyFigures::columns(), length_.length().columns());
  }
  std::vector<double> log_row() override {
    const auto t = phases().time("figures");
    return run::appended(figures_.row(step_), length_.length().row());
  }
  std::string step_bounds() const override { return length_.length().summary(); }
  run::Rows table_rows(const std::string&) override { return figures_.body_rows(step_); }
  std::vector<run::Notice> take_notices() override { return run::appended(length_.take_notices(), figures_.take_notices()); }
  std::vector<std::string> doubts() const override { return figures_.doubts(); }
  void before_output() override { step_.before_output(); }
  void before_checkpoint() override { step_.before_checkpoint(); }

  std::vector<std::string> description() const override { return on_device ? describe_on_device(setup_) : describe(setup_); }
  double expected_bytes() const override { return on_device ? 0 : memory_needed(setup_); }
  std::string device() const override { return device_; }
  std::vector<std::pair<std::string, double>> figures() const override {
    return {{"bodies", static_cast<double>(step_.bodies())},
            {"points", static_cast<double>(step_.points())},
            {"cells", static_cast<double>(domain_.whole().cells())}};
  }

private:
  static constexpr bool on_device = std::same_as<E, Gpu>;

  BodySetup setup_;
  std::unique_ptr<distributed::SharedGrid> shared_; ///< of ranks; null where there is one alone
  fluid::Domain domain_;
  std::string device_; ///< its name, "" on the CPU
  run::Registry registry_;
  BodyStep<E> step_;
  BodyFigures figures_;
  StepLength length_;
};

} // namespace corral::body

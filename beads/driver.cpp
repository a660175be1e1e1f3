#include "beads/driver.hpp"

#include "beads/case/beads_case.hpp"
#include "beads/output/figures.hpp"
#include "beads/step/step.hpp"
#include "beads/step/time_step.hpp"
#include "run/case/make_driver.hpp"

namespace corral::beads {

namespace {

class BeadsDriver final : public run::Driver {
public:
  explicit BeadsDriver(BeadsSetup setup)
      : setup_(std::move(setup)), grid_(setup_.make_grid()), registry_(grid_), step_(setup_, grid_, registry_, phases()),
        figures_(setup_), length_(setup_, registry_) {
    figures_.bind_state(registry_);
  }

  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return grid_; }

  void start() override {
    step_.start();
    figures_.start(step_);
    length_.adapt(0, step_);
  }
  void restored(const run::Clock&) override { step_.restored(); }
  double next_dt() const override { return length_.next(); }
  void step(const run::Clock& clock) override {
    length_.check(clock.dt(), step_);
    step_.advance(clock);
    const double end = clock.time() + clock.dt();
    length_.adapt(end, step_);
    const auto t = phases().time("figures");
    figures_.add(step_, end, clock.dt());
  }

  std::vector<run::LogColumn> log_columns() const override {
    return run::appended(figures_.columns(), length_.length().columns());
  }
  std::vector<double> log_row() override {
    const auto t = phases().time("figures");
    return run::appended(figures_.row(step_), length_.length().row());
  }
  std::string step_bounds() const override { return length_.length().summary(); }
  std::vector<run::Notice> take_notices() override { return run::appended(length_.take_notices(), figures_.take_notices()); }
  void before_output() override { step_.before_output(); }
  std::vector<std::string> doubts() const override { return figures_.doubts(); }

  std::vector<std::string> description() const override { return describe(setup_); }
  double expected_bytes() const override { return memory_needed(setup_); }
  std::vector<std::pair<std::string, double>> figures() const override {
    return {{"beads", static_cast<double>(step_.beads())}, {"assemblies", static_cast<double>(step_.assemblies().size())}};
  }

private:
  BeadsSetup setup_;
  Grid grid_;
  run::Registry registry_;
  BeadsStep step_;
  BeadFigures figures_;
  StepLength length_;
};

} // namespace

run::DriverKind driver_kind() {
  return {.name = "beads",
          .meaning = "rigid spheres and fibres of beads in Stokes flow by their mobility",
          .sets = {bead_kind},
          .declare_keys = declare_keys,
          .make = run::make_from<BeadsDriver, read_setup>,
          .describe = run::describe_from<read_setup, describe>};
}

} // namespace corral::beads

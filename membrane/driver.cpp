#include "membrane/driver.hpp"

#include "membrane/case/membrane_case.hpp"
#include "membrane/case/memory.hpp"
#include "membrane/output/figures.hpp"
#include "membrane/output/profile.hpp"
#include "membrane/output/surface_columns.hpp"
#include "membrane/step/bound_of_shape.hpp"
#include "membrane/step/energy_guard.hpp"
#include "membrane/step/stable_step.hpp"
#include "membrane/step/step.hpp"
#include "membrane/step/time_step.hpp"
#include "run/case/make_driver.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/fluids/make_fluid.hpp"

namespace corral::membrane {

using namespace structure;
namespace {

// Functions: whoever asks for the kind of driver may do so before main.
run::TableKind cells() {
  return {.name = "cells", .one = "cell (closed membrane)", .columns = MembraneFigures::cell_columns()};
}
run::TableKind profile() {
  return {.name = "profile", .one = "layer of the grid's cells along y", .columns = Profile::columns()};
}

class MembraneDriver final : public run::Driver {
public:
  explicit MembraneDriver(MembraneSetup setup)
      : setup_(std::move(setup)), domain_(setup_.make_domain()), registry_(domain_.grid()),
        step_(setup_, domain_, make_fluid(setup_, setup_.time.dt, domain_, registry_), registry_, phases()), columns_(step_), profile_(setup_, domain_, registry_),
        figures_(setup_, step_.membranes()), bounds_(setup_), shape_(setup_, registry_), guard_(setup_, registry_),
        length_(setup_, bounds_.at_start(), registry_) {
    figures_.bind_state(registry_);
  }

  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return domain_.grid(); }

  void start() override {
    step_.start();
    figures_.start(step_);
    guard_.start(step_.energy_moment());
    length_.adapt(0, step_.fluid().fastest().rate, stable());
  }
  void restored(const run::Clock& clock) override { step_.restored(clock.time()); }
  double next_dt() const override { return length_.next(); }
  void step(const run::Clock& clock) override {
    length_.check(clock.dt(), step_.fluid().fastest().rate);
    step_.advance(clock.time(), clock.dt());
    length_.check(clock.dt(), step_.fluid().fastest().rate);
    const double end = clock.time() + clock.dt();
    length_.adapt(end, step_.fluid().fastest().rate, guarded(clock, end));
    const auto t = phases().time("figures");
    figures_.add(step_, clock.time() + clock.dt(), clock.dt());
  }

  std::vector<run::LogColumn> log_columns() const override {
    return run::appended(MembraneFigures::columns(), length_.length().columns());
  }
  std::vector<double> log_row() override {
    const auto t = phases().time("figures");
    return run::appended(figures_.row(step_), length_.length().row());
  }
  std::string step_bounds() const override { return length_.length().summary(); }
  run::Rows table_rows(const std::string& name) override {
    if (name == cells().name) return figures_.cell_rows(step_);
    profile_.update(step_);
    return profile_.rows(step_);
  }
  std::vector<run::Notice> take_notices() override {
    return run::appended(run::appended(length_.take_notices(), guard_.take_notices()), figures_.take_notices());
  }
  std::vector<std::string> doubts() const override { return figures_.doubts(); }
  void before_output() override {
    step_.before_output();
    columns_.update(step_);
    profile_.update(step_);
  }

  void before_checkpoint() override { step_.before_checkpoint(); }

  std::vector<std::string> description() const override { return describe(setup_); }
  double expected_bytes() const override { return memory_needed(setup_).total(); }
  std::vector<std::pair<std::string, double>> figures() const override {
    double markers = 0;
    for (const Population& p : step_.populations()) markers += static_cast<double>(p.markers());
    std::vector<std::pair<std::string, double>> all{{"membranes", static_cast<double>(step_.membranes())},
                                                    {"markers", markers},
                                                    {"cells", static_cast<double>(domain_.grid().cells())}};
    if (setup_.viscosity_varies()) all.emplace_back("viscous_iterations", step_.fluid().mean_iterations());
    if (setup_.membrane_viscosity() > 0) all.emplace_back("membrane_viscosity_iterations", step_.mean_viscous_iterations());
    return all;
  }

private:
  StableStep stable() {
    const std::vector<Deformation> now = step_.deformations();
    return shape_.shorter(bounds_.at(now), now, [this] { return step_.stiffest(); });
  }
  /// Of the first step a loss alone counts.
  StableStep guarded(const run::Clock& clock, double end) {
    if (clock.step() > 0) return guard_.shorter(stable(), step_.energy_moment(), end, clock.dt());
    guard_.first(step_.energy_moment());
    return stable();
  }

  MembraneSetup setup_;
  fluid::Domain domain_;
  run::Registry registry_;
  MembraneStep step_;
  SurfaceColumns columns_;
  Profile profile_;
  MembraneFigures figures_;
  StepBounds bounds_;
  BoundOfShape shape_;
  EnergyGuard guard_;
  StepLength length_;
};

} // namespace

run::DriverKind driver_kind() {
  return {.name = "membrane",
          .meaning = "elastic membranes in a fluid by the immersed boundary method",
          .sets = {vertex_kind, site_kind},
          .declare_keys = declare_keys,
          .make = run::make_from<MembraneDriver, read_setup>,
          .describe = run::describe_from<read_setup, describe>,
          .tables = {cells(), profile()},
          .on_device = {.part = lattice_on_device}};
}

} // namespace corral::membrane

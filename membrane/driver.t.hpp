#pragma once

/// The driver, for either processor.

#include "membrane/case/device_memory.hpp"
#include "membrane/case/membrane_case.hpp"
#include "membrane/case/memory.hpp"
#include "membrane/case/shared_case.hpp"
#include "membrane/output/figures.t.hpp"
#include "membrane/output/profile.hpp"
#include "membrane/output/surface_columns.hpp"
#include "membrane/step/bound_of_shape.hpp"
#include "membrane/step/energy_guard.hpp"
#include "membrane/step/stable_step.hpp"
#include "membrane/step/step.hpp"
#include "membrane/step/time_step.hpp"
#include "run/begin_on.hpp"
#include "run/driver.hpp"
#include "structure/fluids/make_fluid.hpp"
#include "structure/fluids/shared_case.hpp"

#include <corral/execution.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::membrane {

inline constexpr std::string_view cells_table = "cells"; ///< beside profile

/// The driver of membranes on the processor that E says, which its state's memory is of.
template <Execution E> class MembraneDriver final : public run::Driver {
public:
  explicit MembraneDriver(MembraneSetup setup) : MembraneDriver(nullptr, std::move(setup)) {}
  /// Of one of the ranks that share the case: it has a part of the fluid, and all membranes.
  MembraneDriver(MembraneSetup setup, const distributed::Team& team)
      : MembraneDriver{team.share(setup.make_grid(), ghosts_needed(setup), structure::uncut_axes(setup)), std::move(setup)} {} // in this order, by the braces

private:
  MembraneDriver(std::unique_ptr<distributed::SharedGrid> shared, MembraneSetup setup)
      : setup_(std::move(setup)), shared_(std::move(shared)), domain_(setup_.make_domain(shared_.get())), device_(run::begin_on(E{}, domain_, phases())), registry_(domain_.grid(), memory_for<E>),
        step_(E{}, setup_, domain_, structure::make_fluid(E{}, setup_, setup_.time.dt, domain_, registry_), registry_, phases()), columns_(step_), profile_(setup_, domain_, registry_),
        figures_(setup_, step_.membranes()), bounds_(setup_), shape_(setup_, registry_), guard_(setup_, registry_),
        length_(setup_, bounds_.at_start(), registry_) {
    figures_.bind_state(registry_);
  }

public:
  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return domain_.grid(); }
  const distributed::SharedGrid* shared() const override { return shared_.get(); }

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
    if (name == cells_table) return figures_.cell_rows(step_);
    profile_.update(step_);
    return profile_.rows(step_);
  }
  std::vector<run::Notice> take_notices() override {
    return run::appended(run::appended(length_.take_notices(), guard_.take_notices()), figures_.take_notices());
  }
  std::vector<std::string> doubts() const override { return figures_.doubts(); }
  void before_output() override {
    step_.before_output();
    columns_.update(step_.execution());
    profile_.update(step_);
  }

  void before_checkpoint() override { step_.before_checkpoint(); }

  std::vector<std::string> description() const override { return on_device ? describe_on_device(setup_) : describe(setup_); }
  double expected_bytes() const override { return on_device ? 0 : memory_needed(setup_).total(); }
  std::string device() const override { return device_; }
  std::vector<std::pair<std::string, double>> figures() const override {
    double markers = 0;
    for (const auto& p : step_.populations()) markers += static_cast<double>(p.markers());
    std::vector<std::pair<std::string, double>> all{{"membranes", static_cast<double>(step_.membranes())},
                                                    {"markers", markers},
                                                    {"cells", static_cast<double>(domain_.whole().cells())}};
    if (setup_.viscosity_varies()) all.emplace_back("viscous_iterations", step_.fluid().mean_iterations());
    if (setup_.membrane_viscosity() > 0) all.emplace_back("membrane_viscosity_iterations", step_.mean_viscous_iterations());
    return all;
  }

private:
  static constexpr bool on_device = std::same_as<E, Gpu>;

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
  std::unique_ptr<distributed::SharedGrid> shared_; ///< of ranks; null where there is one alone
  fluid::Domain domain_;
  std::string device_; ///< its name, "" on the CPU
  run::Registry registry_;
  MembraneStep<E> step_;
  SurfaceColumns<E> columns_;
  Profile<E> profile_;
  MembraneFigures figures_;
  StepBounds bounds_;
  BoundOfShape shape_;
  EnergyGuard guard_;
  StepLength length_;
};

} // namespace corral::membrane

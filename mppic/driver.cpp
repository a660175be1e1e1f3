#include "mppic/driver.hpp"

#include "mppic/figures.hpp"
#include "mppic/step.hpp"
#include "mppic/time_step.hpp"

#include <cstdio>

namespace corral::mppic {
namespace {

class Driver final : public run::Driver {
public:
  explicit Driver(Setup setup)
      : setup_(std::move(setup)), domain_(setup_.make_domain()), registry_(domain_.grid()), books_(registry_),
        step_(setup_, domain_, registry_, books_, phases()), figures_(setup_, domain_, books_),
        time_step_(setup_, domain_, registry_) {}

  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return domain_.grid(); }

  void start() override {
    step_.start();
    time_step_.start(step_);
  }
  double next_dt() const override { return time_step_.next(); }
  void step(const run::Clock& clock) override {
    time_step_.check(clock.dt()); // what fails within a step that is far too long says little of the cause
    domain_.set_time(clock.time() + clock.dt());
    step_.advance(clock.dt(), clock.step());
    books_.check();
    time_step_.adapt(step_, clock.time() + clock.dt());
    time_step_.check(clock.dt());
    const auto t = phases().time("figures");
    figures_.add(step_, clock.dt());
  }

  std::vector<run::LogColumn> log_columns() const override { return Figures::columns(setup_.audit); }
  std::vector<double> log_row() override {
    const auto t = phases().time("figures");
    return figures_.row(step_);
  }

  std::vector<std::string> describe() const override;
  std::vector<std::pair<std::string, double>> figures() const override {
    return {{"parcels", static_cast<double>(registry_.parcel_count())},
            {"cells", static_cast<double>(domain_.grid().cells())},
            {"driver_memory_bytes", static_cast<double>(registry_.bytes() + step_.bytes())}};
  }

private:
  Setup setup_;
  fluid::Domain domain_;
  run::Registry registry_;
  run::Books books_;
  Step step_;
  Figures figures_;
  TimeStepper time_step_;
};

std::string line(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::vector<std::string> Driver::describe() const {
  std::vector<std::string> lines;
  const Grid& g = domain_.grid();
  lines.push_back(line("box       %g x %g x %g m, %lld x %lld x %lld cells of %g x %g x %g m", setup_.size[0],
                       setup_.size[1], setup_.size[2], static_cast<long long>(setup_.cells[0]),
                       static_cast<long long>(setup_.cells[1]), static_cast<long long>(setup_.cells[2]),
                       g.axis(0).spacing, g.axis(1).spacing, g.axis(2).spacing));
  std::int64_t parcels = 0;
  for (const Seed& seed : setup_.seeds) {
    const std::int64_t n = seed_count(g, seed.seeding);
    parcels += n;
    lines.push_back(line("seed      %s: %lld parcels of particles of %g m (Sauter mean)", seed.name.c_str(),
                         static_cast<long long>(n), seed.sizes.sauter_mean()));
  }
  lines.push_back(line("parcels   %lld at the start, %.1f per cell", static_cast<long long>(parcels),
                       static_cast<double>(parcels) / static_cast<double>(g.cells())));
  // Per parcel: 10 columns of the state, 32 of scratch, the order; per cell: about 160 fields with the solvers'.
  const double bytes = static_cast<double>(parcels) * 400 + static_cast<double>(g.cells()) * 1520;
  lines.push_back(line("memory    about %.0f MB", bytes / 1e6));
  lines.push_back(line("time step %g s%s", setup_.time.dt, setup_.time.adaptive ? " at most, adaptive" : ""));
  for (const std::string& warning : setup_.warnings) lines.push_back("warning   " + warning);
  return lines;
}

std::unique_ptr<run::Driver> make(const run::Settings& settings, run::Problems& problems) {
  auto setup = read_setup(settings, problems);
  if (!setup) return nullptr;
  return std::make_unique<Driver>(std::move(*setup));
}

} // namespace

run::DriverKind driver_kind() {
  return {"mppic", "dense gas-solid flow by multiphase particle-in-cell, Model A", declare_keys, make};
}

} // namespace corral::mppic

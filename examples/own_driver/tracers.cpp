// A driver of one's own: tracers in the double gyre of Shadden, Lekien and Marsden (2005), a flow that stirs. What is
// written here is physics; case files, output, checkpoints and scripts that watch are corral's (docs/own_driver.md).
#include "app/run.hpp"
#include "run/case/flow_box.hpp"
#include "run/case/keys.hpp"
#include "run/driver.hpp"
#include "run/random.hpp"

#include <corral/corral.hpp>
#include <corral/for_each.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

using namespace corral;
using run::Use;

namespace {

// 1. What a case says of it.
const run::ParticleKind tracer_kind{.name = "tracers", .one = "tracer"};

void declare_keys(run::KeyTable& keys) {
  run::declare_grid(keys);
  keys.add(run::positive("time", "dt", "s", std::nullopt, "length of a step"));
  keys.add(run::positive("gyres", "speed", "m/s", "0.3", "largest velocity"));
  keys.add(run::positive("gyres", "period", "s", "10", "in which the line between the two swings once"));
  keys.add(run::share("gyres", "swing", "0.25", "how far it swings, of the width of one"));
  keys.add({.section = "tracers", .name = "count", .type = run::KeyType::integer, .required = true, .minimum = 1,
            .maximum = 1e9, .meaning = "how many, anywhere in the box"});
}

// 2. The state: what the next step reads is saved, what files and scripts show is shown.
class Tracers final : public run::Driver {
public:
  explicit Tracers(const run::Settings& s)
      : dt_(s.real("time", "dt")), speed_(s.real("gyres", "speed")), swing_(s.real("gyres", "swing")),
        period_(s.real("gyres", "period")), count_(s.integer("tracers", "count")), registry_(box(s)),
        flow_(registry_.declare_vector_field("velocity", "m/s", "of the fluid", run::on_faces, Use::shown)),
        density_(registry_.declare_field("density", "1/m3", "tracers", Staggering::centre, Use::shown)),
        tracers_(registry_.declare_set(tracer_kind)),
        position_(tracers_.declare_vector_column("position", "m", "place", Use::saved | Use::shown)),
        began_left_(tracers_.declare_column("began_left", "", "1: in the left gyre", Use::saved | Use::shown)),
        velocity_(tracers_.declare_vector_column("velocity", "m/s", "of the fluid there", Use::shown)),
        id_(tracers_.declare_ids("id", "permanent number", Use::saved | Use::shown)),
        order_(grid(), {Offset::half, Offset::half, Offset::half}) {}

  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return registry_.grid(); }

  // 3. The state at time 0, and the step.
  void start() override {
    tracers_.resize(count_);
    const run::Random random(1);
    for_each(Cpu{}, count_, [&](std::int64_t i) {
      id_[i] = static_cast<std::uint64_t>(i);
      for (int d = 0; d < 3; ++d) {
        const Axis& axis = grid().axis(d);
        (*position_[d])[i] = axis.origin + axis.length() * random.uniform(run::Purpose::position, 0, id_[i], d);
      }
      began_left_[i] = is_left(i) ? 1 : 0;
    });
  }
  void restored(const run::Clock&) override {} // all that a step needs is saved
  double next_dt() const override { return dt_; }
  void step(const run::Clock& clock) override {
    sort(position_);
    tracers_.reorder(Cpu{}, order_); // maps stream where neighbours in space are neighbours in memory
    find_velocity(clock.time());
    for (int d = 0; d < 3; ++d) midway_[d] = *position_[d];
    const run::Components midway{&midway_[0], &midway_[1], &midway_[2]};
    move(midway, 0.5 * clock.dt());
    sort(midway);
    find_velocity(clock.time() + 0.5 * clock.dt());
    move(position_, clock.dt());
  }

  // 4. What it tells: figures of log.csv, and what is derived for files and scripts.
  std::vector<run::LogColumn> log_columns() const override {
    return {{"crossed", "", "share of the tracers that are in the other gyre than they began in"}};
  }
  std::vector<double> log_row() override {
    const auto crossed = [&](std::int64_t i) { return is_left(i) == (began_left_[i] == 1) ? 0.0 : 1.0; };
    return {sum(Cpu{}, count_, crossed) / static_cast<double>(count_)};
  }
  void before_output() override {
    const Array<double> each(count_, 1 / grid().cell_volume());
    sort(position_);
    density_.zero();
    spread(Cpu{}, order_, kernels::Linear{},
           {{{each.data(), count_}, field_view(grid(), density_.data(), Staggering::centre)}});
  }

private:
  static Grid box(const run::Settings& s) {
    std::array<Axis, 3> axes;
    for (int d = 0; d < 3; ++d) {
      const std::int64_t cells = s.integers3("grid", "cells")[d];
      const double h = s.reals3("grid", "size")[d] / double(cells);
      axes[d] = {cells, s.reals3("grid", "origin")[d], h, Boundary::wall, Boundary::wall};
    }
    return Grid(axes);
  }
  bool is_left(std::int64_t i) const {
    const Axis& axis = grid().axis(0);
    return (*position_[0])[i] < axis.origin + 0.5 * axis.length();
  }

  /// The stream function at a node of the grid [m2/s]; zero on the walls.
  double psi(std::int64_t i, std::int64_t j, double time) const {
    const Axis &x = grid().axis(0), &y = grid().axis(1);
    constexpr double pi = std::numbers::pi;
    const double a = swing_ * std::sin(2 * pi * time / period_);
    const double X = 2 * double(i) / double(x.cells), Y = double(j) / double(y.cells);
    return speed_ * y.length() / pi * std::sin(pi * X * (a * X + 1 - 2 * a)) * std::sin(pi * Y);
  }
  /// u = -dpsi/dy, v = dpsi/dx by differences, which have no divergence in any cell; then at the tracers.
  void find_velocity(double time) {
    const Axis &x = grid().axis(0), &y = grid().axis(1);
    for_each(Cpu{}, flow_[0]->size(), [&](std::int64_t f) {
      const std::int64_t i = f % (x.cells + 1), j = f / (x.cells + 1) % y.cells;
      (*flow_[0])[f] = (psi(i, j, time) - psi(i, j + 1, time)) / y.spacing;
    });
    for_each(Cpu{}, flow_[1]->size(), [&](std::int64_t f) {
      const std::int64_t i = f % x.cells, j = f / x.cells % (y.cells + 1);
      (*flow_[1])[f] = (psi(i + 1, j, time) - psi(i, j, time)) / x.spacing;
    });
    for (int d = 0; d < 2; ++d)
      interpolate(Cpu{}, order_, kernels::Linear{},
                  {{field_view<const double>(grid(), flow_[d]->data(), face(d)), {velocity_[d]->data(), count_}}});
  }
  void sort(const run::Components& at) {
    const SortCounts counts = order_.sort(Cpu{}, positions(at[0]->data(), at[1]->data(), at[2]->data(), count_));
    if (counts.inside < count_)
      throw Error(std::to_string(count_ - counts.inside) +
                  " tracers have left the box (steps are too long) set a shorter time.dt");
  }
  void move(const run::Components& at, double dt) {
    for (int d = 0; d < 3; ++d)
      for_each(Cpu{}, count_, [x = at[d]->data(), v = velocity_[d]->data(), dt](std::int64_t i) { x[i] += dt * v[i]; });
  }

  double dt_, speed_, swing_, period_;
  std::int64_t count_;
  run::Registry registry_;
  run::Components flow_;
  Array<double>& density_;
  run::ParticleSet& tracers_;
  run::Components position_;
  Array<double>& began_left_;
  run::Components velocity_;
  Array<std::uint64_t>& id_;
  CellOrder<double> order_;
  std::array<Array<double>, 3> midway_;
};

// 5. The kind of driver that a case names, and the command that runs its cases.
std::vector<std::string> describe(const run::Settings& s, run::Problems& problems) {
  if (s.real("time", "dt") > s.real("gyres", "period"))
    problems.add(s.where("time", "dt"),
                 "time.dt is longer than gyres.period (tracers would not see the flow) take a shorter step");
  return {"tracers   " + std::to_string(s.integer("tracers", "count"))};
}
std::unique_ptr<run::Driver> make(const run::Settings& s, run::Problems& problems) {
  describe(s, problems);
  return std::make_unique<Tracers>(s);
}

std::vector<run::DriverKind> drivers() {
  return {{.name = "tracers", .meaning = "tracers in a double gyre", .sets = {tracer_kind},
           .declare_keys = declare_keys, .make = make, .describe = describe}};
}

} // namespace

int main(int argc, char** argv) { return app::run(argc, argv, drivers); }

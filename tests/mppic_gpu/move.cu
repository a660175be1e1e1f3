#include "mppic/parcels/move.hpp"
#include "tests/catch.hpp"
#include "tests/engine_gpu/device_memory.cuh"

#include <kernels/linear.hpp>

#include <cmath>
#include <map>
#include <numeric>
#include <string>

/// The parcels' loop of the MP-PIC driver, the same source on both processors: a step of sort, interpolation and move.
namespace corral::test {
namespace {

using mppic::BoxSides;
using mppic::DragOfParcels;
using mppic::Motion;
using mppic::MoveSums;
using mppic::SideAction;

/// Values where calls with E want them.
template <class E> class Values;
template <> class Values<Cpu> {
public:
  explicit Values(std::vector<double> values) : values_(std::move(values)) {}
  double* data() { return values_.data(); }
  std::vector<double> values() const { return values_; }

private:
  std::vector<double> values_;
};
template <> class Values<Gpu> : public OnDevice<double> {
  using OnDevice<double>::OnDevice;
};

/// Bytes, as `gone` has them.
template <class E> class Marks;
template <> class Marks<Cpu> {
public:
  explicit Marks(std::vector<std::uint8_t> marks) : marks_(std::move(marks)) {}
  std::uint8_t* data() { return marks_.data(); }
  std::vector<std::uint8_t> values() const { return marks_; }

private:
  std::vector<std::uint8_t> marks_;
};
template <> class Marks<Gpu> : public OnDevice<std::uint8_t> {
  using OnDevice<std::uint8_t>::OnDevice;
};

constexpr double low = -0.1, high = 0.3; ///< of the box along each axis [m]
constexpr std::int64_t cells = 8;        ///< along each axis

Grid box_of_gas() {
  const Axis axis{cells, low, (high - low) / cells, Boundary::periodic, Boundary::periodic};
  return Grid({axis, axis, axis});
}

/// Where column or field `name` begins: the same numbers for both processors.
std::vector<double> between(const std::string& name, std::int64_t n, double least, double most) {
  Random random(std::accumulate(name.begin(), name.end(), 701u));
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& v : values) v = random.uniform(least, most);
  return values;
}

/// Parcels in a gas that is prescribed, fast enough to meet a side within a few steps.
template <class E> struct Parcels {
  std::int64_t n;
  std::map<std::string, Values<E>> reals;
  Marks<E> gone;
  CellOrder<double> order{box_of_gas()};

  explicit Parcels(std::int64_t parcels)
      : n(parcels), gone(std::vector<std::uint8_t>(static_cast<std::size_t>(parcels), 99)) {
    const auto add = [&](const std::string& name, std::int64_t size, double least, double most) {
      reals.emplace(name, between(name, size, least, most));
    };
    for (const char* d : {"x", "y", "z"}) {
      const std::string axis = d;
      add(axis, n, low, high);
      add("velocity_" + axis, n, -20, 20);
      add("gas_at_" + axis, n, 0, 0);
      add("force_" + axis, n, -1e3, 1e3);
      add("push_" + axis, n, -.1, .1);
      add("shift_" + axis, n, -1e-3, 1e-3);
      add("damped_" + axis, n, -2, 2);
      add("step_" + axis, n, 0, 0);
      add("gas_" + axis, cells * cells * cells, -5, 5);
    }
    add("damping", n, 0, 0.5);
    add("drag", n, 0, 50);
    add("slip", n, 0, 0);
    add("volume", n, 1e-9, 2e-9);
    add("diameter", n, 2e-4, 9e-4);
    add("eps", n, 0.35, 1);
    add("sauter", n, 4e-4, 6e-4);
  }

  double* at(const std::string& name) { return reals.at(name).data(); }
  /// A step of theirs, which they answer alike.
  Motion motion() {
    return {.dt = 2e-3,
            .gravity = {0.5, 0, -9.81},
            .parcels = {.count = n,
                        .position = {at("x"), at("y"), at("z")},
                        .velocity = {at("velocity_x"), at("velocity_y"), at("velocity_z")},
                        .drag = at("drag"),
                        .volume = at("volume"),
                        .diameter = at("diameter"),
                        .solid = nullptr,
                        .density = {2500}},
            .at = {.answer = mppic::Answer::alike,
                   .gas = {at("gas_at_x"), at("gas_at_y"), at("gas_at_z")},
                   .force = {at("force_x"), at("force_y"), at("force_z")},
                   .push = {at("push_x"), at("push_y"), at("push_z")},
                   .eps = at("eps"),
                   .damping = at("damping"),
                   .damped = {at("damped_x"), at("damped_y"), at("damped_z")},
                   .led_to = {},
                   .joint_drag = {},
                   .sauter = at("sauter")},
            .way = {.slip = at("slip"),
                    .step = {at("step_x"), at("step_y"), at("step_z")},
                    .shift = {at("shift_x"), at("shift_y"), at("shift_z")},
                    .gone = gone.data()}};
  }

  /// What the gas, that nothing moves, is like at them.
  void interpolate_gas() {
    order.sort(E{}, positions<double>(at("x"), at("y"), at("z"), n));
    const Grid& grid = order.grid();
    std::vector<Interpolate<double>> terms;
    for (int d = 0; d < 3; ++d) {
      const std::string axis(1, "xyz"[d]);
      terms.push_back({field_view<const double>(grid, at("gas_" + axis), face(d)), {at("gas_at_" + axis), n}});
    }
    interpolate<kernels::Linear, double>(E{}, order, kernels::Linear{}, terms);
  }
  /// One step as the driver makes it.
  MoveSums step(const BoxSides& sides, const DragOfParcels& drag) {
    interpolate_gas();
    MoveSums sums = mppic::advance_velocities(E{}, motion());
    mppic::set_drag(E{}, drag, motion());
    sums += mppic::move_parcels(E{}, sides, motion());
    return sums;
  }
};

BoxSides sides_with(const std::array<SideAction, 6>& actions) {
  BoxSides sides{.low = {low, low, low},
                 .high = {high, high, high},
                 .action = {},
                 .normal_restitution = 0.9,
                 .tangential_restitution = 0.8};
  std::copy(actions.begin(), actions.end(), sides.action);
  return sides;
}

DragOfParcels drag_by(mppic::DragLaw law) { return {.all = {law, 1.2, 1.8e-5, 0.44}}; }

/// The greatest difference over the greatest value.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
    if (std::isnan(a[i]) || std::isnan(b[i])) return NAN;
  }
  return difference > 0 ? difference / largest : 0;
}

/// Sums may be added in another order, columns computed with other fused operations.
void check_same(Parcels<Cpu>& cpu, const MoveSums& cpu_sums, Parcels<Gpu>& gpu, const MoveSums& gpu_sums,
                double tolerance) {
  for (const auto& [name, values] : cpu.reals) {
    INFO(name);
    CHECK(apart(values.values(), gpu.reals.at(name).values()) <= tolerance);
  }
  CHECK(cpu.gone.values() == gpu.gone.values());
  for (int s = 0; s < 6; ++s) CHECK(cpu_sums.left[s] == gpu_sums.left[s]);
  CHECK(std::abs(cpu_sums.speed_squared - gpu_sums.speed_squared) <= tolerance * cpu_sums.speed_squared);
  for (int d = 0; d < 3; ++d) {
    CHECK(std::abs(cpu_sums.from_gas[d] - gpu_sums.from_gas[d]) <= tolerance * cpu_sums.exchanged[d]);
    CHECK(std::abs(cpu_sums.exchanged[d] - gpu_sums.exchanged[d]) <= tolerance * cpu_sums.exchanged[d]);
    const double impulse = std::abs(cpu_sums.wall_impulse[d]);
    CHECK(std::abs(cpu_sums.wall_impulse[d] - gpu_sums.wall_impulse[d]) <= 1e3 * tolerance * impulse);
  }
  // Every bounce takes energy: the terms have one sign.
  CHECK(std::abs(cpu_sums.wall_work - gpu_sums.wall_work) <= tolerance * std::abs(cpu_sums.wall_work));
}

} // namespace

TEST_CASE("a step of parcels on the device ends where the CPU's does") {
  using enum SideAction;
  const BoxSides mixed = sides_with({wrap, wrap, bounce, leave, reflect, leave});
  const DragOfParcels drag = drag_by(mppic::DragLaw::gidaspow_blended);
  for (const std::int64_t n : {0, 1, 31, 33, 1'000, 10'000}) {
    Parcels<Cpu> cpu(n);
    Parcels<Gpu> gpu(n);
    const MoveSums a = cpu.step(mixed, drag), b = gpu.step(mixed, drag);
    check_same(cpu, a, gpu, b, 1e-13);
    if (n < 1000) continue;
    CHECK(a.left[3] > 0); // the scene is one in which all of that happens
    CHECK(a.left[5] > 0);
    CHECK(std::abs(a.wall_impulse[1]) > 0);
    CHECK(a.wall_work < 0);
  }
}

TEST_CASE("steps of parcels on the device follow the CPU's with every law of drag") {
  using enum SideAction;
  const BoxSides closed = sides_with({wrap, wrap, bounce, bounce, reflect, reflect});
  for (const mppic::DragLawEntry& entry : mppic::drag_laws()) {
    INFO(entry.name);
    Parcels<Cpu> cpu(2'000);
    Parcels<Gpu> gpu(2'000);
    MoveSums a, b;
    for (int step = 0; step < 5; ++step) a = cpu.step(closed, drag_by(entry.law)), b = gpu.step(closed, drag_by(entry.law));
    check_same(cpu, a, gpu, b, 1e-11);
  }
}

TEST_CASE("frozen parcels on the device get their drag and stay") {
  const DragOfParcels drag = drag_by(mppic::DragLaw::gidaspow_blended);
  Parcels<Cpu> cpu(1'000);
  Parcels<Gpu> gpu(1'000);
  const auto drag_at_rest = [&](auto execution, auto& parcels) {
    parcels.interpolate_gas();
    mppic::set_slip(execution, parcels.motion(), true);
    mppic::set_drag(execution, drag, parcels.motion());
  };
  drag_at_rest(Cpu{}, cpu);
  drag_at_rest(Gpu{}, gpu);
  check_same(cpu, {}, gpu, {}, 1e-13);
  CHECK(gpu.reals.at("x").values() == between("x", 1'000, low, high));
}

} // namespace corral::test

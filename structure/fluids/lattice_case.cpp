#include "structure/fluids/lattice_case.hpp"

#include "fluid/lattice/layout.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/starting_flow.hpp"

#include <corral/device.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace corral::structure {

namespace {

using fluid::lattice::Collision;
using fluid::lattice::Precision;
using fluid::lattice::Processor;
using fluid::lattice::Scheme;
using fluid::lattice::VelocitySet;
using run::brief, run::brief_below;
using run::choice, run::where, run::within;

constexpr std::array collisions{Collision::trt, Collision::bgk, Collision::regularised};
constexpr std::array sets{VelocitySet::d2q9, VelocitySet::d3q19, VelocitySet::d3q27};
constexpr std::array precisions{Precision::doubles, Precision::floats, Precision::floats_in_double};
constexpr std::array schemes{Scheme::in_place, Scheme::two_lattices};
constexpr std::array processors{Processor::host, Processor::device};

template <class Kinds> std::vector<std::string> names_of(const Kinds& kinds) {
  std::vector<std::string> names;
  for (const auto kind : kinds) names.emplace_back(name(kind));
  return names;
}

template <class Kinds> auto of_name(const Kinds& kinds, std::string_view wanted) {
  return *std::find_if(kinds.begin(), kinds.end(), [&](auto kind) { return name(kind) == wanted; });
}

double length(const std::array<double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

double spacing(const FlowSetup& flow) { return flow.size[0] / static_cast<double>(flow.cells[0]); }

/// At the start, and of the flow that develops.
double fastest_between_walls(const FlowSetup& flow) {
  constexpr int places = 64;
  const StartingFlow start(flow);
  double most = 0;
  const double vortices = std::max(start.fastest_vortex(0), start.fastest_vortex(1));
  for (int i = 0; i <= places; ++i) {
    const double y = flow.size[1] * i / places;
    std::array<double, 3> begins{}, develops{};
    for (std::size_t d = 0; d < 3; ++d) begins[d] = start(d, y), develops[d] = flow.drive.velocity[d] + start.developed(d, y);
    most = std::max({most, length(begins) + vortices, length(develops)});
  }
  return most;
}

double fastest(const fluid::Inlet& inlet) { return std::abs(fluid::middle_velocity(inlet)) * inlet.schedule.largest(); }

double fastest_given(const FlowSetup& flow) {
  double most = fastest_between_walls(flow);
  for (const auto& wall : flow.drive.wall_velocity) most = std::max(most, length(wall));
  for (const fluid::Inlet& inlet : flow.inlets) most = std::max(most, fastest(inlet));
  return most;
}

} // namespace

void declare_lattice(run::KeyTable& t) {
  const auto add = [&](run::Key key) { t.add(where("fluid.method", {"lattice"}, std::move(key))); };
  add(choice("lattice", "collision", names_of(collisions), "trt",
             "what relaxes how: trt: two rates, walls stand where they should at any viscosity; bgk: one rate; regularised: from the "
             "stress, up to third order, for low viscosity (docs/lattice.md)"));
  add(where("collision", {"trt"},
            within(run::positive("lattice", "magic", "", "0.1875", "product of both times less 1/2: at 3/16 flow between walls is "
                                                                  "exact"), 1e-6, 1e3)));
  add({.section = "lattice", .name = "smagorinsky", .fallback = "0", .minimum = 0, .maximum = 1,
       .meaning = "constant C of eddies that cells do not resolve, .1 to .2; 0: none"});
  std::vector<std::string> words = names_of(sets);
  words.insert(words.begin(), "automatic");
  add(choice("lattice", "velocity_set", words, "automatic", "of populations; automatic: D2Q9 where z has one cell, else D3Q19"));
  add(choice("lattice", "precision", names_of(precisions), "double",
             "of populations, and of arithmetic with them; float_in_double: kept as float"));
  add(choice("lattice", "scheme", names_of(schemes), "in_place",
             "in_place: one lattice; two_lattices: twice the memory, and slower; the same bits"));
  run::Key processor = choice("lattice", "processor", names_of(processors), "host",
                              "what moves the fluid: host: threads; device: a CUDA GPU, while threads find the forces at points "
                              "(docs/placements.md)");
  processor.when_resumed = true;
  add(std::move(processor));
}

run::DeviceKind::Part lattice_on_device(const run::Settings& s) {
  if (s.choice("fluid", "method") != "lattice") return {};
  const auto key = [](Processor processor) { return "lattice.processor = " + std::string(name(processor)); };
  return {key(Processor::device), s.choice("lattice", "processor") == name(Processor::device)};
}

LatticeModel read_lattice(const run::Settings& s) {
  LatticeModel lattice;
  lattice.collision = of_name(collisions, s.choice("lattice", "collision"));
  lattice.magic = s.real("lattice", "magic");
  lattice.smagorinsky = s.real("lattice", "smagorinsky");
  if (const std::string set = s.choice("lattice", "velocity_set"); set != "automatic") lattice.set = of_name(sets, set);
  lattice.precision = of_name(precisions, s.choice("lattice", "precision"));
  lattice.scheme = of_name(schemes, s.choice("lattice", "scheme"));
  lattice.processor = of_name(processors, s.choice("lattice", "processor"));
  return lattice;
}

fluid::LatticeProperties lattice_properties(const FlowSetup& flow, double dt) {
  const LatticeModel& lattice = flow.fluid.lattice;
  return {.density = flow.fluid.rho,
          .viscosity = flow.fluid.mu,
          .dt = dt,
          .body_force = flow.drive.body_force,
          .collision = lattice.collision,
          .magic = lattice.magic,
          .smagorinsky = lattice.smagorinsky,
          .set = lattice.set.value_or(flow.cells[2] == 1 ? VelocitySet::d2q9 : VelocitySet::d3q19),
          .precision = lattice.precision,
          .scheme = lattice.scheme};
}

namespace {

int populations(VelocitySet set) { return set == VelocitySet::d2q9 ? 9 : set == VelocitySet::d3q19 ? 19 : 27; }
/// Of a population, in all lattices that there are.
int bytes_of_each(const fluid::LatticeProperties& p) {
  return (p.precision == Precision::doubles ? 8 : 4) * (p.scheme == Scheme::in_place ? 1 : 2);
}

} // namespace

double population_bytes(const FlowSetup& flow) {
  if (!flow.lattice()) return 0;
  const fluid::LatticeProperties p = lattice_properties(flow, 1);
  return populations(p.set) * bytes_of_each(p);
}

double device_bytes(const FlowSetup& flow) {
  if (!flow.lattice() || !flow.fluid.lattice.on_device()) return 0;
  const fluid::LatticeProperties p = lattice_properties(flow, 1);
  const std::int64_t values =
      fluid::lattice::Layout::of(flow.cells, populations(p.set), p.precision == Precision::doubles ? 8 : 4).size();
  double cells = 1;
  for (const std::int64_t n : flow.cells) cells *= static_cast<double>(n);
  return static_cast<double>(values) * bytes_of_each(p) + cells * fluid::lattice::device_bytes_of_a_cell +
         fluid::lattice::device_bytes_beside_cells;
}

LatticeNumbers lattice_numbers(const FlowSetup& flow, double dt) {
  const double h = spacing(flow);
  LatticeNumbers numbers;
  numbers.tau = fluid::relaxation_time(lattice_properties(flow, dt), h);
  numbers.speed = fastest_given(flow);
  numbers.mach = std::sqrt(3.) * numbers.speed * dt / h;
  numbers.grid_reynolds = numbers.speed * h * flow.fluid.rho / flow.fluid.mu;
  return numbers;
}

namespace {

class LatticeChecks : run::Reader {
public:
  LatticeChecks(const FlowSetup& flow, const run::StepLengths& time, const run::Settings& settings, run::Problems& problems)
      : Reader(settings, problems), flow_(flow), time_(time), numbers_(lattice_numbers(flow, time.dt)) {}

  bool check() { return cells() && steps() && tau() && mach() && device(); }

private:
  bool cells() {
    const bool flat = lattice_properties(flow_, time_.dt).set == VelocitySet::d2q9;
    if (flat && (flow_.cells[2] != 1 || !flow_.periodic(2)))
      return refuse(flow_.cells[2] != 1 ? "lattice" : "sides", flow_.cells[2] != 1 ? "velocity_set" : "z_low",
                    "D2Q9 flows in the plane of x and y (z has " + std::to_string(flow_.cells[2]) +
                        " cells) choose D3Q19, or give z one cell and periodic sides");
    for (std::size_t d = 0; d < (flat ? 2 : 3); ++d) {
      const std::string which(1, "xyz"[d]);
      if (flow_.cells[d] < 2)
        return refuse("grid", "cells", "1 cell along " + which + " (a lattice fluid needs two along each axis, but along z of D2Q9) "
                                       "take more, or exchange the axes");
      const double longer = flow_.size[d] / static_cast<double>(flow_.cells[d]) / spacing(flow_);
      if (std::abs(longer - 1) > 1e-9)
        return refuse("grid", "size", "cells are " + brief(longer) + " times as long along " + which +
                                          " as along x (those of a lattice fluid are cubes) set the size along " + which + " to " +
                                          run::write_number(spacing(flow_) * static_cast<double>(flow_.cells[d])) + " m");
    }
    return true;
  }

  bool steps() {
    if (!time_.adaptive) return true;
    return refuse("time", "step", "time.step = adaptive with fluid.method = lattice (a population moves by a cell in each step, so "
                                  "that all are as long as time.dt) choose fixed");
  }

  /// [s]
  double step_of_tau(double tau) const {
    return (tau - 0.5) * spacing(flow_) * spacing(flow_) * flow_.fluid.rho / (3 * flow_.fluid.mu);
  }
  double step_of_mach(double mach) const { return mach * spacing(flow_) / (std::sqrt(3.) * numbers_.speed); }

  bool tau() {
    if (numbers_.tau >= LatticeNumbers::least_tau) return true;
    const double longer = 1.01 * step_of_tau(LatticeNumbers::least_tau);
    const bool slow = lattice_numbers(flow_, longer).mach <= LatticeNumbers::largest_mach;
    const double thicker = 1.01 * (LatticeNumbers::least_tau - 0.5) / (numbers_.tau - 0.5) * flow_.fluid.mu;
    return refuse("time", "dt", "tau is " + run::formatted("%.6g", numbers_.tau) + " in steps of " + brief(time_.dt) +
                                    " s (a lattice fluid is stable above .5, and from .5005 on it is let run) " +
                                    (slow ? "set time.dt to " + brief(longer) + " s or more, take finer cells"
                                          : "take finer cells") +
                                    ", or a fluid.viscosity of " + brief(thicker) + " Pa s");
  }

  bool mach() {
    if (numbers_.mach <= LatticeNumbers::largest_mach) return true;
    const double shorter = step_of_mach(LatticeNumbers::largest_mach);
    const bool viscous = lattice_numbers(flow_, shorter).tau >= LatticeNumbers::least_tau;
    return refuse("time", "dt", "the fluid moves at " + brief(numbers_.speed) + " m/s, a Mach number of " + brief(numbers_.mach) +
                                    " on this lattice (up to " + brief(LatticeNumbers::largest_mach) +
                                    " it follows, up to .1 well) set time.dt to " + brief_below(shorter) + " s or less" +
                                    (viscous ? "" : ", with finer cells, for tau falls below .5005") + ", or look at [drive]");
  }

  bool device() {
    if (!flow_.fluid.lattice.on_device()) return true;
    const DeviceFound device = find_device();
    if (!device.why_none.empty())
      return refuse("lattice", "processor", "lattice.processor = device (" + device.why_none + ") set it to host, or run where a GPU and a corral "
                                            "that was built with CUDA are");
    double cells = 1;
    for (const std::int64_t n : flow_.cells) cells *= static_cast<double>(n);
    if (cells > fluid::lattice::most_cells_of_a_device)
      return refuse("lattice", "processor", "lattice.processor = device with " + brief(cells) + " cells (their numbers have 32 bits there) "
                                            "take fewer cells, or set it to host");
    const double needed = device_bytes(flow_);
    if (needed <= device.free_bytes) return true;
    return refuse("lattice", "processor", "lattice.processor = device with " + brief(needed / 1e9) + " GB of a lattice (the device has " +
                                          brief(device.free_bytes / 1e9) + " GB free) take fewer cells, lattice.precision = float, or set it to host");
  }

  const FlowSetup& flow_;
  const run::StepLengths& time_;
  LatticeNumbers numbers_;
};

} // namespace

bool check_lattice(const FlowSetup& flow, const run::StepLengths& time, const run::Settings& settings, run::Problems& problems) {
  return LatticeChecks(flow, time, settings, problems).check();
}

std::vector<std::string> describe_lattice(const FlowSetup& flow, double dt) {
  const fluid::LatticeProperties p = lattice_properties(flow, dt);
  const LatticeNumbers n = lattice_numbers(flow, dt);
  const auto text = [](auto kind) { return std::string(name(kind)); };
  std::string what = text(p.set) + ", " + text(p.collision);
  if (p.collision == Collision::trt) what += " (magic " + run::formatted("%g", p.magic) + ")";
  if (p.smagorinsky > 0) what += ", Smagorinsky " + run::formatted("%g", p.smagorinsky);
  what += ", " + text(p.precision) + ", " + text(p.scheme);
  std::vector<std::string> lines{"lattice   " + what,
                                 "          " + run::formatted("tau %.6g, Mach number %.3g at %.3g m/s, grid Reynolds number %.3g, "
                                                               "steps of %g s", n.tau, n.mach, n.speed, n.grid_reynolds, dt)};
  if (flow.fluid.lattice.on_device())
    lines.push_back(run::formatted("device    %.100s: about %.0f MB of its memory, beside the host's", find_device().name.c_str(),
                                   device_bytes(flow) / 1e6));
  return lines;
}

std::vector<std::string> lattice_warnings(const FlowSetup& flow, double dt) {
  constexpr double much_sound = 0.1, slow_relaxation = 2, ripples_enter = 10; // docs/lattice.md has the last one's measurements
  const LatticeNumbers n = lattice_numbers(flow, dt);
  const bool regularised = flow.fluid.lattice.collision == Collision::regularised;
  const double calm = regularised ? 0.502 : 0.51;
  std::vector<std::string> warnings;
  if (n.mach > much_sound)
    warnings.push_back("the Mach number on the lattice is " + brief(n.mach) + " (velocities may be wrong by its square, " +
                       brief(100 * n.mach * n.mach) + " %: a shorter time.dt makes it less)");
  if (n.tau < calm)
    warnings.push_back("tau is " + run::formatted("%.6g", n.tau) + " (below " + brief(calm) + " " +
                       std::string(name(flow.fluid.lattice.collision)) + " may grow ripples and blow up: " +
                       (regularised ? "finer cells, or a longer time.dt, raise it)"
                                    : "lattice.collision = regularised stays calm longer; finer cells, or a longer time.dt, raise it)"));
  for (const fluid::Inlet& inlet : flow.inlets) {
    const double entering = fastest(inlet) * spacing(flow) * flow.fluid.rho / flow.fluid.mu;
    const auto side = static_cast<std::size_t>(inlet.side);
    if (entering > ripples_enter && !regularised && flow.sides[side] == fluid::SideKind::no_slip)
      warnings.push_back("fluid enters through " + std::string(fluid::side_names[side]) + " at a grid Reynolds number of " + brief(entering) +
                         " (above " + brief(ripples_enter) + " ripples grow beside a no-slip side: make it free_slip, or take finer cells)");
  }
  if (n.tau > slow_relaxation)
    warnings.push_back("tau is " + brief(n.tau) + " (above " + brief(slow_relaxation) +
                       " flow that changes within few cells is wrong: a shorter time.dt lowers it)");
  return warnings;
}

} // namespace corral::structure

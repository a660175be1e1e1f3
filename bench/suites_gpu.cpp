#include "bench/standard_works.hpp"

namespace corral::bench {
namespace {

/// 4 million points with a Kaiser-Bessel kernel of so many points: 4 a cell, or a quarter of one.
Workload w4(int points, int fields, std::int64_t cells) {
  Workload w;
  w.cells = {cells, cells, cells};
  w.particles = 4'000'000;
  w.kernel = "kaiser_bessel" + std::to_string(points);
  w.fields = fields;
  if (fields == 2) w.layout = Layout::interleaved; // one complex field
  return w;
}

/// Seconds that are asked of an H200 for 4 million points; 0: nothing.
struct Wide {
  int points;
  std::int64_t cells;
  double spread, interpolate, spread_complex, interpolate_complex; ///< of 12 fields, of one complex field [ms]
};
constexpr Wide wide[] = {{4, 100, 1.5, .70, .95, .20}, {4, 252, 2.5, 0, .95, .40}, {8, 100, 4.2, 2.3, 2.4, .45},
                         {8, 252, 4.2, 0, 1.8, .95},   {14, 100, 16, 9.5, 7, 1.6}, {14, 252, 14, 0, 4.8, 3.5}};

Call within(Task task, double milliseconds) {
  if (milliseconds == 0) return call(task);
  return call(task, {{Figure::seconds, milliseconds * 1e-3}});
}

} // namespace

Suite gpu_targets(Backend backend) {
  Suite suite;
  suite.ceilings = true;
  auto add = [&](Workload w, std::vector<Call> calls) {
    w.repeats = 5;
    suite.works.push_back(on(backend, with(std::move(w), std::move(calls))));
  };
  const auto single = [](Workload w) {
    w.precision = Precision::single_;
    return w;
  };
  const Call sort = within(Task::sort, 1.5);
  const std::vector<Call> maps{call(Task::spread), call(Task::interpolate)};
  add(w1(big), {within(Task::spread, .20), spread_by(Method::octet), spread_by(Method::corners), spread_by(Method::zhao),
                spread_by(Method::atomic), within(Task::interpolate, .165),
                {Task::interpolate, Method::stencils}, sort});
  add(unsorted(w1(big)), {sort, call(Task::reorder)});
  add(clustered(w1(big)), maps); // what crowds cost
  for (const std::int64_t particles : {small, std::int64_t{33'000'000}}) add(w1(particles), maps);
  add(w1(big, Points::faces), maps);
  add(single(w1(big)), maps);
  for (const Wide& w : wide) {
    add(w4(w.points, 12, w.cells), {within(Task::spread, w.spread), spread_by(Method::tensor_core), spread_by(Method::tiles),
                                    within(Task::interpolate, w.interpolate)});
    add(w4(w.points, 2, w.cells), {within(Task::spread, w.spread_complex), within(Task::interpolate, w.interpolate_complex)});
  }
  add(clustered(w4(8, 12, 100)), {within(Task::spread, 6)});
  add(single(w4(8, 2, 128)), {within(Task::spread, 1.5), call(Task::interpolate)});
  Workload markers = w2(1'000'000, Distribution::uniform);
  markers.offset = Offset::half; // of three face grids each is then straddled along one axis only
  add(markers, {within(Task::spread, .5), within(Task::interpolate, .2)});
  suite.conclusion = count_targets;
  return suite;
}

Suite gpu_tune(Backend backend) {
  Suite suite;
  struct Density {
    double per_cell;
    std::int64_t cells; ///< fewer where a cell holds more
  };
  constexpr Density densities[] = {{.03, 200}, {.1, 160}, {.3, 128}, {1, 100}, {3, 80}, {6, 69}, {12, 69}, {25, 60}, {50, 48}};
  for (const char* kernel : {"linear", "peskin4", "kaiser_bessel8", "kaiser_bessel14"})
    for (const Density d : densities) {
      Workload w;
      w.kernel = kernel;
      w.cells = {d.cells, d.cells, d.cells};
      w.particles = static_cast<std::int64_t>(d.per_cell * static_cast<double>(d.cells * d.cells * d.cells));
      w.repeats = 5;
      const bool linear = w.kernel == "linear";
      std::vector<Call> calls{spread_by(Method::tiles), spread_by(Method::grid_gather)};
      for (const Method m : {Method::octet, Method::stream})
        if (linear) calls.push_back(spread_by(m));
      for (const Method m : {Method::tensor_core, Method::towers})
        if (!linear) calls.push_back(spread_by(m));
      calls.push_back({Task::interpolate, Method::stencils});
      calls.push_back({Task::interpolate, linear ? Method::stream : Method::bricks});
      suite.works.push_back(on(backend, with(w, calls)));
    }
  suite.conclusion = find_crossings;
  return suite;
}

} // namespace corral::bench

#include "bench/standard_works.hpp"

namespace corral::bench {

namespace {

/// Spread and interpolate on one thread, each with a target.
Workload maps(Workload w, Target spread, Target interpolate) {
  return with(std::move(w), {call(Task::spread, {spread}), call(Task::interpolate, {interpolate})});
}

/// The same, and with two threads.
Workload maps_on_two_threads(Workload w, Target spread, Target interpolate) {
  w = maps(std::move(w), spread, interpolate);
  for (const Task task : {Task::spread, Task::interpolate})
    w.calls.push_back(call(task, {{Figure::one_thread, 1.8}}, 2));
  return w;
}

Workload moved(Workload w) {
  w.order = ParticleOrder::moved;
  return w;
}

Suite standard(Backend) {
  using enum Figure;
  Suite suite;
  auto add = [&](Workload w) { suite.works.push_back(std::move(w)); };
  add(maps_on_two_threads(w1(big), {stream, .75, .85}, {stream, .78, .9}));
  add(maps_on_two_threads(w1(small), {stream, .55, .7}, {stream, .6, .75}));
  add(maps_on_two_threads(clustered(w1(big)), {stream, .55, .7}, {stream, .6, .75}));
  add(maps_on_two_threads(clustered(w1(small)), {stream, .55, .7}, {stream, .6, .75}));
  add(maps(w1(big, Points::face_x), {stream, .65}, {stream, .75}));
  add(maps(w1(small, Points::face_x), {stream, .48}, {stream, .55}));
  add(maps(w1(big, Points::faces), {stream, .6}, {stream, .7}));
  add(maps(w1(small, Points::faces), {stream, .45}, {stream, .55}));
  add(maps(w1(big, Points::node), {stream, .38}, {stream, .42}));
  add(maps(w1(small, Points::node), {stream, .3}, {stream, .28}));
  for (const std::int64_t particles : {big, small}) {
    add(with(unsorted(w1(particles)), {call(Task::sort, {{plain_maps, .35}}), call(Task::reorder),
                                       call(Task::sort_and_spread_3, {{plain, 1.5}}),
                                       call(Task::sort_and_interpolate_3, {{plain, 1.5}})}));
    add(with(w1(particles), {call(Task::sort)}));
    add(with(moved(w1(particles)), {call(Task::sort, {{plain_maps, .25}})}));
    add(with(unsorted(w1(particles)), {call(Task::direct_spread, {{plain, .95}}),
                                       call(Task::direct_interpolate, {{plain, .95}}),
                                       call(Task::direct_spread, {{one_thread, 1.8}}, 2),
                                       call(Task::direct_interpolate, {{one_thread, 1.8}}, 2)}));
  }
  add(maps(w2(1'000'000, Distribution::uniform), {plain, 12}, {plain, 17}));
  add(maps(w2(65'536, Distribution::uniform), {plain, 3.3}, {plain, 4}));
  add(maps(w2(65'536, Distribution::sphere), {plain, 1.6}, {plain, 5}));
  add(maps(w3(4'000'000), {plain, 25}, {plain, 28}));
  suite.conclusion = count_targets;
  return suite;
}

Suite methods(Backend backend) {
  struct Density {
    double per_cell;
    std::int64_t cells; ///< fewer where a cell holds more: the work stays within seconds
  };
  Suite suite;
  for (Workload w : {w1(0), w2(0, Distribution::uniform), w3(0)})
    for (const Density d : {Density{.03, 128}, Density{1, 64}, Density{10, 48}, Density{100, 24}}) {
      w.cells = {d.cells, d.cells, d.cells};
      w.particles = static_cast<std::int64_t>(d.per_cell * static_cast<double>(d.cells * d.cells * d.cells));
      w.repeats = 5;
      w.calls.clear();
      for (const Task task : {Task::spread, Task::interpolate})
        for (const Method method : methods_of(backend))
          if ((serves_any_kernel(method) || w.kernel == "linear") &&
              (task == Task::spread ? spreads(method) : interpolates_on(backend, method)))
            w.calls.push_back({task, method, 1, {}});
      suite.works.push_back(on(backend, w));
    }
  suite.conclusion = compare_methods;
  return suite;
}

Suite sizes(Backend backend) {
  Suite suite;
  for (std::int64_t n = 60; n <= 140; ++n) {
    Workload w = w1(4 * n * n * n);
    w.cells = {n, n, n};
    w.repeats = 3;
    suite.works.push_back(on(backend, with(w, {call(Task::spread), call(Task::interpolate)})));
  }
  suite.conclusion = compare_with_neighbours;
  return suite;
}

Suite large(Backend backend) {
  Suite suite;
  for (Workload w : {w1(big), w1(100'000'000)}) {
    if (w.particles > big) w.cells = {141, 141, 141}; // 35.7 a cell, as 11.7 million in 69^3
    w.repeats = 3;
    suite.works.push_back(on(backend, with(w, {call(Task::spread), call(Task::interpolate)})));
  }
  suite.conclusion = compare_with_first;
  return suite;
}

/// Table 1 of Kassen, Shankar and Fogelson without its fluid: forces on 65,536 points anywhere, on ever finer grids.
Suite random_points(Backend backend) {
  Suite suite;
  for (const std::int64_t n : {16, 32, 64, 128}) {
    Workload w = unsorted(w2(65'536, Distribution::uniform));
    w.cells = {n, n, n};
    w.calls = {spread_by(Method::sort_reduce), spread_by(Method::sort_reduce_buffered),
               spread_by(Method::sort_reduce_on_the_fly), call(Task::spread), call(Task::interpolate), call(Task::sort)};
    suite.works.push_back(on(backend, w));
  }
  suite.conclusion = compare_grids;
  return suite;
}

/// What is slow once, and what is slow after a while.
Suite starts(Backend) {
  Suite suite;
  std::vector<Call> sorts, maps;
  for (const int threads : {1, 2}) {
    for (const Start start : {Start::warm, Start::cold})
      sorts.push_back({Task::sort, Method::automatic, threads, {}, start});
    for (const Start start : {Start::warm, Start::rested})
      maps.push_back({Task::spread, Method::automatic, threads, {}, start});
  }
  suite.works = {with(unsorted(w1(4'000'000)), sorts), with(w2(65'536, Distribution::uniform), maps)};
  suite.conclusion = compare_starts;
  return suite;
}

/// No maps: how far the windows' polynomials are from the windows.
Suite windows(Backend) {
  Suite suite;
  suite.conclusion = [](const std::vector<Row>&) { return window_fits(); };
  return suite;
}

} // namespace

const std::vector<SuiteKind>& suites() {
  static const std::vector<SuiteKind> all{
      {"standard", "the engine's targets on the CPU, 3 to 5 minutes and 3 GB", standard, {Backend::cpu}},
      {"gpu", "the device's ceilings and the engine's targets on a GPU, 3 minutes", gpu_targets, {Backend::gpu}},
      {"gpu_tune", "from which density each method wins on the device at hand, as lines for engine/gpu/tuning.cuh", gpu_tune,
       {Backend::gpu}},
      {"methods", "every method by kernel width and particles per cell", methods},
      {"sizes", "60 to 140 cells an axis: does a row pitch hurt?", sizes},
      {"large", "10^8 particles, 12 GB", large},
      {"random_points", "spread by sort_reduce as the grid grows, as in the paper of Kassen, Shankar and Fogelson",
       random_points},
      {"starts", "the first sort of an order, and a map after a rest", starts, {Backend::cpu}},
      {"windows", "how far the windows' polynomials are from the windows", windows, {Backend::cpu}}};
  return all;
}

} // namespace corral::bench

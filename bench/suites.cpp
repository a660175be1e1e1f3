#include "bench/maps.hpp"

namespace corral::bench {

namespace {

constexpr std::int64_t small = 3'800'000, big = 11'700'000; // particles of W1

// The three kinds of work that targets are stated for; their particles, order and calls follow.

/// W1: trilinear, three fields, 12 to 36 particles a cell.
Workload w1(std::int64_t particles, Points points = Points::centre) {
  Workload w;
  w.particles = particles;
  w.points = points;
  return w;
}

/// W2: markers of an immersed boundary, three faces, one field each.
Workload w2(std::int64_t particles, Distribution distribution) {
  Workload w;
  w.cells = {128, 128, 128};
  w.particles = particles;
  w.distribution = distribution;
  w.offset = Offset::zero;
  w.kernel = "peskin4";
  w.points = Points::faces;
  return w;
}

/// W3: one complex component, as spectral sums spread it.
Workload w3(std::int64_t particles) {
  Workload w;
  w.cells = {256, 256, 256};
  w.particles = particles;
  w.offset = Offset::zero;
  w.kernel = "kaiser_bessel8";
  w.fields = 2;
  w.layout = Layout::interleaved;
  return w;
}

Call call(Task task, std::vector<Target> targets = {}, int threads = 1) {
  return {task, Method::automatic, threads, std::move(targets)};
}

Workload on(Backend backend, Workload w) {
  w.backend = backend;
  return w;
}

Call spread_by(Method method) { return {Task::spread, method, 1, {}}; }

Workload with(Workload w, std::vector<Call> calls) {
  w.calls = std::move(calls);
  return w;
}

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

Workload clustered(Workload w) {
  w.distribution = Distribution::clustered;
  return w;
}

Workload unsorted(Workload w) {
  w.order = ParticleOrder::random;
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
              (task == Task::spread || interpolates_on(backend, method)))
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

/// 4 million points with a Kaiser-Bessel kernel, 4 a cell or a quarter of one.
Workload w4(const std::string& kernel, int fields, std::int64_t cells) {
  Workload w;
  w.cells = {cells, cells, cells};
  w.particles = 4'000'000;
  w.kernel = kernel;
  w.fields = fields;
  return w;
}

/// Targets of an H200 in double.
Suite gpu(Backend backend) {
  using enum Figure;
  Suite suite;
  suite.ceilings = true;
  auto add = [&](Workload w, std::vector<Call> calls) {
    w.repeats = 5;
    suite.works.push_back(on(backend, with(std::move(w), std::move(calls))));
  };
  const Call sort = call(Task::sort, {{seconds, 1.5e-3}});
  add(w1(big), {call(Task::spread, {{seconds, .27e-3}}), spread_by(Method::octet), spread_by(Method::corners),
                spread_by(Method::zhao), spread_by(Method::atomic), call(Task::interpolate), sort});
  add(unsorted(w1(big)), {sort, call(Task::reorder)});
  add(clustered(w1(big)), {call(Task::spread)}); // what crowds cost
  add(clustered(w4("kaiser_bessel8", 12, 100)), {call(Task::spread)});
  struct Wide {
    std::string kernel;
    double spread, interpolate; ///< particles per second demanded, of 12 fields and of 3; 0: nothing
  };
  for (const Wide& wide : {Wide{"kaiser_bessel4", 1000e6, 3000e6}, Wide{"kaiser_bessel8", 400e6, 600e6},
                           Wide{"kaiser_bessel14", 80e6, 0}})
    for (const std::int64_t cells : {100, 252}) {
      add(w4(wide.kernel, 12, cells), {call(Task::spread, {{rate, wide.spread}}), spread_by(Method::hybrid),
                                       spread_by(Method::tiles)});
      if (wide.interpolate > 0)
        add(w4(wide.kernel, 3, cells), {call(Task::interpolate, {{rate, wide.interpolate}})});
    }
  Workload markers = w2(1'000'000, Distribution::uniform);
  markers.offset = Offset::half; // of three face grids each is then straddled along one axis only
  add(markers, {call(Task::spread, {{rate, 1000e6}}), call(Task::interpolate, {{rate, 1000e6}})});
  suite.conclusion = count_targets;
  return suite;
}

} // namespace

const std::vector<SuiteKind>& suites() {
  static const std::vector<SuiteKind> all{
      {"standard", "the engine's targets on the CPU, 3 to 5 minutes and 3 GB", standard, {Backend::cpu}},
      {"gpu", "the device's ceilings and the engine's targets on a GPU, 3 minutes", gpu, {Backend::gpu}},
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

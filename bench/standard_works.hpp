#pragma once

#include "bench/maps.hpp"

#include <utility>

/// What suites are made of.
namespace corral::bench {

inline constexpr std::int64_t small = 3'800'000, big = 11'700'000; // particles of W1

// The three kinds of work that targets are stated for; their particles, order and calls follow.

/// W1: trilinear, three fields, 12 to 36 particles a cell.
inline Workload w1(std::int64_t particles, Points points = Points::centre) {
  Workload w;
  w.particles = particles;
  w.points = points;
  return w;
}

/// W2: markers of an immersed boundary, three faces, one field each.
inline Workload w2(std::int64_t particles, Distribution distribution) {
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
inline Workload w3(std::int64_t particles) {
  Workload w;
  w.cells = {256, 256, 256};
  w.particles = particles;
  w.offset = Offset::zero;
  w.kernel = "kaiser_bessel8";
  w.fields = 2;
  w.layout = Layout::interleaved;
  return w;
}

inline Call call(Task task, std::vector<Target> targets = {}, int threads = 1) {
  return {task, Method::automatic, threads, std::move(targets)};
}

inline Workload on(Backend backend, Workload w) {
  w.backend = backend;
  return w;
}

inline Call spread_by(Method method) { return {Task::spread, method, 1, {}}; }

inline Workload with(Workload w, std::vector<Call> calls) {
  w.calls = std::move(calls);
  return w;
}

inline Workload clustered(Workload w) {
  w.distribution = Distribution::clustered;
  return w;
}

inline Workload unsorted(Workload w) {
  w.order = ParticleOrder::random;
  return w;
}

/// The suites of a GPU.
Suite gpu_targets(Backend);
Suite gpu_tune(Backend);

} // namespace corral::bench

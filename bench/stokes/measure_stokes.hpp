#pragma once

#include "bench/scene/particles.hpp"
#include "stokes/sum_plan.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace corral::bench {

/// Points everywhere alike in a box of 1 m, with strengths in [-1/2, 1/2): sources and targets in one.
class StokesPoints {
public:
  StokesPoints(stokes::Sum sum, bool all_results, std::int64_t points);

  static stokes::Task task(stokes::Sum sum, bool all_results, std::int64_t points, double tolerance);
  stokes::Task task(double tolerance) const { return task(sum_, all_, points_.size(), tolerance); }
  /// Sums once.
  void run(stokes::SumPlan& plan);
  /// Every image and every mode, at the first few points, in long double: what they are, and how long all points would take.
  struct Direct {
    std::vector<long double> velocities;
    double seconds; ///< of what is done once, and of these targets times how many more there are
  };
  Direct direct(std::int64_t targets);
  /// Root mean square of what the last sum errs by at those targets, in the units of the tolerance.
  double error(const Direct&);

private:
  stokes::Sum sum_;
  bool all_;
  Particles<double> points_;
  Values<double> results_;
};

/// Medians of a sum, and how fast as many threads multiply and add in the same rounds. On one thread all is processor time,
/// which is a clock's where nothing else runs.
struct SumTiming {
  int threads = 1;
  stokes::SumSeconds parts{};
  double seconds = 0; ///< of all parts, and of what is between them
  double peak = 0;    ///< operations a second, of all threads
};
/// A timing for each number of threads, in turn.
std::vector<SumTiming> time_sum(stokes::SumPlan& plan, StokesPoints& points, const std::vector<int>& threads, int repeats);

struct StokesWork {
  std::int64_t points = 10'000;
  std::vector<double> tolerances{1e-3, 1e-6, 1e-9, 1e-12};
  std::vector<int> threads{1, 2};
  std::int64_t compared = 0; ///< targets that direct sums are made for; 0: none
};

/// Stokeslets, velocities alone.
struct StokesRow {
  stokes::Task task;
  stokes::Parameters parameters{};
  stokes::Expected expected{};
  SumTiming timing{};
  int repeats = 1;
  double pairs = 0;      ///< within the cut-off, of points everywhere alike
  double candidates = 0; ///< pairs that are computed
  double operations = 0; ///< of a candidate
  std::optional<double> error{}, direct_seconds{};

  double near() const { return timing.parts.near; }
  double far() const { return timing.parts.spread + timing.parts.transform + timing.parts.interpolate; }
  double near_ratio() const { return near() * timing.threads / expected.near_seconds; } ///< measured over expected
  double far_ratio() const { return far() * timing.threads / expected.far_seconds; }
  double ratio() const { return timing.seconds * timing.threads / (expected.near_seconds + expected.far_seconds); }
  double seconds_a_pair() const { return near() * timing.threads / pairs; } ///< of a core
  double rate() const { return candidates * operations / near(); }          ///< operations of the near field a second
  double of_peak() const { return rate() / timing.peak; }
};

/// Multiplications, additions, divisions and square roots that a stokeslet's near field takes of a candidate; polynomials
/// of that degree.
double near_operations(int degree);

/// Rows by tolerance, then threads; `tell` gets each as it comes. Throws Error as SumPlan does.
std::vector<StokesRow> measure_stokes(const StokesWork&, int repeats, const std::function<void(const StokesRow&)>& tell);

} // namespace corral::bench

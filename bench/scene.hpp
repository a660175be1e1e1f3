#pragma once

#include "bench/kernel_maps.hpp"
#include "bench/particles.hpp"
#include "bench/plain_loop.hpp"
#include "bench/workload.hpp"

#include <corral/cell_order.hpp>

#include <algorithm>
#include <vector>

namespace corral::bench {

/// Particles of which the plain loop gets at most so many: enough for its rate, and 10^8 fit into 12 GB.
inline constexpr std::int64_t most_plain_particles = 12'000'000;

/// A workload in memory: particles, order, fields, and its calls. Everything is allocated once; T is float or double.
template <class T> class Scene {
public:
  explicit Scene(const Workload& work);

  /// The call that is timed, in the caller's arena; a spread includes zeroing its fields.
  void run(const Call& call);
  /// One plain map over unsorted particles; a spread includes zeroing its fields.
  void run_plain(Task spread_or_interpolate);
  /// Particles of the workload for each that the plain loop is given, 1 or more.
  double particles_per_plain_particle() const;
  /// Reads six columns as long as the particles', in equal parts by so many threads of the caller's arena.
  T read_stream(int threads) const;
  /// Runs the call and compares all its results with the plain loop's. Throws Error where round-off does not explain
  /// the difference.
  void check(const Call& call);

private:
  bool reordered() const { return work_.order != ParticleOrder::random; }
  /// As drawn, for the plain loop.
  Particles<T>& plain_particles() { return reordered() ? drawn_ : mapped_; }
  void sort();
  void zero_fields();
  void check_spread(const Call& call);
  void check_interpolate(const Call& call);
  void check_reorder();
  std::vector<Spread<T>> spread_terms(Values<T>& columns, Values<T>& fields);
  std::vector<Interpolate<T>> interpolate_terms(std::int64_t first, std::int64_t n, Values<T>& columns);

  Workload work_;
  Grid grid_;
  KernelMaps<T> maps_;
  PlainLoop<T> plain_;
  CellOrder<T> order_;
  Particles<T> mapped_; ///< what the maps work on
  Particles<T> drawn_;  ///< unsorted ones for the plain loop, where mapped_ was brought into cell order
  Values<T> results_;   ///< what interpolation writes
  Values<T> fields_;    ///< what spread writes
  Values<T> source_;    ///< what interpolation reads
  Values<T> expected_;  ///< fields_ as the plain loop has them; empty before the first comparison
  std::vector<Array<T>> spare_; ///< columns to read where the particles have less than six
};

} // namespace corral::bench

#pragma once

#include "bench/scene/kernel_maps.hpp"
#include "bench/scene/particles.hpp"
#include "bench/scene/placed.hpp"
#include "bench/scene/plain_loop.hpp"
#include "bench/scene/workload.hpp"

#include <corral/cell_order.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace corral::bench {

/// Particles of which the plain loop gets at most so many: enough for its rate, and 10^8 fit into 12 GB.
inline constexpr std::int64_t most_plain_particles = 12'000'000;

/// Additions to or from points that the plain loop is asked for at most, once, beside calls of an execution: seconds
/// beside a GPU, whose calls take milliseconds.
template <Execution E>
inline constexpr double most_plain_additions = std::is_same_v<E, Gpu> ? 1e9 : std::numeric_limits<double>::infinity();

/// Field f of a workload as a view.
template <class T> FieldView<T> field_of(const Workload& work, const Column<T>& values, int f) {
  const std::int64_t s = values.stride;
  return {values.data, staggering(work.points, f), {s, s * work.cells[0], s * work.cells[0] * work.cells[1]}};
}

/// A workload in memory: particles, order, fields, and its calls. Everything is allocated once; T is float or double.
/// The plain loop, which it is compared with, runs on the host in any case.
template <class T, Execution E> class Scene {
public:
  explicit Scene(const Workload& work);

  /// The call that is timed, in the caller's arena or on the default stream; a spread includes zeroing its fields.
  void run(const Call& call);
  /// Brings about what comes right before the call.
  void prepare(Start start);
  /// Seconds of a plain map over all particles, unsorted; a spread includes zeroing its fields. Where the loop is given
  /// fewer its time is scaled.
  double time_plain(Task spread_or_interpolate);
  /// Reads six columns as long as the particles': in equal parts by so many threads of the caller's arena, or on the
  /// device. Returns something that depends on them.
  T read_stream(int threads);
  /// Runs the call and compares its results with the plain loop's. Throws Error where round-off does not explain the
  /// difference.
  void check(const Call& call);

private:
  bool reordered() const { return work_.order != ParticleOrder::random; }
  /// As drawn, for the plain loop.
  Particles<T>& plain_particles() { return reordered() ? drawn_ : mapped_; }
  Positions<T> positions();
  void sort();
  double additions_per_particle() const;
  std::int64_t particles_of(double additions) const; ///< that the plain loop maps with so many
  std::int64_t fullest_group();
  void expect_spread();
  void check_spread(const Call& call);
  void check_interpolate(const Call& call);
  void check_reorder();
  /// Of values on the host, for the plain loop, or where the calls reach them.
  template <class Columns, class Fields> std::vector<Spread<T>> spread_terms(Columns& columns, Fields& fields) {
    std::vector<Spread<T>> terms;
    for (int f = 0; f < work_.fields; ++f) terms.push_back({columns.column(f), field_of(work_, fields.column(f), f)});
    return terms;
  }
  template <class Fields, class Columns>
  std::vector<Interpolate<T>> interpolate_terms(Fields& source, Columns& columns) {
    std::vector<Interpolate<T>> terms;
    for (int f = 0; f < work_.fields; ++f) terms.push_back({field_of(work_, source.column(f), f), columns.column(f)});
    return terms;
  }

  /// What calls work on, where they reach it.
  struct There {
    Placed<T, E> position, value, results, fields, source, spare;
  };

  Workload work_;
  Grid grid_;
  KernelMaps<T> maps_;
  PlainLoop<T> plain_;
  CellOrder<T> order_;
  Particles<T> mapped_; ///< what the maps work on
  Particles<T> drawn_;  ///< unsorted ones for the plain loop, where mapped_ was brought into cell order
  Values<T> results_;   ///< what interpolation writes
  Values<T> fields_;    ///< what spread writes
  Values<T> source_;    ///< what interpolation reads; empty where none does
  Values<T> spare_;     ///< columns to read where the particles have less than six
  std::optional<There> there_;
  std::optional<Array<T>> stream_sums_;
  std::int64_t plain_size_; ///< particles that the plain loop is timed over

  struct Expected;
  std::shared_ptr<Expected> expected_; ///< fields_ as the plain loop has them; null before the first comparison
};

} // namespace corral::bench

#pragma once

#include "bench/scene/particles.hpp"
#include "bench/scene/plain_loop.hpp"
#include "bench/scene/workload.hpp"

#include <corral/cell_order.hpp>
#include <corral/interpolate.hpp>
#include <corral/method.hpp>
#include <corral/spread.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace corral::bench {

/// The engine's maps with a kernel chosen at run time.
template <class T> struct KernelMaps {
  int support = 0; ///< points per axis, of the wider kernel where a composite one has two
  std::function<void(const CellOrder<T>&, std::span<const Spread<T>>, Method)> spread;
  std::function<void(const CellOrder<T>&, std::span<const Interpolate<T>>, Method)> interpolate;
  /// Without an order.
  std::function<void(const Grid&, const Positions<T>&, std::span<const Spread<T>>, Method)> direct_spread;
  std::function<void(const Grid&, const Positions<T>&, std::span<const Interpolate<T>>, Method)> direct_interpolate;
};

/// Those of an execution. Throws Error where corral ships no kernel of that name.
template <class T, Execution E> KernelMaps<T> kernel_maps(std::string_view kernel);

/// A cube of cells around a particle, wrapped at the sides of the grid: the part of a workload over which a spread is
/// compared with the plain loop's where the whole would take that minutes.
class Neighbourhood {
public:
  /// The largest one that holds no more particles than `most`, but wide enough that at least 3 points an axis have the
  /// whole stencils of a kernel of so many points; the whole grid where all particles are no more.
  template <class T>
  Neighbourhood(const Workload& work, Particles<T>& particles, std::int64_t most, int support);

  bool whole() const { return whole_; }
  /// Particles that lie within, and their values.
  template <class T> Particles<T> within(Particles<T>& particles) const;
  /// Whether the neighbourhood holds every particle whose stencil has the point; of all staggerings.
  bool complete(const std::array<std::int64_t, 3>& point) const { return whole_ || around(point, reach_ - margin_); }

private:
  bool around(const std::array<std::int64_t, 3>& cell, std::int64_t reach) const;
  template <class T> bool holds(Particles<T>& particles, std::int64_t i) const;

  Workload work_; ///< without its calls
  std::array<std::int64_t, 3> centre_{};
  std::int64_t reach_ = 0, margin_; ///< [cells] to each side of the centre; of it, where points lack particles
  bool whole_;
};

/// How far numbers are from those that are expected.
class Comparison {
public:
  template <class T> void add(T value, T expected) {
    const double difference = std::abs(static_cast<double>(value) - static_cast<double>(expected));
    if (difference > difference_ || std::isnan(difference)) difference_ = difference; // a NaN counts, and stays
    largest_ = std::max(largest_, std::abs(static_cast<double>(expected)));
  }

  /// The largest difference, in units of the largest number expected; NaN where a number is.
  double relative() const { return difference_ == 0 ? 0 : difference_ / largest_; }

private:
  double difference_ = 0, largest_ = 0;
};

/// What round-off explains of `Comparison::relative` between two ways to map on a grid of at most `cells` cells along
/// an axis, where a result is the sum of at most `terms` numbers of one sign: a position in index space is known to
/// eps * cells, in either way; each addition errs by at most eps of the sum.
template <class T> double round_off(std::int64_t cells, std::int64_t terms) {
  constexpr double eps = std::numeric_limits<T>::epsilon();
  return 2 * eps * (8 + 4 * static_cast<double>(cells) + static_cast<double>(terms));
}

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

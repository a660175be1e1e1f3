#pragma once

#include <corral/cell_order.hpp>
#include <corral/grid.hpp>
#include <corral/method.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corral::bench {

/// Where the maps run: `Cpu{}` or `Gpu{}`, on the default stream.
enum class Backend : std::uint8_t { cpu, gpu };

/// Where the particles are; `particles.hpp` says how they are drawn.
enum class Distribution : std::uint8_t { uniform, clustered, sphere, one_cell };

/// How positions and columns lie in memory when the maps are called.
enum class ParticleOrder : std::uint8_t {
  sorted, ///< in cell order, after `reorder`: maps stream
  random, ///< as drawn: maps go through the order's permutation
  moved   ///< in cell order, but 5 % have since moved into a neighbouring cell
};

/// The points that the fields of a call stand on; `faces` is one field on each of the three face grids.
enum class Points : std::uint8_t { centre, node, face_x, face_y, face_z, faces };

enum class Precision : std::uint8_t { single_, double_ };

/// Whether the values of several fields or columns stand in arrays of their own or side by side, as complex ones do.
enum class Layout : std::uint8_t { separate, interleaved };

/// What is timed. sort_and_... begin with unsorted columns: one sort, then three maps through its permutation;
/// direct_... are the calls that take no order.
enum class Task : std::uint8_t {
  spread,
  interpolate,
  sort,
  reorder,
  sort_and_spread_3,
  sort_and_interpolate_3,
  direct_spread,
  direct_interpolate
};

/// What came right before a timed call.
enum class Start : std::uint8_t {
  warm,  ///< the same call, as in a loop over steps
  cold,  ///< a new order, which has no memory yet; for Task::sort
  rested ///< a time in which all threads slept
};
inline constexpr double rest = 0.03; // [s]

/// The words of an enumeration, in its order: `names<Task>[0]` is "spread".
template <class E> inline constexpr std::array<std::string_view, 0> names{};
template <> inline constexpr std::array<std::string_view, 2> names<Backend>{"cpu", "gpu"};
template <> inline constexpr std::array<std::string_view, 4> names<Distribution>{"uniform", "clustered", "sphere",
                                                                                 "one_cell"};
template <> inline constexpr std::array<std::string_view, 3> names<ParticleOrder>{"sorted", "random", "moved"};
template <>
inline constexpr std::array<std::string_view, 6> names<Points>{"centre", "node", "face_x", "face_y", "face_z", "faces"};
template <> inline constexpr std::array<std::string_view, 2> names<Precision>{"float", "double"};
template <> inline constexpr std::array<std::string_view, 2> names<Layout>{"separate", "interleaved"};
template <> inline constexpr std::array<std::string_view, 2> names<Offset>{"zero", "half"};
template <> inline constexpr std::array<std::string_view, 3> names<Start>{"warm", "cold", "rested"};
template <> inline constexpr std::array<std::string_view, 8> names<Task>{
    "spread",        "interpolate",        "sort",          "reorder",
    "sort+3_spread", "sort+3_interpolate", "direct_spread", "direct_interpolate"};

template <class E> constexpr std::string_view word(E e) { return names<E>[static_cast<std::size_t>(e)]; }

/// A figure of a row that something is demanded of.
enum class Figure : std::uint8_t {
  stream,     ///< at least this fraction of stream
  plain,      ///< at least so many times the rate of the plain loop
  plain_maps, ///< at most as long as so many spreads of the plain loop
  one_thread, ///< at least so many times the rate of the same call on one thread
  seconds,    ///< at most so many [s]
  rate        ///< at least so many particles per second
};

struct Target {
  Figure figure;
  double required;
  double aim = 0; ///< what would be better still; 0: not said
};

/// One timed call.
struct Call {
  Task task;
  Method method = Method::automatic;
  int threads = 1;
  std::vector<Target> targets{};
  Start start = Start::warm;
};

/// Synthetic particles on a periodic grid and the calls to be measured over them, the references between them.
struct Workload {
  Backend backend = Backend::cpu;
  std::array<std::int64_t, 3> cells{69, 69, 69};
  std::int64_t particles = 3'800'000;
  Distribution distribution = Distribution::uniform;
  ParticleOrder order = ParticleOrder::sorted;
  Offset offset = Offset::half; ///< of the cell order, along each axis
  std::string kernel = "linear";
  Points points = Points::centre;
  int fields = 3; ///< at most `max_fields`
  Precision precision = Precision::double_;
  Layout layout = Layout::separate;
  int repeats = 7; ///< timed calls, of which the median counts
  std::vector<Call> calls;
};

inline constexpr int max_fields = 12;

inline std::span<const Method> methods_of(Backend backend) {
  return backend == Backend::gpu ? all_methods(Gpu{}) : all_methods(Cpu{});
}

/// Whether the backend interpolates with that method.
inline bool interpolates_on(Backend backend, Method method) {
  if (backend == Backend::gpu) return runs_on(method, Gpu{}) && interpolates(method) && method != Method::tiles;
  return runs_on(method, Cpu{}) && interpolates(method);
}

/// Whether the backend has that method for particles without an order.
inline bool direct_on(Backend backend, Method method, bool interpolates) {
  if (method == Method::automatic) return true;
  if (backend == Backend::gpu) return method == (interpolates ? Method::stencils : Method::atomic);
  return method == Method::serial || (method == Method::atomic && !interpolates);
}

/// Whether a call's results are columns.
inline bool interpolates(Task task) {
  return task == Task::interpolate || task == Task::sort_and_interpolate_3 || task == Task::direct_interpolate;
}

/// The staggering of field f.
inline Staggering staggering(Points points, int f) {
  return points == Points::faces ? face(f) : static_cast<Staggering>(points);
}
static_assert(static_cast<int>(Points::face_z) == static_cast<int>(Staggering::face_z));

/// A measurement: medians in seconds, of the call and of the references that ran in turn with it.
struct Row {
  Workload work; ///< without its calls
  Call call;
  double seconds = 0;
  double plain_seconds = 0;      ///< of as many plain maps per particle as the call makes (of one spread, for a sort)
  double stream_seconds = 0;     ///< of reading six columns of as many particles: one thread, or the device
  double one_thread_seconds = 0; ///< of the same call with one thread; 0: not measured
  /// What as many threads as the call's gain in the same run where nothing is shared but the machine: in arithmetic
  /// without memory, and in reading the stream. 1 for one thread.
  double arithmetic_gain = 1, stream_gain = 1;
  std::string instruction_set{}; ///< what the vector code was dispatched to; of a GPU the device's name

  double particles_per_second() const { return static_cast<double>(work.particles) / seconds; }
  double value(Figure figure) const {
    switch (figure) {
    case Figure::stream: return stream_seconds / seconds;
    case Figure::plain: return plain_seconds / seconds;
    case Figure::plain_maps: return seconds / plain_seconds;
    case Figure::one_thread: return one_thread_seconds / seconds;
    case Figure::seconds: return seconds;
    case Figure::rate: return particles_per_second();
    }
    return 0;
  }
  bool meets(const Target& target) const {
    const bool at_most = target.figure == Figure::plain_maps || target.figure == Figure::seconds;
    return at_most ? value(target.figure) <= target.required : value(target.figure) >= target.required;
  }
  bool missed() const {
    return std::any_of(call.targets.begin(), call.targets.end(), [&](const Target& t) { return !meets(t); });
  }
};

} // namespace corral::bench

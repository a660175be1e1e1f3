#include "fluid/pressure/device/launch.cuh"
#include "fluid/pressure/device/solve_state.hpp"
#include "fluid/pressure/device/sums.cuh"
#include "fluid/pressure/device/views.hpp"
#include "fluid/pressure/thin_axes.t.hpp"

#include <cmath>

/// Parts of the grid that nothing pins, on a device: their labels by joining cells, their means by whole numbers.
namespace corral::fluid {
namespace {

constexpr unsigned all_lanes = 0xFFFFFFFFu, is_pinned = 0x80000000u;
constexpr int pinned = PressureComponents::pinned, blocked = PressureComponents::blocked;

__global__ void __launch_bounds__(cell_threads, 1) add_faces_global(std::uint32_t cells, const double* faces,
                                                                    const double* before, double* diagonal) {
  by_grid(cells, [&](std::uint32_t c) { diagonal[c] = (before ? before[c] : 0.0) + (faces[2 * c] + faces[2 * c + 1]); });
}

struct Parts {
  std::int32_t* label; ///< while cells are joined: a cell of the same part that is not behind this one
  unsigned* members;
  MeansState* state;
};

/// Each cell alone. Where all that is open has a diagonal, nothing needs to be joined.
__global__ void __launch_bounds__(cell_threads, 1) part_cells_global(const EquationView e, const Parts parts, bool all_pinned) {
  if (blockIdx.x == 0 && threadIdx.x == 0) parts.state->parts = 0;
  by_grid(e.cells, [&](std::uint32_t cell) {
    const CellOfEquation c(e, cell);
    const FaceBits f = bits_of_faces(e, c);
    const bool closed = (f.positive & ~f.itself) == 0 && !(e.diagonal && e.diagonal[cell] > 0);
    parts.label[cell] = closed ? blocked : all_pinned ? pinned : static_cast<std::int32_t>(cell);
    parts.members[cell] = 0;
  });
}

/// While others write.
__device__ inline int read(int* label) { return atomicAdd(label, 0); }

__device__ inline int first_of(int* label, int cell) {
  for (int next = read(label + cell); next != cell; next = read(label + cell)) cell = next;
  return cell;
}

/// The larger first cell of two parts gets the smaller one as its label. Labels only fall, and the part's first cell is
/// what they end with, whatever the order.
__device__ inline void join_parts(int* label, int a, int b) {
  for (;;) {
    a = first_of(label, a);
    b = first_of(label, b);
    if (a == b) return;
    const int low = a < b ? a : b, high = a < b ? b : a;
    const int before = atomicMin(label + high, low);
    if (before == high) return;
    a = low;
    b = before; // somebody has joined it meanwhile
  }
}

__global__ void __launch_bounds__(cell_threads, 1) join_cells_global(const EquationView e, const Parts parts) {
  by_grid(e.cells, [&](std::uint32_t cell) {
    const CellOfEquation c(e, cell);
    const FaceBits f = bits_of_faces(e, c);
    const unsigned joined = f.positive & ~f.itself & ~f.outside;
#pragma unroll
    for (unsigned lower = 0; lower < 6; lower += 2)
      if ((joined >> lower & 1) != 0)
        join_parts(parts.label, static_cast<int>(cell), static_cast<int>(c.neighbour[lower]));
  });
}

/// Calls f(lanes, is_first) once for each value >= 0 that lanes of the warp have, by those that have it.
template <class F> __device__ inline void by_label(int label, F f) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned same = __match_any_sync(all_lanes, label);
  f(same, label >= 0 && static_cast<unsigned>(__ffs(static_cast<int>(same))) == lane + 1);
}

/// Whole warps go round, for they count together.
template <class F> __device__ inline void by_warps(std::uint32_t n, F f) {
  const std::uint32_t step = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  for (std::uint32_t t = first; t - threadIdx.x % 32 < n; t += step) f(t, t < n);
}

__global__ void __launch_bounds__(cell_threads, 1) count_members_global(const EquationView e, const Parts parts) {
  by_warps(e.cells, [&](std::uint32_t cell, bool exists) {
    int first = -1;
    bool pins = false;
    if (exists && read(parts.label + cell) >= 0) {
      const CellOfEquation c(e, cell);
      const FaceBits f = bits_of_faces(e, c);
      first = first_of(parts.label, static_cast<int>(cell));
      atomicMin(parts.label + cell, first);
      pins = (f.positive & f.outside) != 0 || (e.diagonal && e.diagonal[cell] > 0);
    }
    const unsigned pinning = __ballot_sync(all_lanes, pins ? 1 : 0);
    by_label(first, [&](unsigned lanes, bool is_first) {
      if (!is_first) return;
      atomicAdd(parts.members + first, static_cast<unsigned>(__popc(lanes)));
      if ((lanes & pinning) != 0) atomicOr(parts.members + first, is_pinned);
    });
  });
}

__global__ void __launch_bounds__(cell_threads, 1) settle_labels_global(std::uint32_t cells, const Parts parts) {
  by_grid(cells, [&](std::uint32_t cell) {
    const int label = parts.label[cell];
    if (label < 0) return;
    if ((parts.members[label] & is_pinned) != 0) parts.label[cell] = pinned;
    else if (label == static_cast<int>(cell)) atomicExch(&parts.state->parts, 1);
  });
}

// Means

__global__ void __launch_bounds__(sum_threads, blocks_that_sum)
    sum_values_global(const PhaseGate gate, const double* values, const SumView<MeansSum> sums, MeansState* state) {
  if (gate.closed()) return;
  sum_cells(sums, [&](std::uint32_t c, MeansSum& s) { s.sum += values[c]; },
            [&](const MeansSum& total) { state->mean = total.sum / static_cast<double>(sums.n); });
}

__global__ void __launch_bounds__(cell_threads, 1)
    subtract_mean_global(const PhaseGate gate, std::uint32_t cells, const MeansState* state, double* values) {
  if (gate.closed()) return;
  const double mean = state->mean;
  by_grid(cells, [&](std::uint32_t c) { values[c] -= mean; });
}

struct PartSums {
  const std::int32_t* label;
  const unsigned* members;
  unsigned long long *high, *low;
  MeansState* state;
};

/// The power of two above all values, and sums of parts that begin with 0.
__global__ void __launch_bounds__(sum_threads, blocks_that_sum)
    find_fraction_global(const PhaseGate gate, const PartSums p, const double* values, const SumView<MeansSum> sums) {
  if (gate.closed() || p.state->parts == 0) return;
  sum_cells(sums,
            [&](std::uint32_t c, MeansSum& most) {
              const int label = p.label[c];
              if (label == static_cast<int>(c)) p.high[c] = p.low[c] = 0;
              if (label >= 0) most += MeansSum{0, fabs(values[c])};
            },
            [&](const MeansSum& most) {
              int exponent = 0;
              frexp(most.largest, &exponent);
              p.state->fraction = ldexp(1.0, exponent < -900 ? -900 : exponent);
            });
}

/// A value as high 2^-30 + low 2^-61 of the fraction, so exactly that no double could tell.
struct WholeNumber {
  long long high = 0, low = 0;
  __device__ void add(double value, double per_fraction) {
    const double scaled = value * per_fraction * 1073741824.0, whole = rint(scaled);
    if (!(fabs(whole) <= 1073741824.0)) return; // not finite, as the solution will be
    high += static_cast<long long>(whole);
    low += static_cast<long long>(rint((scaled - whole) * 2147483648.0));
  }
};

__device__ inline void add_to_part(const PartSums& p, int label, const WholeNumber& own, unsigned lanes, bool is_first) {
  WholeNumber sum;
  for (unsigned from = 0; from < 32; ++from) { // all lanes bring theirs, and each label takes its own
    const long long high = __shfl_sync(all_lanes, own.high, static_cast<int>(from));
    const long long low = __shfl_sync(all_lanes, own.low, static_cast<int>(from));
    if ((lanes >> from & 1) != 0) sum.high += high, sum.low += low;
  }
  if (!is_first) return;
  atomicAdd(p.high + label, static_cast<unsigned long long>(sum.high));
  atomicAdd(p.low + label, static_cast<unsigned long long>(sum.low));
}

constexpr std::uint32_t cells_of_a_lane = 8;

__global__ void __launch_bounds__(cell_threads, 1)
    sum_parts_global(const PhaseGate gate, const PartSums p, std::uint32_t cells, const double* values) {
  if (gate.closed() || p.state->parts == 0) return;
  const double per_fraction = 1.0 / p.state->fraction;
  const std::uint32_t lane = threadIdx.x % 32;
  by_warps((cells + cells_of_a_lane - 1) / cells_of_a_lane, [&](std::uint32_t t, bool) {
    const std::uint32_t first = (t - lane) * cells_of_a_lane + lane;
    int current = -1;
    WholeNumber sum;
    const auto hand_over = [&] {
      by_label(current, [&](unsigned lanes, bool is_first) { add_to_part(p, current, sum, lanes, is_first); });
      sum = {};
    };
    for (std::uint32_t step = 0; step < cells_of_a_lane; ++step) {
      const std::uint32_t c = first + 32 * step;
      const int label = c < cells ? p.label[c] : -1;
      if (__any_sync(all_lanes, label >= 0 && current >= 0 && label != current ? 1 : 0)) {
        hand_over();
        current = -1;
      }
      if (label < 0) continue;
      current = label;
      sum.add(values[c], per_fraction);
    }
    if (__any_sync(all_lanes, current >= 0 ? 1 : 0)) hand_over();
  });
}

__global__ void __launch_bounds__(cell_threads, 1)
    subtract_means_global(const PhaseGate gate, const PartSums p, std::uint32_t cells, double* values) {
  if (gate.closed()) return;
  by_grid(cells, [&](std::uint32_t c) {
    const int label = p.label[c];
    if (label == blocked) values[c] = 0;
    if (label < 0) return;
    const double high = static_cast<double>(static_cast<long long>(p.high[label]));
    const double low = static_cast<double>(static_cast<long long>(p.low[label]));
    const double sum = p.state->fraction * (high / 1073741824.0 + low / 2305843009213693952.0);
    values[c] -= sum / static_cast<double>(p.members[label]);
  });
}

} // namespace

template FaceCoefficients ThinAxes::permuted(Gpu, const FaceCoefficients&);

/// Without a look whether there is anything to be added: that would be waited for.
void ThinAxes::add_faces(Gpu gpu, const double* faces, FaceCoefficients& moved) {
  const std::int64_t count = cells_[0] * cells_[1] * cells_[2];
  diagonal_.resize(count);
  check(CORRAL_LAUNCH(add_faces_global, blocks_of(count), cell_threads, 0, gpu.stream, static_cast<std::uint32_t>(count),
                      faces, moved.diagonal, diagonal_.data()),
        "coefficients of a thin axis");
  moved.diagonal = diagonal_.data();
}

void PressureComponents::update(Gpu gpu, const FaceCoefficients& a, const PressurePattern& now) {
  if (known_ && now == pattern_) return;
  pattern_ = now;
  known_ = true;
  whole_ = now.whole();
  const EquationView e(cells_, periodic_, a);
  means_sum_.resize(e.cells, most_blocks_that_sum());
  means_state_.resize(1);
  label_.resize(now.has_parts() ? e.cells : 0);
  if (label_.empty()) return;
  members_.resize(e.cells);
  constexpr const char* what = "parts of the pressure equation";
  const Parts parts{label_.data(), members_.data(), means_state_.data()};
  const auto launch = [&](auto entry, const auto&... given) {
    check(CORRAL_LAUNCH(entry, blocks_of(e.cells), cell_threads, 0, gpu.stream, given...), what);
  };
  launch(part_cells_global, e, parts, now.unpinned == 0);
  if (now.unpinned == 0) return;
  launch(join_cells_global, e, parts);
  launch(count_members_global, e, parts);
  launch(settle_labels_global, e.cells, parts);
}

void PressureComponents::remove_means(Gpu gpu, double* values, const PhaseGate& gate,
                                      Array<unsigned long long>& totals) {
  if (nothing_to_remove()) return;
  constexpr const char* what = "means of parts of the pressure equation";
  const auto cells = static_cast<std::uint32_t>(cells_[0] * cells_[1] * cells_[2]);
  const unsigned of_sum = means_sum_.blocks();
  constexpr std::size_t shared = sum_threads * sizeof(MeansSum);
  MeansState* const state = means_state_.data();
  if (whole_) {
    check(CORRAL_LAUNCH(sum_values_global, of_sum, sum_threads, shared, gpu.stream, gate, values, means_sum_.view(), state),
          what);
    check(CORRAL_LAUNCH(subtract_mean_global, blocks_of(cells), cell_threads, 0, gpu.stream, gate, cells, state, values),
          what);
    return;
  }
  const PartSums p{label_.data(), members_.data(), totals.data(), totals.data() + cells, state};
  if (pattern_.unpinned > 0) {
    check(CORRAL_LAUNCH(find_fraction_global, of_sum, sum_threads, shared, gpu.stream, gate, p, values, means_sum_.view()),
          what);
    check(CORRAL_LAUNCH(sum_parts_global, blocks_of((cells + cells_of_a_lane - 1) / cells_of_a_lane), cell_threads, 0,
                        gpu.stream, gate, p, cells, values),
          what);
  }
  check(CORRAL_LAUNCH(subtract_means_global, blocks_of(cells), cell_threads, 0, gpu.stream, gate, p, cells, values), what);
}

} // namespace corral::fluid

#pragma once

/// What the method towers reads of particles, written by the kernel itself: weights need not pass through memory first.

#include <corral/device_code.cuh>
#include <corral/kernel_weights.hpp>
#include <corral/views.hpp>

#include <cstdint>
#include <string>

namespace corral::detail {

inline constexpr int record_threads = 64; ///< of a block: 34 KB of shared memory for records of 17 points and 12 fields
inline constexpr int most_record_fields = 12;

/// Records of n particles in cell order, one behind the other, `size` doubles each: the cell along x and y as two
/// integers, `points` weights along each axis, values: of floats, too. A kernel writes the weights of some axes;
/// `whole`: and the rest. Fractions and values are floats or doubles, told by a flag: an entry a kernel serves both.
struct RecordJob {
  struct Values {
    const void* data;
    std::int64_t stride;
  };


  std::int64_t n;
  std::uint32_t cells, per_axis[2]; ///< all of them; along x and y
  const std::uint32_t* cell;        ///< of each particle; `cells` and more: nowhere
  const std::uint32_t* source;      ///< its place in the caller's columns; null: its own
  bool single;                      ///< particles have floats
  const void* u[3];                 ///< in [0, 1], of the particle within its cell
  bool thin[3], straddled[3];       ///< as shared::AxisSupport has them
  bool axis[3], whole;              ///< what is written
  int points, values, size;         ///< points: weights along an axis; values: where these begin
  int fields;
  Values column[most_record_fields];
  double* record;

  __device__ double number(const void* numbers, std::int64_t i) const {
    return single ? static_cast<double>(static_cast<const float*>(numbers)[i]) : static_cast<const double*>(numbers)[i];
  }
};

/// All weights along axis d, zeros where the particle's own stencil does not reach.
template <class K>
__device__ void write_weights(const K& kernel, const RecordJob& job, int d, std::int64_t i, double* w) {
  for (int j = 0; j < job.points; ++j) w[j] = 0;
  if (job.thin[d]) {
    w[0] = 1;
    return;
  }
  const double u = job.number(job.u[d], i), centre = K::support % 2 == 1 ? 0.5 : 0.0;
  const int lead = job.straddled[d] && u >= 0.5 ? 1 : 0; // shared::stencil_position
  const double shift = !job.straddled[d] ? 0.0 : lead == 1 ? -0.5 : 0.5;
  double own[K::support];
  kernel.weights(u + shift - centre, own);
  for (int j = 0; j < K::support; ++j) w[lead + j] = own[j];
}

/// A thread a particle; records leave through shared memory, so that neighbours write one behind the other.
template <class K>
__global__ void __launch_bounds__(record_threads, 1)
    records_global(K kernel, const __grid_constant__ RecordJob job) {
  CORRAL_DYNAMIC_SHARED(double, staged);
  const std::int64_t first = std::int64_t{blockIdx.x} * record_threads, i = first + threadIdx.x;
  double* const mine = staged + threadIdx.x * static_cast<unsigned>(job.size);
  const bool exists = i < job.n && job.cell[i < job.n ? i : 0] < job.cells;
  if (exists) {
    const std::uint32_t cell = job.cell[i], x = cell % job.per_axis[0], y = cell / job.per_axis[0] % job.per_axis[1];
    mine[0] = __longlong_as_double(static_cast<long long>(std::uint64_t{y} << 32 | x));
#pragma unroll 1 // one copy of the kernel's code
    for (int d = 0; d < 3; ++d)
      if (job.axis[d])
        write_weights(kernel, job, d, i, mine + 1 + d * job.points);
      else
        for (int j = 0; j < job.points; ++j) mine[1 + d * job.points + j] = 0;
    const std::int64_t source = job.source == nullptr ? i : job.source[i];
    for (int f = 0; f < job.fields; ++f) mine[job.values + f] = job.number(job.column[f].data, source * job.column[f].stride);
  }
  for (int m = exists ? job.values + job.fields : 0; m < job.size; ++m) mine[m] = 0; // nobody reads what has no cell
  __syncthreads();
  const int here = job.n - first < record_threads ? static_cast<int>(job.n - first) : record_threads;
  double* const to = job.record + first * job.size;
  for (int m = static_cast<int>(threadIdx.x); m < here * job.size; m += record_threads) {
    const int number = m % job.size, d = (number - 1) / job.points;
    if (job.whole || (number > 0 && d < 3 && job.axis[d])) to[m] = staged[m];
  }
}

template <class K> void write_records(Gpu gpu, const void* kernel, const RecordJob& job) {
  const auto blocks = static_cast<unsigned>((job.n + record_threads - 1) / record_threads);
  const std::size_t bytes = sizeof(double) * record_threads * static_cast<std::size_t>(job.size);
  check_cuda(CORRAL_LAUNCH((records_global<K>), blocks, record_threads, bytes, gpu.stream,
                           *static_cast<const K*>(kernel), job),
             ("the records of " + std::string(K::name)).c_str());
}

} // namespace corral::detail

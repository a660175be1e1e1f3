#include "engine/gpu/methods/cell_sums.cuh"

namespace corral::gpu {
namespace {

/// What group `group` has left for number n; a crowd of many tiles in their order.
template <class T>
__device__ T number_of_cell(const Places<T>& places, const CellSums<T>& cells, std::uint32_t group, int numbers, int n) {
  T sum = cells.sums[std::int64_t{n} * places.groups + group];
  if (cells.carried == nullptr) return sum;
  const std::uint32_t last = (places.begin[group + 1] - 1) >> cells.tile_bits;
  for (std::uint32_t t = (places.begin[group] >> cells.tile_bits) + 1; t <= last; ++t)
    sum += cells.carried[std::int64_t{t} * numbers + n];
  return sum;
}

/// Adds to sum[f] what all groups have left for a padded point.
template <class T>
__device__ void add_point(const Places<T>& places, const CellSums<T>& cells, int fields, const std::int64_t (&point)[3],
                          T sign, T (&sum)[4]) {
  const int points = cells.points[0] * cells.points[1] * cells.points[2];
  T of_point[4] = {};
  for (int c = 0; c < cells.points[2]; ++c)
    for (int b = 0; b < cells.points[1]; ++b)
      for (int a = 0; a < cells.points[0]; ++a) {
        const std::int64_t gx = point[0] - a, gy = point[1] - b, gz = point[2] - c;
        if (gx < 0 || gy < 0 || gz < 0 || gx >= places.per_axis[0] || gy >= places.per_axis[1] || gz >= places.per_axis[2])
          continue;
        const int number = a * cells.step[0] + b * cells.step[1] + c * cells.step[2];
        const auto group = static_cast<std::uint32_t>((gz * places.per_axis[1] + gy) * places.per_axis[0] + gx);
        if (places.begin[group] == places.begin[group + 1]) continue; // nobody may have looked at it
#pragma unroll
        for (int f = 0; f < 4; ++f)
          if (f < fields)
            of_point[f] += number_of_cell(places, cells, group, points * fields, f * points + number);
      }
#pragma unroll
  for (int f = 0; f < 4; ++f) sum[f] += sign * of_point[f];
}

/// A thread per point of the fields, or ghost, that anything is added to.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    add_cells_global(const __grid_constant__ PaddedField layout, const __grid_constant__ Places<T> places,
                     const __grid_constant__ CellSums<T> cells, const __grid_constant__ FieldsOfBlock<T> fields) {
  const PaddedAxis &x = layout.axis[0], &y = layout.axis[1], &z = layout.axis[2];
  if (thread_number() >= x.targets * y.targets * z.targets) return;
  const auto n = static_cast<std::uint32_t>(thread_number()), nx = static_cast<std::uint32_t>(x.targets),
             ny = static_cast<std::uint32_t>(y.targets);
  const std::int64_t i = x.first_target + n % nx, j = y.first_target + n / nx % ny, k = z.first_target + n / nx / ny;
  T sum[4] = {};
  z.for_each_source(k, [&](std::int64_t pz, int sign_z) {
    y.for_each_source(j, [&](std::int64_t py, int sign_y) {
      x.for_each_source(i, [&](std::int64_t px, int sign_x) {
        add_point(places, cells, fields.count, {px, py, pz}, static_cast<T>(sign_x * sign_y * sign_z), sum);
      });
    });
  });
#pragma unroll
  for (int f = 0; f < 4; ++f)
    if (f < fields.count) fields.view[f](i, j, k) += sum[f];
}

} // namespace

template <class T>
void add_cells(cudaStream_t stream, const PaddedField& layout, const Places<T>& places, const CellSums<T>& cells,
               const FieldsOfBlock<T>& fields) {
  const std::int64_t targets = layout.axis[0].targets * layout.axis[1].targets * layout.axis[2].targets;
  check(CORRAL_LAUNCH((add_cells_global<T>), blocks_for(targets, tuning::range_threads), tuning::range_threads, 0, stream,
                      layout, places, cells, fields),
        "adding the sums of cells");
}

template void add_cells(cudaStream_t, const PaddedField&, const Places<float>&, const CellSums<float>&,
                        const FieldsOfBlock<float>&);
template void add_cells(cudaStream_t, const PaddedField&, const Places<double>&, const CellSums<double>&,
                        const FieldsOfBlock<double>&);

} // namespace corral::gpu

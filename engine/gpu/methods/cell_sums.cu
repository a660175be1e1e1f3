#include "engine/gpu/methods/cell_sums.cuh"

namespace corral::gpu {
namespace {

template <class T> struct Collected {
  T* padded[4];
};

template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    collect_global(PaddedField layout, Places<T> places, const T* sums, int x, int y, int z, int fields,
                   Collected<T> to) {
  const std::int64_t n = thread_number();
  if (n >= layout.size) return;
  std::uint32_t point[3];
  layout.point(static_cast<std::uint32_t>(n), point);
  const int points = x * y * z;
  T sum[4] = {};
  for (unsigned c = 0; c < static_cast<unsigned>(z); ++c)
    for (unsigned b = 0; b < static_cast<unsigned>(y); ++b)
      for (unsigned a = 0; a < static_cast<unsigned>(x); ++a) {
        const std::uint32_t gx = point[0] - a, gy = point[1] - b, gz = point[2] - c; // below 0: beyond all groups
        if (gx >= places.per_axis[0] || gy >= places.per_axis[1] || gz >= places.per_axis[2]) continue;
        const std::int64_t group = (gz * places.per_axis[1] + gy) * places.per_axis[0] + gx;
        const T* const of_point = sums + group * points * fields + (c * y + b) * x + a;
        for (int f = 0; f < 4; ++f)
          if (f < fields) sum[f] += of_point[f * points];
      }
  for (int f = 0; f < 4; ++f)
    if (f < fields) to.padded[f][n] = sum[f];
}

} // namespace

template <class T>
void collect(cudaStream_t stream, const PaddedField& layout, const Places<T>& places, const T* sums,
             std::array<int, 3> shape, int fields, T* const* padded) {
  Collected<T> to{};
  std::copy(padded, padded + fields, to.padded);
  check(CORRAL_LAUNCH((collect_global<T>), blocks_for(layout.size, tuning::range_threads), tuning::range_threads, 0,
                      stream, layout, places, sums, shape[0], shape[1], shape[2], fields, to),
        "collecting the sums of cells");
}

template void collect(cudaStream_t, const PaddedField&, const Places<float>&, const float*, std::array<int, 3>, int,
                      float* const*);
template void collect(cudaStream_t, const PaddedField&, const Places<double>&, const double*, std::array<int, 3>, int,
                      double* const*);

} // namespace corral::gpu

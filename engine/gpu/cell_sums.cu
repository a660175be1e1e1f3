#include "engine/gpu/cell_sums.cuh"

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
  const int i = static_cast<int>(point[0]), j = static_cast<int>(point[1]), k = static_cast<int>(point[2]);
  const int points = x * y * z;
  T sum[4] = {};
  for (int c = 0; c < z; ++c)
    for (int b = 0; b < y; ++b)
      for (int a = 0; a < x; ++a) {
        if (i < a || j < b || k < c) continue;
        const auto gx = static_cast<std::uint32_t>(i - a), gy = static_cast<std::uint32_t>(j - b),
                   gz = static_cast<std::uint32_t>(k - c);
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

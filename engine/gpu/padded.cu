#include "engine/gpu/padded.cuh"
#include "engine/gpu/tuning.cuh"

#include <algorithm>
#include <limits>

namespace corral::gpu {

PaddedAxis PaddedAxis::of(const Axis& axis, const shared::AxisSupport& support, bool points_on_faces, int wall_sign) {
  PaddedAxis a;
  a.axis = axis;
  a.support = support;
  a.wall_sign = wall_sign;
  a.points = axis.points(points_on_faces);
  a.padded = support.padded_points();
  std::int64_t last_target = a.points - 1;
  for (std::int64_t p = 0; p < a.padded; ++p) {
    const std::int64_t index = support.first + p;
    if (index >= 0 && index < a.points) { // a point of the field itself
      p = a.points - 1 - support.first;
      continue;
    }
    const shared::FoldedPoint point = shared::fold(axis, points_on_faces, wall_sign, index);
    a.first_target = std::min(a.first_target, point.index);
    last_target = std::max(last_target, point.index);
    a.margin = std::max(a.margin, index < 0 ? -index : index - (a.points - 1));
  }
  a.targets = last_target - a.first_target + 1;
  return a;
}

PaddedField PaddedField::of(const Grid& grid, const shared::FieldSupport& support, Staggering staggering,
                            std::array<Sign, 3> wall_sign) {
  PaddedField f{};
  f.size = 1;
  for (int d = 0; d < 3; ++d) {
    f.axis[d] = PaddedAxis::of(grid.axis(d), support.axis[d], on_face(staggering, d), static_cast<int>(wall_sign[d]));
    f.stride[d] = f.size;
    f.size *= f.axis[d].padded;
    if (f.size > std::numeric_limits<std::uint32_t>::max())
      throw Error("a field of more than 2^32 points on one device (share the grid among devices)");
  }
  return f;
}

namespace {

/// A thread per point of the fields, or ghost, that anything is added to: each collects what stands for it in a fixed
/// order.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    fold_global(PaddedField layout, const T* padded, FieldsOfBlock<T> fields) {
  const PaddedAxis &x = layout.axis[0], &y = layout.axis[1], &z = layout.axis[2];
  if (thread_number() >= x.targets * y.targets * z.targets) return;
  const auto n = static_cast<std::uint32_t>(thread_number()), nx = static_cast<std::uint32_t>(x.targets),
             ny = static_cast<std::uint32_t>(y.targets);
  const std::int64_t i = x.first_target + n % nx, j = y.first_target + n / nx % ny, k = z.first_target + n / nx / ny;
  T sum[4] = {};
  z.for_each_source(k, [&](std::int64_t pz, int sign_z) {
    y.for_each_source(j, [&](std::int64_t py, int sign_y) {
      x.for_each_source(i, [&](std::int64_t px, int sign_x) {
        const T* const source = padded + px + py * layout.stride[1] + pz * layout.stride[2];
        const T sign = sign_x * sign_y * sign_z > 0 ? T(1) : T(-1);
#pragma unroll
        for (int f = 0; f < 4; ++f)
          if (f < fields.count) sum[f] += sign * source[f * layout.size];
      });
    });
  });
#pragma unroll
  for (int f = 0; f < 4; ++f)
    if (f < fields.count) fields.view[f](i, j, k) += sum[f];
}

template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    fill_global(PaddedField layout, FieldsOfBlock<const T> fields, T* padded) {
  const std::int64_t n = thread_number();
  if (n >= layout.size) return;
  std::uint32_t point[3];
  layout.point(static_cast<std::uint32_t>(n), point);
  const shared::FoldedPoint i = layout.axis[0].meaning(point[0]), j = layout.axis[1].meaning(point[1]),
                            k = layout.axis[2].meaning(point[2]);
  const int sign = i.sign * j.sign * k.sign;
#pragma unroll
  for (int f = 0; f < 4; ++f)
    if (f < fields.count)
      padded[n + f * layout.size] = sign == 0 ? T(0) : static_cast<T>(sign) * fields.view[f](i.index, j.index, k.index);
}

} // namespace

template <class T>
void fold(cudaStream_t stream, const PaddedField& layout, const T* padded, const FieldsOfBlock<T>& fields) {
  const std::int64_t targets = layout.axis[0].targets * layout.axis[1].targets * layout.axis[2].targets;
  check(CORRAL_LAUNCH((fold_global<T>), blocks_for(targets, tuning::range_threads), tuning::range_threads, 0, stream,
                      layout, padded, fields),
        "folding fields");
}
template <class T>
void fill(cudaStream_t stream, const PaddedField& layout, const FieldsOfBlock<const T>& fields, T* padded) {
  check(CORRAL_LAUNCH((fill_global<T>), blocks_for(layout.size, tuning::range_threads), tuning::range_threads, 0,
                      stream, layout, fields, padded),
        "filling fields");
}

template void fold(cudaStream_t, const PaddedField&, const float*, const FieldsOfBlock<float>&);
template void fold(cudaStream_t, const PaddedField&, const double*, const FieldsOfBlock<double>&);
template void fill(cudaStream_t, const PaddedField&, const FieldsOfBlock<const float>&, float*);
template void fill(cudaStream_t, const PaddedField&, const FieldsOfBlock<const double>&, double*);

} // namespace corral::gpu

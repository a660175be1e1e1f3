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
  const bool beyond = support.first < 0 || support.first + a.padded > a.points;
  a.alone[0] = (beyond ? a.margin + 1 : 0) - a.first_target;
  a.alone[1] = (beyond ? a.points - 1 - a.margin : a.points) - a.first_target;
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

/// Points of a box, or of its shell: those that do not lie within a smaller box. Numbered: slabs at the two ends of z, then
/// of y between these, then of x between those.
struct Shell {
  std::int64_t all[3], low[3], high[3]; ///< without [low, high) along each axis at once
  std::int64_t upto_z, upto_y, upto_x;  ///< numbers

  /// Where some [low, high) is empty there is no smaller box.
  Shell(const std::int64_t (&n)[3], const std::int64_t (&inner_low)[3], const std::int64_t (&inner_high)[3]) {
    bool between = true;
    for (int d = 0; d < 3; ++d) between = between && inner_low[d] < inner_high[d];
    for (int d = 0; d < 3; ++d) {
      all[d] = n[d];
      low[d] = between ? inner_low[d] : all[d]; // else all of them lie in the first slab
      high[d] = between ? inner_high[d] : all[d];
    }
    upto_z = outside(2) * all[0] * all[1];
    upto_y = upto_z + inside(2) * outside(1) * all[0];
    upto_x = upto_y + inside(2) * inside(1) * outside(0);
  }
  CORRAL_HOST_DEVICE std::int64_t inside(int d) const { return high[d] - low[d]; }
  CORRAL_HOST_DEVICE std::int64_t outside(int d) const { return all[d] - inside(d); }

  /// Where point n lies. 32-bit numbers: divisions of 64 bits cost a device dearly.
  __device__ void at(std::int64_t number, std::int64_t (&along)[3]) const {
    const int slab = number < upto_z ? 2 : number < upto_y ? 1 : 0; // its axis
    const auto n = static_cast<std::uint32_t>(number - (slab == 2 ? 0 : slab == 1 ? upto_z : upto_y));
    const auto nx = static_cast<std::uint32_t>(slab == 0 ? outside(0) : all[0]),
               ny = static_cast<std::uint32_t>(slab == 0   ? inside(1)
                                               : slab == 1 ? outside(1)
                                                           : all[1]);
    along[0] = n % nx;
    along[1] = n / nx % ny;
    along[2] = n / nx / ny;
#pragma unroll
    for (int d = 0; d < 3; ++d) // no index known at run time: they stay in registers
      if (d > slab)
        along[d] += low[d];
      else if (d == slab && along[d] >= low[d])
        along[d] += inside(d);
  }
};

/// Targets of a fold: all of them, or those within reach of an end, since more than themselves stands for these.
Shell targets_of(const PaddedField& layout, bool only_near_ends) {
  std::int64_t all[3], low[3], high[3];
  for (int d = 0; d < 3; ++d) {
    const PaddedAxis& axis = layout.axis[d];
    all[d] = axis.targets;
    low[d] = only_near_ends ? axis.alone[0] : all[d];
    high[d] = only_near_ends ? axis.alone[1] : all[d];
  }
  return {all, low, high};
}

/// Padded points: all of them, or those that are not the field's own.
Shell points_of(const PaddedField& layout, bool only_beyond) {
  std::int64_t all[3], low[3], high[3];
  for (int d = 0; d < 3; ++d) {
    const PaddedAxis& axis = layout.axis[d];
    all[d] = axis.padded;
    low[d] = only_beyond ? std::max<std::int64_t>(0, -axis.support.first) : all[d];
    high[d] = only_beyond ? std::min(axis.padded, axis.points - axis.support.first) : all[d];
  }
  return {all, low, high};
}

/// A thread per point of the fields, or ghost, that anything is added to: each collects what stands for it in a fixed
/// order.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    fold_global(const __grid_constant__ PaddedField layout, const T* padded,
                const __grid_constant__ FieldsOfBlock<T> fields, const __grid_constant__ Shell targets, bool themselves) {
  const PaddedAxis &x = layout.axis[0], &y = layout.axis[1], &z = layout.axis[2];
  if (thread_number() >= targets.upto_x) return;
  std::int64_t along[3];
  targets.at(thread_number(), along);
  const std::int64_t i = x.first_target + along[0], j = y.first_target + along[1], k = z.first_target + along[2];
  T sum[4] = {};
  z.for_each_source(k, [&](std::int64_t pz, int sign_z) {
    y.for_each_source(j, [&](std::int64_t py, int sign_y) {
      x.for_each_source(i, [&](std::int64_t px, int sign_x) {
        if (!themselves && x.of_field(px) && y.of_field(py) && z.of_field(pz)) return;
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
    fill_global(const __grid_constant__ PaddedField layout, const __grid_constant__ FieldsOfBlock<const T> fields,
                const __grid_constant__ Shell points, T* padded) {
  if (thread_number() >= points.upto_x) return;
  std::int64_t point[3];
  points.at(thread_number(), point);
  const std::int64_t n = point[0] + point[1] * layout.stride[1] + point[2] * layout.stride[2];
  const shared::FoldedPoint i = layout.axis[0].meaning(point[0]), j = layout.axis[1].meaning(point[1]),
                            k = layout.axis[2].meaning(point[2]);
  const int sign = i.sign * j.sign * k.sign;
#pragma unroll
  for (int f = 0; f < 4; ++f)
    if (f < fields.count)
      padded[n + f * layout.size] = sign == 0 ? T(0) : static_cast<T>(sign) * fields.view[f](i.index, j.index, k.index);
}

template <class T>
void fill_points(cudaStream_t stream, const PaddedField& layout, const FieldsOfBlock<const T>& fields, T* padded,
                 bool only_beyond) {
  const Shell points = points_of(layout, only_beyond);
  if (points.upto_x == 0) return;
  check(CORRAL_LAUNCH((fill_global<T>), blocks_for(points.upto_x, tuning::range_threads), tuning::range_threads, 0,
                      stream, layout, fields, points, padded),
        "filling fields");
}

template <class T>
void fold_targets(cudaStream_t stream, const PaddedField& layout, const T* padded, const FieldsOfBlock<T>& fields,
                  bool themselves) {
  const Shell targets = targets_of(layout, !themselves);
  if (targets.upto_x == 0) return;
  check(CORRAL_LAUNCH((fold_global<T>), blocks_for(targets.upto_x, tuning::range_threads), tuning::range_threads, 0,
                      stream, layout, padded, fields, targets, themselves),
        "folding fields");
}

} // namespace

template <class T>
void fold(cudaStream_t stream, const PaddedField& layout, const T* padded, const FieldsOfBlock<T>& fields) {
  fold_targets(stream, layout, padded, fields, true);
}
template <class T>
void fold_beyond(cudaStream_t stream, const PaddedField& layout, const T* padded, const FieldsOfBlock<T>& fields) {
  fold_targets(stream, layout, padded, fields, false);
}
template <class T>
void fill(cudaStream_t stream, const PaddedField& layout, const FieldsOfBlock<const T>& fields, T* padded) {
  fill_points(stream, layout, fields, padded, false);
}
template <class T>
void fill_beyond(cudaStream_t stream, const PaddedField& layout, const FieldsOfBlock<const T>& fields, T* padded) {
  fill_points(stream, layout, fields, padded, true);
}

template void fold(cudaStream_t, const PaddedField&, const float*, const FieldsOfBlock<float>&);
template void fold(cudaStream_t, const PaddedField&, const double*, const FieldsOfBlock<double>&);
template void fold_beyond(cudaStream_t, const PaddedField&, const float*, const FieldsOfBlock<float>&);
template void fold_beyond(cudaStream_t, const PaddedField&, const double*, const FieldsOfBlock<double>&);
template void fill(cudaStream_t, const PaddedField&, const FieldsOfBlock<const float>&, float*);
template void fill(cudaStream_t, const PaddedField&, const FieldsOfBlock<const double>&, double*);
template void fill_beyond(cudaStream_t, const PaddedField&, const FieldsOfBlock<const double>&, double*);

} // namespace corral::gpu

#include "engine/cpu/map_fields.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <numeric>

namespace corral::cpu {

AxisFold::AxisFold(const Axis& axis, const shared::AxisSupport& support, bool points_on_faces, int wall_sign) {
  const std::int64_t n = support.padded_points();
  const std::int64_t points = axis.points(points_on_faces);
  point.reserve(static_cast<std::size_t>(n));
  for (std::int64_t p = 0; p < n; ++p)
    point.push_back(shared::fold(axis, points_on_faces, wall_sign, p + support.first));
  run_begin = std::clamp<std::int64_t>(-support.first, 0, n);
  run_end = std::clamp<std::int64_t>(points - support.first, run_begin, n);
  run_target = run_begin + support.first;
  for (std::int64_t p = 0; p < n; ++p)
    if (p < run_begin || p >= run_end) image.push_back(p);

  first_target = 0;
  std::int64_t last_target = points - 1;
  for (const auto& f : point) {
    first_target = std::min(first_target, f.index);
    last_target = std::max(last_target, f.index);
  }
  const auto each = [&](const auto& f) { // in the order of sources
    for (std::int64_t p = run_begin; p < run_end; ++p) f(p);
    for (std::int64_t p : image) f(p);
  };
  start.assign(static_cast<std::size_t>(last_target - first_target + 2), 0);
  each([&](std::int64_t p) {
    if (point[p].sign != 0) ++start[static_cast<std::size_t>(point[p].index - first_target + 1)];
  });
  std::partial_sum(start.begin(), start.end(), start.begin());
  source.resize(static_cast<std::size_t>(start.back()));
  std::vector<std::int64_t> next(start.begin(), start.end() - 1);
  each([&](std::int64_t p) {
    const shared::FoldedPoint& f = point[p];
    if (f.sign != 0) source[static_cast<std::size_t>(next[static_cast<std::size_t>(f.index - first_target)]++)] = {p, f.sign};
  });
}

namespace {

AxisFold axis_fold(const Grid& grid, const shared::FieldSupport& support, Staggering staggering,
                   const std::array<Sign, 3>& wall_sign, int d) {
  return {grid.axis(d), support.axis[d], on_face(staggering, d), static_cast<int>(wall_sign[d])};
}

/// Row pitches near a multiple of a page make neighbouring rows compete for the same cache sets.
std::int64_t pitch(std::int64_t points) {
  constexpr std::int64_t line = 8, page = 512; // values
  const std::int64_t p = (points + row_margin + line - 1) / line * line;
  return p % page == 0 ? p + line : p;
}

template <class T> void add_row(const AxisFold& x, const T* from, T sign, T* to, std::int64_t stride) {
  T* run = to + x.run_target * stride;
  for (std::int64_t p = x.run_begin; p < x.run_end; ++p) run[(p - x.run_begin) * stride] += sign * from[p];
  for (std::int64_t p : x.image) {
    const shared::FoldedPoint& f = x.point[p];
    if (f.sign != 0) to[f.index * stride] += sign * static_cast<T>(f.sign) * from[p];
  }
}

template <class T> void copy_row(const AxisFold& x, const T* from, std::int64_t stride, T sign, T* to) {
  const T* run = from + x.run_target * stride;
  for (std::int64_t p = x.run_begin; p < x.run_end; ++p) to[p] = sign * run[(p - x.run_begin) * stride];
  for (std::int64_t p : x.image) {
    const shared::FoldedPoint& f = x.point[p];
    to[p] = f.sign == 0 ? T(0) : sign * static_cast<T>(f.sign) * from[f.index * stride];
  }
}

constexpr std::int64_t rows_per_task = 32;

} // namespace

PaddedLayout::PaddedLayout(const Grid& grid, const shared::FieldSupport& support, Staggering staggering,
                           std::array<Sign, 3> wall_sign)
    : fold_{axis_fold(grid, support, staggering, wall_sign, 0), axis_fold(grid, support, staggering, wall_sign, 1),
            axis_fold(grid, support, staggering, wall_sign, 2)},
      stride_y_(pitch(fold_[0].padded_points())), stride_z_(stride_y_ * fold_[1].padded_points()) {
  keep_planes(0, fold_[2].padded_points());
}

void PaddedLayout::keep_planes(std::int64_t begin, std::int64_t end) {
  planes_begin_ = begin;
  planes_end_ = end;
  const AxisFold& z = fold_[2];
  targets_z_.clear();
  for (std::int64_t k = 0; k < z.targets(); ++k)
    for (std::int64_t b = z.start[static_cast<std::size_t>(k)]; b < z.start[static_cast<std::size_t>(k + 1)]; ++b)
      if (keeps(z.source[static_cast<std::size_t>(b)].padded)) {
        targets_z_.push_back(k);
        break;
      }
}

template <class T> void PaddedLayout::fold_into(Cpu cpu, const T* padded, const FieldView<T>& field) const {
  const AxisFold &x = fold_[0], &y = fold_[1], &z = fold_[2];
  for_each_chunk(cpu, y.targets() * std::ssize(targets_z_), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t j = row % y.targets(), k = targets_z_[row / y.targets()];
      T* to = field.data + (y.first_target + j) * field.stride[1] + (z.first_target + k) * field.stride[2];
      for (std::int64_t b = z.start[k]; b < z.start[k + 1]; ++b) {
        if (!keeps(z.source[b].padded)) continue;
        for (std::int64_t a = y.start[j]; a < y.start[j + 1]; ++a) {
          const auto &sy = y.source[a], &sz = z.source[b];
          add_row(x, padded + sy.padded * stride_y_ + sz.padded * stride_z_, static_cast<T>(sy.sign * sz.sign), to,
                  field.stride[0]);
        }
      }
    }
  });
}

template <class T> void PaddedLayout::fill_from(Cpu cpu, const FieldView<const T>& field, T* padded) const {
  const AxisFold &x = fold_[0], &y = fold_[1], &z = fold_[2];
  for_each_chunk(cpu, y.padded_points() * (planes_end_ - planes_begin_), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t j = row % y.padded_points(), k = planes_begin_ + row / y.padded_points();
      const shared::FoldedPoint &fy = y.point[j], &fz = z.point[k];
      T* to = padded + j * stride_y_ + k * stride_z_;
      if (fy.sign * fz.sign == 0)
        std::fill(to, to + x.padded_points(), T(0));
      else
        copy_row(x, field.data + fy.index * field.stride[1] + fz.index * field.stride[2], field.stride[0],
                 static_cast<T>(fy.sign * fz.sign), to);
    }
  });
}

template void PaddedLayout::fold_into(Cpu, const float*, const FieldView<float>&) const;
template void PaddedLayout::fold_into(Cpu, const double*, const FieldView<double>&) const;
template void PaddedLayout::fill_from(Cpu, const FieldView<const float>&, float*) const;
template void PaddedLayout::fill_from(Cpu, const FieldView<const double>&, double*) const;

} // namespace corral::cpu

#pragma once

#include "engine/shared/support.hpp"

#include <corral/grid.hpp>
#include <corral/views.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

/// The oracle: serial, short, obviously right. No order, no packing, no padding; one particle after the other, each
/// weight from phi itself. Every other implementation is compared with it.
namespace corral::reference {

/// The points and weights of one particle along one axis.
template <class T> struct AxisStencil {
  std::vector<std::int64_t> point; ///< before boundaries are applied
  std::vector<T> weight;
};

/// In cells of the axis, or of the part; wrapped as the whole wraps.
inline double index_on(const Axis& axis, double x) {
  double index = axis.index(x);
  if (!axis.global_periodic) return index;
  const auto whole = static_cast<double>(axis.whole_cells()), begin = static_cast<double>(axis.offset);
  index += begin;
  return index - whole * std::floor(index / whole) - begin;
}

template <class Kernel, class T>
AxisStencil<T> axis_stencil(const Kernel& kernel, const Axis& axis, bool points_on_faces, T x) {
  if (axis.thin() && !points_on_faces) return {{0}, {T(1)}};
  const T place = static_cast<T>(index_on(axis, static_cast<double>(x))) - (points_on_faces ? T(0) : T(0.5));
  T base = Kernel::support % 2 == 0 ? std::floor(place) : std::floor(place + T(0.5));
  const bool cell_by_cell = (Kernel::support % 2 == 0) == points_on_faces; // the support changes at faces
  if (cell_by_cell && !axis.periodic()) base = std::min(base, static_cast<T>(axis.cells - 1)); // on the last face
  AxisStencil<T> s;
  for (int j = 0; j < Kernel::support; ++j) {
    const std::int64_t point = static_cast<std::int64_t>(base) + j - (Kernel::support - 1) / 2;
    s.point.push_back(point);
    s.weight.push_back(kernel(place - static_cast<T>(point)));
  }
  return s;
}

/// Any kernel, so that what follows is compiled once for all of them.
template <class T> class AnyKernel {
public:
  template <class Kernel>
  AnyKernel(const Kernel& kernel)
      : stencil_([&kernel](const Axis& axis, bool points_on_faces, T x) {
          if constexpr (requires { kernel.along; }) // a composite kernel
            return points_on_faces ? axis_stencil(kernel.along, axis, points_on_faces, x)
                                   : axis_stencil(kernel.across, axis, points_on_faces, x);
          else return axis_stencil(kernel, axis, points_on_faces, x);
        }) {}

  AxisStencil<T> stencil(const Axis& axis, bool points_on_faces, T x) const { return stencil_(axis, points_on_faces, x); }

private:
  std::function<AxisStencil<T>(const Axis&, bool, T)> stencil_; ///< sees the caller's kernel
};

/// Of an argument that T is not found from: any kernel is taken.
template <class T> using KernelOf = AnyKernel<std::type_identity_t<T>>;

/// Rounding may put a coordinate on the last face beyond it, by more the farther the origin: so much is allowed.
template <class T> bool inside(const Grid& grid, const Positions<T>& positions, std::int64_t i) {
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(d);
    const double index = index_on(axis, static_cast<double>(positions.axis[d][i]));
    const double cells = static_cast<double>(axis.cells), farthest = cells + std::abs(axis.origin) / axis.spacing;
    if (!std::isfinite(index)) return false;
    if (axis.periodic()) continue;
    if (index < 0 || index > cells + 8 * double{std::numeric_limits<T>::epsilon()} * farthest) return false;
  }
  return true;
}

/// Calls f(value of the field at the point, weight with its sign) for every point of particle i that exists.
template <class T, class U, class F>
void for_each_point(const Grid& grid, const KernelOf<T>& kernel, const Positions<T>& positions, std::int64_t i,
                    const FieldView<U>& field, F f) {
  if (!inside(grid, positions, i)) return;
  AxisStencil<T> s[3];
  for (int d = 0; d < 3; ++d) {
    const bool on_faces = on_face(field.staggering, d);
    s[d] = kernel.stencil(grid.axis(d), on_faces, positions.axis[d][i]);
  }
  const auto folded = [&](int d, std::size_t j) {
    return shared::fold(grid.axis(d), on_face(field.staggering, d),
                        static_cast<int>(field.wall_sign[d]), s[d].point[j]);
  };
  for (std::size_t c = 0; c < s[2].point.size(); ++c)
    for (std::size_t b = 0; b < s[1].point.size(); ++b)
      for (std::size_t a = 0; a < s[0].point.size(); ++a) {
        const shared::FoldedPoint x = folded(0, a), y = folded(1, b), z = folded(2, c);
        const int sign = x.sign * y.sign * z.sign;
        if (sign != 0)
          f(field(x.index, y.index, z.index), static_cast<T>(sign) * s[0].weight[a] * s[1].weight[b] * s[2].weight[c]);
      }
}

/// field += sum over particles of weight times column.
template <class T>
void spread(const Grid& grid, const KernelOf<T>& kernel, const Positions<T>& positions, const Column<const T>& column,
            const FieldView<T>& field) {
  for (std::int64_t i = 0; i < positions.size(); ++i)
    for_each_point(grid, kernel, positions, i, field, [&](T& point, T weight) { point += weight * column[i]; });
}

/// column = sum over points of weight times field; particles outside keep what they had.
template <class T>
void interpolate(const Grid& grid, const KernelOf<T>& kernel, const Positions<T>& positions,
                 const FieldView<const T>& field, const Column<T>& column) {
  for (std::int64_t i = 0; i < positions.size(); ++i) {
    if (!inside(grid, positions, i)) continue;
    T sum = 0;
    for_each_point(grid, kernel, positions, i, field, [&](const T& point, T weight) { sum += weight * point; });
    column[i] = sum;
  }
}

} // namespace corral::reference

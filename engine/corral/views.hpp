#pragma once

#include <corral/grid.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <cstdint>
#include <type_traits>

namespace corral {

/// One number per particle in memory the caller owns: value i stands at data[i * stride].
template <class T> struct Column {
  T* data = nullptr;
  std::int64_t size = 0;
  std::int64_t stride = 1; ///< [values]

  CORRAL_HOST_DEVICE T& operator[](std::int64_t i) const { return data[i * stride]; }
  operator Column<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data, size, stride};
  }
};

/// The particles' coordinates [m], one column per axis: three arrays, or interleaved xyz with stride 3.
template <class T> struct Positions {
  std::array<Column<const T>, 3> axis;

  std::int64_t size() const { return axis[0].size; }
};

template <class T> Positions<T> positions(const T* x, const T* y, const T* z, std::int64_t n) {
  return {{Column<const T>{x, n, 1}, Column<const T>{y, n, 1}, Column<const T>{z, n, 1}}};
}

/// Interleaved coordinates x0 y0 z0 x1 y1 z1 ...
template <class T> Positions<T> positions(const T* xyz, std::int64_t n) {
  return {{Column<const T>{xyz, n, 3}, Column<const T>{xyz + 1, n, 3}, Column<const T>{xyz + 2, n, 3}}};
}

/// What reflection at a wall does to a field's values.
enum class Sign : std::int8_t { minus = -1, plus = 1 };

/// A field over the grid's points of one staggering, in memory the caller owns.
template <class T> struct FieldView {
  T* data = nullptr; ///< the point (0, 0, 0)
  Staggering staggering = Staggering::centre;
  std::array<std::int64_t, 3> stride{};                             ///< [values] from a point to the next
  std::array<Sign, 3> wall_sign{Sign::plus, Sign::plus, Sign::plus}; ///< per axis
  std::int64_t ghosts = 0; ///< points that exist beyond the field on each side, for halo boundaries
  /// Points that there are along each axis, without ghosts; maps compare them with the grid's. 0 0 0: not known, and
  /// believed.
  std::array<std::int64_t, 3> extent{};

  CORRAL_HOST_DEVICE T& operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return data[i * stride[0] + j * stride[1] + k * stride[2]];
  }
  operator FieldView<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data, staggering, stride, wall_sign, ghosts, extent};
  }
};

/// View of a contiguous array of grid.points(staggering) values, x fastest.
template <class T> FieldView<T> field_view(const Grid& grid, T* data, Staggering staggering) {
  const std::int64_t nx = grid.points(staggering, 0), ny = grid.points(staggering, 1);
  FieldView<T> view{data, staggering, {1, nx, nx * ny}};
  view.extent = {nx, ny, grid.points(staggering, 2)};
  return view;
}

/// View of a contiguous array with `ghosts` more points on each side of every axis; `data` is its first value.
template <class T>
FieldView<T> field_view_with_ghosts(const Grid& grid, T* data, Staggering staggering, std::int64_t ghosts) {
  FieldView<T> view = field_view(grid, data, staggering);
  const std::int64_t nx = view.extent[0] + 2 * ghosts, nxy = nx * (view.extent[1] + 2 * ghosts);
  view.data = data + ghosts * (1 + nx + nxy);
  view.stride = {1, nx, nxy};
  view.ghosts = ghosts;
  return view;
}

} // namespace corral

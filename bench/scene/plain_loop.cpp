#include "bench/scene/plain_loop.hpp"

#include "bench/scene/workload.hpp"
#include <corral/kernels/shipped.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace corral::bench {

namespace {

// A composite kernel has one kernel along the axes where points lie on faces and another across the others.
template <bool points_on_faces, class K> const auto& axis_kernel(const K& kernel) {
  if constexpr (kernels::Kernel<K>) return kernel;
  else if constexpr (points_on_faces) return kernel.along;
  else return kernel.across;
}

template <class K, class F> void with_axis_kernel(const K& kernel, bool points_on_faces, F&& f) {
  if constexpr (kernels::Kernel<K>) f(kernel);
  else if (points_on_faces) f(kernel.along);
  else f(kernel.across);
}

template <class T, int support> struct PlainAxisStencil {
  std::int64_t offset[support]; ///< of each point within the field [values]
  T weight[support];
};

/// Where the points of a field stand along one axis.
template <class T> struct PlainAxisPoints {
  T inverse_spacing, first; ///< [1/m]; index of point 0, in cells
  std::int64_t n, stride;
  const T* x; ///< coordinates of the particles [m]

  template <class K> PlainAxisStencil<T, K::support> stencil(const K& kernel, std::int64_t particle) const {
    // Beside the hundreds of points of a wide kernel a call costs nothing, and compilers take minutes less.
    if constexpr (K::support > 6) return called_stencil(kernel, particle);
    else return inlined_stencil(kernel, particle);
  }

  template <class K>
  [[gnu::noinline]] PlainAxisStencil<T, K::support> called_stencil(const K& kernel, std::int64_t particle) const {
    return inlined_stencil(kernel, particle);
  }

  template <class K> PlainAxisStencil<T, K::support> inlined_stencil(const K& kernel, std::int64_t particle) const {
    const T place = x[particle] * inverse_spacing - first;
    const T nearest = K::support % 2 == 1 ? place + T(0.5) : place;
    std::int64_t point = static_cast<std::int64_t>(nearest);
    point -= nearest < static_cast<T>(point) ? 1 : 0; // floor
    PlainAxisStencil<T, K::support> s;
    kernel.weights(place - static_cast<T>(point), s.weight);
    point -= (K::support - 1) / 2;
    while (point < 0) point += n;
    while (point >= n) point -= n;
    for (int j = 0; j < K::support; ++j) {
      s.offset[j] = point * stride;
      point = point + 1 == n ? 0 : point + 1;
    }
    return s;
  }
};

template <class T, class U>
PlainAxisPoints<T> axis_points(const Grid& grid, const Positions<T>& positions, const FieldView<U>& field, int d,
                          bool points_on_faces) {
  const auto axis = static_cast<std::size_t>(d);
  return {static_cast<T>(1 / grid.axis(d).spacing), points_on_faces ? T(0) : T(0.5), grid.axis(d).cells,
          field.stride[axis], positions.axis[axis].data};
}

/// Calls f(offset, weight) for every point of a particle's stencil.
template <class X, class Y, class Z, class F> void for_each_point(const X& x, const Y& y, const Z& z, F f) {
  for (std::size_t c = 0; c < std::size(z.offset); ++c)
    for (std::size_t b = 0; b < std::size(y.offset); ++b) {
      const std::int64_t row = z.offset[c] + y.offset[b];
      const auto weight = z.weight[c] * y.weight[b];
      for (std::size_t a = 0; a < std::size(x.offset); ++a) f(row + x.offset[a], weight * x.weight[a]);
    }
}

/// Calls f(particle, x, y, z), the stencils of the staggering of `field`, for each particle.
template <class K, class T, class U, class F>
void for_each_stencil(const K& kernel, const Grid& grid, const Positions<T>& positions, const FieldView<U>& field,
                      F f) {
  std::array<bool, 3> faces;
  std::array<PlainAxisPoints<T>, 3> points;
  for (int d = 0; d < 3; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    faces[axis] = on_face(field.staggering, d);
    points[axis] = axis_points(grid, positions, field, d, faces[axis]);
  }
  with_axis_kernel(kernel, faces[0], [&](const auto& x) {
    with_axis_kernel(kernel, faces[1], [&](const auto& y) {
      with_axis_kernel(kernel, faces[2], [&](const auto& z) {
        for (std::int64_t i = 0; i < positions.size(); ++i)
          f(i, points[0].stencil(x, i), points[1].stencil(y, i), points[2].stencil(z, i));
      });
    });
  });
}

/// Calls f(particle, on_faces, midway) for each particle: its stencils along each axis for points on faces and midway.
template <class K, class T, class U, class F>
void for_each_stencil_pair(const K& kernel, const Grid& grid, const Positions<T>& positions, const FieldView<U>& field,
                           F f) {
  std::array<PlainAxisPoints<T>, 3> faces, middles;
  for (int d = 0; d < 3; ++d) {
    faces[static_cast<std::size_t>(d)] = axis_points(grid, positions, field, d, true);
    middles[static_cast<std::size_t>(d)] = axis_points(grid, positions, field, d, false);
  }
  const auto& along = axis_kernel<true>(kernel);
  const auto& across = axis_kernel<false>(kernel);
  for (std::int64_t i = 0; i < positions.size(); ++i) {
    const std::array on_faces{faces[0].stencil(along, i), faces[1].stencil(along, i), faces[2].stencil(along, i)};
    const std::array midway{middles[0].stencil(across, i), middles[1].stencil(across, i),
                            middles[2].stencil(across, i)};
    f(i, on_faces, midway);
  }
}

/// F fields on one staggering; F = 0: as many as there are terms.
template <int F, class K, class T>
void spread_fields(const K& kernel, const Grid& grid, const Positions<T>& positions,
                   std::span<const Spread<T>> terms) {
  const int fields = F > 0 ? F : static_cast<int>(terms.size());
  T* field[F > 0 ? F : max_fields];
  Column<const T> column[F > 0 ? F : max_fields];
  for (int f = 0; f < fields; ++f) {
    field[f] = terms[static_cast<std::size_t>(f)].field.data;
    column[f] = terms[static_cast<std::size_t>(f)].column;
  }
  for_each_stencil(kernel, grid, positions, terms[0].field,
                   [&](std::int64_t i, const auto& x, const auto& y, const auto& z) {
    T value[F > 0 ? F : max_fields];
    for (int f = 0; f < fields; ++f) value[f] = column[f][i];
    for_each_point(x, y, z, [&](std::int64_t at, T weight) {
      for (int f = 0; f < fields; ++f) field[f][at] += weight * value[f];
    });
  });
}

template <int F, class K, class T>
void interpolate_fields(const K& kernel, const Grid& grid, const Positions<T>& positions,
                        std::span<const Interpolate<T>> terms) {
  const int fields = F > 0 ? F : static_cast<int>(terms.size());
  const T* field[F > 0 ? F : max_fields];
  Column<T> column[F > 0 ? F : max_fields];
  for (int f = 0; f < fields; ++f) {
    field[f] = terms[static_cast<std::size_t>(f)].field.data;
    column[f] = terms[static_cast<std::size_t>(f)].column;
  }
  for_each_stencil(kernel, grid, positions, terms[0].field,
                   [&](std::int64_t i, const auto& x, const auto& y, const auto& z) {
    T sum[F > 0 ? F : max_fields] = {};
    for_each_point(x, y, z, [&](std::int64_t at, T weight) {
      for (int f = 0; f < fields; ++f) sum[f] += weight * field[f][at];
    });
    for (int f = 0; f < fields; ++f) column[f][i] = sum[f];
  });
}

template <class K, class T>
void spread_faces(const K& kernel, const Grid& grid, const Positions<T>& positions,
                  std::span<const Spread<T>> terms) {
  T* field[3] = {terms[0].field.data, terms[1].field.data, terms[2].field.data};
  for_each_stencil_pair(kernel, grid, positions, terms[0].field, [&](std::int64_t i, const auto& n, const auto& m) {
    const auto add_to = [&](std::size_t d) {
      return [&, value = terms[d].column[i], to = field[d]](std::int64_t at, T weight) { to[at] += weight * value; };
    };
    for_each_point(n[0], m[1], m[2], add_to(0));
    for_each_point(m[0], n[1], m[2], add_to(1));
    for_each_point(m[0], m[1], n[2], add_to(2));
  });
}

template <class K, class T>
void interpolate_faces(const K& kernel, const Grid& grid, const Positions<T>& positions,
                       std::span<const Interpolate<T>> terms) {
  const T* field[3] = {terms[0].field.data, terms[1].field.data, terms[2].field.data};
  for_each_stencil_pair(kernel, grid, positions, terms[0].field, [&](std::int64_t i, const auto& n, const auto& m) {
    const auto sum = [](const T* from, const auto& x, const auto& y, const auto& z) {
      T total = 0;
      for_each_point(x, y, z, [&](std::int64_t at, T weight) { total += weight * from[at]; });
      return total;
    };
    terms[0].column[i] = sum(field[0], n[0], m[1], m[2]);
    terms[1].column[i] = sum(field[1], m[0], n[1], m[2]);
    terms[2].column[i] = sum(field[2], m[0], m[1], n[2]);
  });
}

} // namespace

template <class T> PlainLoop<T> plain_loop(std::string_view name) {
  PlainLoop<T> loop;
  const bool known = kernels::with_kernel(name, [&](const auto& kernel) {
    loop.spread = [kernel](const Grid& grid, const Positions<T>& p, std::span<const Spread<T>> terms) {
      const bool faces = terms.size() == 3 && terms[0].field.staggering != terms[1].field.staggering;
      if (faces) spread_faces(kernel, grid, p, terms);
      else if (terms.size() == 1) spread_fields<1>(kernel, grid, p, terms);
      else if (terms.size() == 2) spread_fields<2>(kernel, grid, p, terms);
      else if (terms.size() == 3) spread_fields<3>(kernel, grid, p, terms);
      else spread_fields<0>(kernel, grid, p, terms);
    };
    loop.interpolate = [kernel](const Grid& grid, const Positions<T>& p, std::span<const Interpolate<T>> terms) {
      const bool faces = terms.size() == 3 && terms[0].field.staggering != terms[1].field.staggering;
      if (faces) interpolate_faces(kernel, grid, p, terms);
      else if (terms.size() == 1) interpolate_fields<1>(kernel, grid, p, terms);
      else if (terms.size() == 2) interpolate_fields<2>(kernel, grid, p, terms);
      else if (terms.size() == 3) interpolate_fields<3>(kernel, grid, p, terms);
      else interpolate_fields<0>(kernel, grid, p, terms);
    };
  });
  if (!known) throw Error("no kernel '" + std::string(name) + "' (docs/kernels.md lists those that there are)");
  return loop;
}

template PlainLoop<float> plain_loop(std::string_view);
template PlainLoop<double> plain_loop(std::string_view);

} // namespace corral::bench

#include "bench/scene/plain_loop.hpp"

#include "bench/scene/workload.hpp"

#include <corral/kernels/shipped.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

namespace corral::bench {

namespace plain {

/// Any other: a call for the weights of an axis, and a width that the loops learn at run time.
template <class T> struct CalledKernel {
  static constexpr int support = 0;
  int points; ///< per axis
  const void* kernel;
  void (*call)(const void* kernel, T x, T* weights);

  template <class K> static CalledKernel of(const K& k) {
    return {K::support, &k, [](const void* one, T x, T* w) { static_cast<const K*>(one)->weights(x, w); }};
  }
  void weights(T x, T* w) const { call(kernel, x, w); }
};

/// One kernel along the axes where points lie on faces and another across the others, as composite kernels have.
template <class T> struct CalledKernels {
  CalledKernel<T> along, across;

  template <class K> static CalledKernels of(const K& kernel) {
    if constexpr (kernels::Kernel<K>) return {CalledKernel<T>::of(kernel), CalledKernel<T>::of(kernel)};
    else return {CalledKernel<T>::of(kernel.along), CalledKernel<T>::of(kernel.across)};
  }
};

template <class K> const auto& axis_kernel(const K& kernel, bool points_on_faces) {
  if constexpr (requires { kernel.along; }) return points_on_faces ? kernel.along : kernel.across;
  else return kernel;
}

template <class T, int support> struct PlainAxisStencil {
  static constexpr int points = support;
  std::int64_t offset[support]; ///< of each point within the field [values]
  T weight[support];
};

inline constexpr int widest = 16; ///< of the shipped kernels
template <class T> struct PlainAxisStencil<T, 0> {
  int points;
  std::int64_t offset[widest];
  T weight[widest];
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
    PlainAxisStencil<T, K::support> s;
    if constexpr (K::support == 0) s.points = kernel.points;
    const T place = x[particle] * inverse_spacing - first;
    const T nearest = s.points % 2 == 1 ? place + T(0.5) : place;
    std::int64_t point = static_cast<std::int64_t>(nearest);
    point -= nearest < static_cast<T>(point) ? 1 : 0; // floor
    kernel.weights(place - static_cast<T>(point), s.weight);
    point -= (s.points - 1) / 2;
    while (point < 0) point += n;
    while (point >= n) point -= n;
    for (int j = 0; j < s.points; ++j) {
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
  for (int c = 0; c < z.points; ++c)
    for (int b = 0; b < y.points; ++b) {
      const std::int64_t row = z.offset[c] + y.offset[b];
      const auto weight = z.weight[c] * y.weight[b];
      for (int a = 0; a < x.points; ++a) f(row + x.offset[a], weight * x.weight[a]);
    }
}

/// Calls f(particle, x, y, z), the stencils of the staggering of `field`, for each particle.
template <class K, class T, class U, class F>
void for_each_stencil(const K& kernel, const Grid& grid, const Positions<T>& positions, const FieldView<U>& field,
                      F f) {
  std::array<bool, 3> faces;
  std::array<PlainAxisPoints<T>, 3> points;
  for (int d = 0; d < 3; ++d) {
    faces[d] = on_face(field.staggering, d);
    points[d] = axis_points(grid, positions, field, d, faces[d]);
  }
  const auto& x = axis_kernel(kernel, faces[0]);
  const auto& y = axis_kernel(kernel, faces[1]);
  const auto& z = axis_kernel(kernel, faces[2]);
  for (std::int64_t i = 0; i < positions.size(); ++i)
    f(i, points[0].stencil(x, i), points[1].stencil(y, i), points[2].stencil(z, i));
}

/// Calls f(particle, on_faces, midway) for each particle: its stencils along each axis for points on faces and midway.
template <class K, class T, class U, class F>
void for_each_stencil_pair(const K& kernel, const Grid& grid, const Positions<T>& positions, const FieldView<U>& field,
                           F f) {
  std::array<PlainAxisPoints<T>, 3> faces, middles;
  for (int d = 0; d < 3; ++d) {
    faces[d] = axis_points(grid, positions, field, d, true);
    middles[d] = axis_points(grid, positions, field, d, false);
  }
  const auto& along = axis_kernel(kernel, true);
  const auto& across = axis_kernel(kernel, false);
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
    field[f] = terms[f].field.data;
    column[f] = terms[f].column;
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
    field[f] = terms[f].field.data;
    column[f] = terms[f].column;
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

/// Calls f(F) with the number of fields, a constant, up to `most` of them; with 0, which loops learn at run time, for more.
template <int most, class F> void with_fields(std::size_t fields, F f) {
  if constexpr (most == 0) f(std::integral_constant<int, 0>{});
  else if (fields == most) f(std::integral_constant<int, most>{});
  else with_fields<most - 1>(fields, f);
}

/// The loops of a kernel; `as(kernel)` is what they take.
template <int most, class T, class K, class As> PlainLoop<T> loops(const K& kernel, As as) {
  const auto on_faces = [](const auto& terms) {
    return terms.size() == 3 && terms[0].field.staggering != terms[1].field.staggering;
  };
  PlainLoop<T> loop;
  loop.spread = [=](const Grid& grid, const Positions<T>& p, std::span<const Spread<T>> terms) {
    const auto& k = as(kernel);
    if (on_faces(terms)) return spread_faces(k, grid, p, terms);
    with_fields<most>(terms.size(), [&](auto fields) { spread_fields<decltype(fields)::value>(k, grid, p, terms); });
  };
  loop.interpolate = [=](const Grid& grid, const Positions<T>& p, std::span<const Interpolate<T>> terms) {
    const auto& k = as(kernel);
    if (on_faces(terms)) return interpolate_faces(k, grid, p, terms);
    with_fields<most>(terms.size(), [&](auto fields) { interpolate_fields<decltype(fields)::value>(k, grid, p, terms); });
  };
  return loop;
}

} // namespace plain

template <class T> PlainLoop<T> plain_loop(std::string_view name) {
  PlainLoop<T> loop;
  const bool known = kernels::with_kernel(name, [&]<class K>(const K& kernel) {
    if constexpr (kernels::is_one_of<K, InlinedKernels>)
      loop = plain::loops<3, T>(kernel, [](const K& k) -> const K& { return k; });
    else
      loop = plain::loops<0, T>(kernel, [](const K& k) { return plain::CalledKernels<T>::of(k); });
  });
  if (!known) throw Error("no kernel '" + std::string(name) + "' (docs/kernels.md lists those that there are)");
  return loop;
}

template PlainLoop<float> plain_loop(std::string_view);
template PlainLoop<double> plain_loop(std::string_view);

} // namespace corral::bench

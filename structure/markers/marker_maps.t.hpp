#pragma once

/// The calls of marker_maps.hpp, for either processor.

#include "structure/markers/marker_maps.hpp"
#include "structure/values.t.hpp"

#include <corral/for_each.hpp>
#include <corral/interpolate.hpp>
#include <corral/kernels/shipped.hpp>
#include <corral/spread.hpp>

#include <concepts>
#include <cstddef>
#include <span>

namespace corral::structure {

namespace marker_maps {

template <class T> FieldView<T> view(const Grid& grid, T* data, Staggering staggering, const Walled& walled) {
  FieldView<T> v = field_view(grid, data, staggering);
  v.wall_sign = walled.sign;
  return v;
}

/// Row by row along x, so that the CPU finds a profile of y or z once a row.
template <Execution E>
void subtract_profile(E execution, const Grid& grid, Staggering at, const Profile& profile, const Layers& layers, const double* u,
                      double* to) {
  const std::int64_t nx = grid.points(at, 0), rows = grid.points(at, 1) * grid.points(at, 2);
  for_each(execution, rows, [=] CORRAL_BODY(std::int64_t row) {
    const std::int64_t begin = row * nx, end = begin + nx;
    if (layers.stride < nx) {
      for (std::int64_t i = begin; i < end; ++i) to[i] = u[i] - profile(layers.place(i));
    } else {
      const double drift = profile(layers.place(begin));
      for (std::int64_t i = begin; i < end; ++i) to[i] = u[i] - drift;
    }
  });
}

} // namespace marker_maps

template <Execution E> const double* MarkerMaps::without_profile(E execution, int d, const double* u) {
  if (!slides(d)) return u;
  marker_maps::subtract_profile(execution, grid_, staggering_[d], profile(d), layers(d), u, scratch_[d].data());
  return scratch_[d].data();
}

template <Execution E> ConstVectorField MarkerMaps::without_profile(E execution, const ConstVectorField& u) {
  return {without_profile(execution, 0, u[0]), without_profile(execution, 1, u[1]), without_profile(execution, 2, u[2])};
}

template <Execution E> void MarkerMaps::add_profile(E execution, std::int64_t n, const ConstPoints& x, const Points& velocity) const {
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    double* const v = velocity[d];
    const double* const across = x[static_cast<std::size_t>(walled_[static_cast<std::size_t>(d)].across)];
    const marker_maps::Profile profile = this->profile(d);
    for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { v[i] += profile(across[i]); });
  }
}

template <Execution E>
void MarkerMaps::interpolate(E execution, const CellOrder<double>& order, const ConstVectorField& u, std::int64_t n,
                             const ConstPoints& x, const Points& velocity) {
  interpolate_change(execution, order, without_profile(execution, u), n, velocity);
  add_profile(execution, n, x, velocity);
}

template <Execution E>
void MarkerMaps::interpolate(E execution, const MarkerOrder& order, const ConstVectorField& u, std::int64_t n, const ConstPoints& x,
                             const Points& velocity) {
  interpolate_change(execution, order, without_profile(execution, u), n, velocity);
  add_profile(execution, n, x, velocity);
}

template <Execution E>
void MarkerMaps::interpolate_change(E execution, const CellOrder<double>& order, const ConstVectorField& u, std::int64_t n,
                                    const Points& velocity) const {
  std::array<Interpolate<double>, 3> terms;
  for (int d = 0; d < 3; ++d) terms[d] = {marker_maps::view(grid_, u[d], staggering_[d], walled_[d]), {velocity[d], n}};
  kernels::with_kernel(kernel_, [&](const auto& kernel) {
    corral::interpolate(execution, order, kernel, std::span<const Interpolate<double>>(terms), interpolates_by());
  });
}

template <Execution E>
void MarkerMaps::interpolate_change(E execution, const MarkerOrder& order, const ConstVectorField& u, std::int64_t n,
                                    const Points& velocity) const {
  if constexpr (std::same_as<E, Cpu>)
    if (const BoxOrder* const box = order.box()) {
      kernels::with_kernel(kernel_, [&](const auto& kernel) {
        box_->interpolate(execution, *box, KernelWeights<double>::of(kernel), interpolates_by(), u, signs(), velocity);
      });
      return;
    }
  interpolate_change(execution, order.whole(), u, n, velocity);
}

template <Execution E> void MarkerMaps::clear(E execution, const VectorField& field) const {
  for (int d = 0; d < 3; ++d) values::fill(execution, grid_.points(staggering_[d]), field[d], 0);
}

template <Execution E>
void MarkerMaps::spread(E execution, const CellOrder<double>& order, std::int64_t n, const ConstPoints& values,
                        const VectorField& force) {
  std::array<Spread<double>, 3> terms;
  for (int d = 0; d < 3; ++d) {
    per_volume_[d].resize(n);
    const double* const from = values[d];
    double* const to = per_volume_[d].data();
    const double scale = 1 / grid_.cell_volume();
    for_each(execution, n, [=] CORRAL_BODY(std::int64_t p) { to[p] = scale * from[p]; });
    terms[d] = {{to, n}, marker_maps::view(grid_, force[d], staggering_[d], walled_[d])};
  }
  kernels::with_kernel(kernel_, [&](const auto& kernel) {
    corral::spread(execution, order, kernel, std::span<const Spread<double>>(terms), method_);
  });
}

template <Execution E>
void MarkerMaps::spread(E execution, const MarkerOrder& order, std::int64_t n, const ConstPoints& values, const VectorField& force) {
  if constexpr (std::same_as<E, Cpu>)
    if (const BoxOrder* const box = order.box()) {
      kernels::with_kernel(kernel_, [&](const auto& kernel) {
        box_->spread(execution, *box, KernelWeights<double>::of(kernel), method_, values, 1 / grid_.cell_volume(), signs(), force);
      });
      return;
    }
  spread(execution, order.whole(), n, values, force);
}

template <Execution E> double MarkerMaps::power_on_field(E execution, const ConstVectorField& force) const {
  double total = 0;
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    const double* const f = force[d];
    const Staggering at = staggering_[d];
    const marker_maps::Profile profile = this->profile(d);
    const marker_maps::Layers layers = this->layers(d);
    if (shared_) {
      total += grid_.cell_volume() * power_on_own(d, f, profile, layers);
      continue;
    }
    total += grid_.cell_volume() * sum(execution, grid_.points(at), [=] CORRAL_BODY(std::int64_t i) {
               return f[i] * profile(layers.place(i));
             });
  }
  return total;
}

template <Execution E>
double MarkerMaps::power_on_points(E execution, std::int64_t n, const ConstPoints& x, const ConstPoints& values) const {
  double total = 0;
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    const double* const f = values[d];
    const double* const across = x[static_cast<std::size_t>(walled_[static_cast<std::size_t>(d)].across)];
    const marker_maps::Profile profile = this->profile(d);
    total += sum(execution, n, [=] CORRAL_BODY(std::int64_t i) { return f[i] * profile(across[i]); });
  }
  return total;
}

} // namespace corral::structure

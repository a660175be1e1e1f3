#include "structure/markers/marker_maps.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/interpolate.hpp>
#include <corral/kernels/shipped.hpp>
#include <corral/spread.hpp>

#include <utility>

namespace corral::structure {

namespace {

/// Velocities vanish at the walls of y: beyond them they go on as their own negatives.
template <class T> FieldView<T> view(const Grid& grid, T* data, Staggering staggering, bool walls) {
  FieldView<T> v = field_view(grid, data, staggering);
  if (walls) v.wall_sign[1] = Sign::minus;
  return v;
}

} // namespace

MarkerMaps::MarkerMaps(const fluid::Domain& domain, std::string kernel, Method method,
                       const std::array<Staggering, 3>& staggering)
    : grid_(domain.grid()), staggering_(staggering), walls_(!domain.grid().axis(1).periodic()), kernel_(std::move(kernel)), method_(method) {
  if (!kernels::with_kernel(kernel_, [](const auto&) {})) throw Error("no kernel is called '" + kernel_ + "'");
  if (walls_) wall_ = {domain.wall_velocity(fluid::side(1, false)), domain.wall_velocity(fluid::side(1, true))};
  for (int d = 0; d < 3; ++d)
    if (const auto i = static_cast<std::size_t>(d); slides(d)) scratch_[i].resize(grid_.points(staggering_[i]));
}

double MarkerMaps::row_height(int d, std::int64_t row) const {
  const double above = on_face(staggering_[d], 1) ? 0 : 0.5;
  return grid_.axis(1).origin + (static_cast<double>(row) + above) * grid_.axis(1).spacing;
}

double MarkerMaps::profile(int d, double y) const {
  const Axis& axis = grid_.axis(1);
  const double share = (y - axis.origin) / axis.length();
  return wall_[0][d] + share * (wall_[1][d] - wall_[0][d]);
}

const double* MarkerMaps::without_profile(Cpu cpu, int d, const double* u) {
  if (!slides(d)) return u;
  const Staggering at = staggering_[d];
  const std::int64_t nx = grid_.points(at, 0), ny = grid_.points(at, 1), nz = grid_.points(at, 2);
  double* const to = scratch_[d].data();
  for_each(cpu, ny * nz, [=, this](std::int64_t row) {
    const double drift = profile(d, row_height(d, row % ny));
    for (std::int64_t i = row * nx; i < (row + 1) * nx; ++i) to[i] = u[i] - drift;
  });
  return to;
}

void MarkerMaps::interpolate(Cpu cpu, const CellOrder<double>& order, const ConstVectorField& u, std::int64_t n,
                             const ConstPoints& x, const Points& velocity) {
  interpolate_change(cpu, order, {without_profile(cpu, 0, u[0]), without_profile(cpu, 1, u[1]), without_profile(cpu, 2, u[2])},
                     n, velocity);
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    double* const v = velocity[d];
    const double* const y = x[1];
    for_each(cpu, n, [=, this](std::int64_t i) { v[i] += profile(d, y[i]); });
  }
}

void MarkerMaps::interpolate_change(Cpu cpu, const CellOrder<double>& order, const ConstVectorField& u, std::int64_t n,
                                    const Points& velocity) const {
  std::array<Interpolate<double>, 3> terms;
  for (int d = 0; d < 3; ++d) terms[d] = {view(grid_, u[d], staggering_[d], walls_), {velocity[d], n}};
  kernels::with_kernel(kernel_, [&](const auto& kernel) {
    corral::interpolate(cpu, order, kernel, std::span<const Interpolate<double>>(terms));
  });
}

void MarkerMaps::clear(Cpu cpu, const VectorField& field) const {
  for (int d = 0; d < 3; ++d)
    for_each(cpu, grid_.points(staggering_[d]), [to = field[d]](std::int64_t i) { to[i] = 0; });
}

void MarkerMaps::spread(Cpu cpu, const CellOrder<double>& order, std::int64_t n, const ConstPoints& values,
                        const VectorField& force) {
  std::array<Spread<double>, 3> terms;
  for (int d = 0; d < 3; ++d) {
    per_volume_[d].resize(n);
    const double* const from = values[d];
    double* const to = per_volume_[d].data();
    const double scale = 1 / grid_.cell_volume();
    for_each(cpu, n, [=](std::int64_t p) { to[p] = scale * from[p]; });
    terms[d] = {{to, n}, view(grid_, force[d], staggering_[d], walls_)};
  }
  kernels::with_kernel(kernel_, [&](const auto& kernel) {
    corral::spread(cpu, order, kernel, std::span<const Spread<double>>(terms), method_);
  });
}

double MarkerMaps::power_on_field(Cpu cpu, const ConstVectorField& force) const {
  double total = 0;
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    const double* const f = force[d];
    const Staggering at = staggering_[d];
    const std::int64_t nx = grid_.points(at, 0), ny = grid_.points(at, 1);
    total += grid_.cell_volume() * sum(cpu, grid_.points(at), [=, this](std::int64_t i) {
               return f[i] * profile(d, row_height(d, i / nx % ny));
             });
  }
  return total;
}

double MarkerMaps::power_on_points(Cpu cpu, std::int64_t n, const ConstPoints& x, const ConstPoints& values) const {
  double total = 0;
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    const double* const f = values[d];
    const double* const y = x[1];
    total += sum(cpu, n, [=, this](std::int64_t i) { return f[i] * profile(d, y[i]); });
  }
  return total;
}

} // namespace corral::structure

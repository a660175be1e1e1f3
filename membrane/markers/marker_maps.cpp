#include "membrane/markers/marker_maps.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/interpolate.hpp>
#include <corral/kernels/shipped.hpp>
#include <corral/spread.hpp>

#include <utility>

namespace corral::membrane {

namespace {

/// Along y: what is tangential there lies midway between faces, what is normal lies on the wall.
template <class T> FieldView<T> view(const Grid& grid, T* data, int d, bool walls) {
  FieldView<T> v = field_view(grid, data, face(d));
  if (walls) v.wall_sign[1] = Sign::minus;
  return v;
}

} // namespace

MarkerMaps::MarkerMaps(const fluid::Domain& domain, std::string kernel, Method method)
    : grid_(domain.grid()), walls_(!domain.grid().axis(1).periodic()), kernel_(std::move(kernel)), method_(method) {
  if (!kernels::with_kernel(kernel_, [](const auto&) {})) throw Error("no kernel is called '" + kernel_ + "'");
  if (walls_) wall_ = {domain.wall_velocity(fluid::side(1, false)), domain.wall_velocity(fluid::side(1, true))};
  for (int d = 0; d < 3; ++d)
    if (slides(d)) scratch_[static_cast<std::size_t>(d)].resize(grid_.points(face(d)));
}

double MarkerMaps::profile(int d, double y) const {
  const auto i = static_cast<std::size_t>(d);
  const Axis& axis = grid_.axis(1);
  const double share = (y - axis.origin) / axis.length();
  return wall_[0][i] + share * (wall_[1][i] - wall_[0][i]);
}

const double* MarkerMaps::without_profile(Cpu cpu, int d, const double* u) {
  if (!slides(d)) return u;
  const Axis& axis = grid_.axis(1);
  const std::int64_t nx = grid_.points(face(d), 0), ny = grid_.points(face(d), 1), nz = grid_.points(face(d), 2);
  double* const to = scratch_[static_cast<std::size_t>(d)].data();
  for_each(cpu, ny * nz, [=, this](std::int64_t row) {
    const double y = axis.origin + (static_cast<double>(row % ny) + 0.5) * axis.spacing, drift = profile(d, y);
    for (std::int64_t i = row * nx; i < (row + 1) * nx; ++i) to[i] = u[i] - drift;
  });
  return to;
}

void MarkerMaps::interpolate(Cpu cpu, const CellOrder<double>& order, const fluid::ConstFacePointers& u, std::int64_t n,
                             const ConstPoints& x, const Points& velocity) {
  std::array<Interpolate<double>, 3> terms;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    terms[i] = {view(grid_, without_profile(cpu, d, u[i]), d, walls_), {velocity[i], n}};
  }
  kernels::with_kernel(kernel_, [&](const auto& kernel) {
    corral::interpolate(cpu, order, kernel, std::span<const Interpolate<double>>(terms));
  });
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    double* const v = velocity[static_cast<std::size_t>(d)];
    const double* const y = x[1];
    for_each(cpu, n, [=, this](std::int64_t i) { v[i] += profile(d, y[i]); });
  }
}

void MarkerMaps::spread(Cpu cpu, const CellOrder<double>& order, std::int64_t n, const ConstPoints& values,
                        const fluid::FacePointers& force) {
  std::array<Spread<double>, 3> terms;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    per_volume_[i].resize(n);
    const double* const from = values[i];
    double* const to = per_volume_[i].data();
    const double scale = 1 / grid_.cell_volume();
    for_each(cpu, n, [=](std::int64_t p) { to[p] = scale * from[p]; });
    terms[i] = {{to, n}, view(grid_, force[i], d, walls_)};
  }
  kernels::with_kernel(kernel_, [&](const auto& kernel) {
    corral::spread(cpu, order, kernel, std::span<const Spread<double>>(terms), method_);
  });
}

double MarkerMaps::power_on_faces(Cpu cpu, const fluid::ConstFacePointers& force) const {
  double total = 0;
  const Axis& axis = grid_.axis(1);
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    const double* const f = force[static_cast<std::size_t>(d)];
    const std::int64_t nx = grid_.points(face(d), 0), ny = grid_.points(face(d), 1);
    total += grid_.cell_volume() * sum(cpu, grid_.points(face(d)), [=, this](std::int64_t i) {
               return f[i] * profile(d, axis.origin + (static_cast<double>(i / nx % ny) + 0.5) * axis.spacing);
             });
  }
  return total;
}

double MarkerMaps::power_on_points(Cpu cpu, std::int64_t n, const ConstPoints& x, const ConstPoints& values) const {
  double total = 0;
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    const double* const f = values[static_cast<std::size_t>(d)];
    const double* const y = x[1];
    total += sum(cpu, n, [=, this](std::int64_t i) { return f[i] * profile(d, y[i]); });
  }
  return total;
}

std::int64_t MarkerMaps::bytes() const {
  std::int64_t total = 0;
  for (const auto* arrays : {&scratch_, &per_volume_})
    for (const Array<double>& a : *arrays) total += a.bytes();
  return total;
}

} // namespace corral::membrane

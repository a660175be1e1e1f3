#include "structure/markers/marker_maps.t.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::structure {

namespace marker_maps {

namespace {

/// Whether a side has a velocity of its own for a component: a wall that nothing comes through across it.
bool holds(const fluid::Domain& domain, int side, int component) {
  return domain.side_kind_of_whole(side) == fluid::SideKind::no_slip && !(component == side / 2 && domain.has_inlet_in_whole(side));
}
/// Whether it lets slip, and nothing through.
bool slips(const fluid::Domain& domain, int side) {
  const fluid::SideKind kind = domain.side_kind_of_whole(side);
  return (kind == fluid::SideKind::free_slip || kind == fluid::SideKind::symmetry) && !domain.has_inlet_in_whole(side);
}

/// Velocities at the low and the high wall of an axis; of one wall alone its own at both.
std::array<double, 2> velocities(const fluid::Domain& domain, int axis, int component) {
  const int low = fluid::side(axis, false), high = fluid::side(axis, true);
  const auto at = [&](int side) { return domain.wall_velocity_of_whole(side)[static_cast<std::size_t>(component)]; };
  return {at(holds(domain, low, component) ? low : high), at(holds(domain, high, component) ? high : low)};
}

} // namespace

Walled walled(const fluid::Domain& domain, int component) {
  Walled w;
  std::array<bool, 3> held{};
  double fastest = 0;
  for (int k = 1; k <= 3; ++k) { // from the component's own axis on, so that no axis is named
    const int axis = (component + k) % 3, low = fluid::side(axis, false), high = fluid::side(axis, true);
    const auto a = static_cast<std::size_t>(axis);
    held[a] = holds(domain, low, component) || holds(domain, high, component);
    const bool still = held[a] || (axis == component && (slips(domain, low) || slips(domain, high)));
    w.sign[a] = still ? Sign::minus : Sign::plus;
    if (!held[a]) continue;
    const auto [of_low, of_high] = velocities(domain, axis, component);
    const double speed = std::max(std::abs(of_low), std::abs(of_high));
    if (speed > fastest) fastest = speed, w.across = axis, w.low = of_low, w.high = of_high;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!held[static_cast<std::size_t>(axis)] || axis == w.across || !w.slides()) continue;
    const auto [of_low, of_high] = velocities(domain, axis, component);
    if (w.low != w.high || of_low != w.low || of_high != w.low) w.sign[static_cast<std::size_t>(axis)] = Sign::plus;
  }
  return w;
}

namespace {

int points_of(const std::string& kernel) {
  int points = 0;
  if (!kernels::with_kernel(kernel, [&](const auto& k) { points = KernelWeights<double>::of(k).widest(); }))
    throw Error("no kernel is called '" + kernel + "'");
  return points;
}

} // namespace

std::int64_t reach(const std::string& kernel) { return BoxMaps::reach(points_of(kernel)); }

} // namespace marker_maps

MarkerMaps::MarkerMaps(const fluid::Domain& domain, std::string kernel, Method method,
                       const std::array<Staggering, 3>& staggering, Memory memory)
    : grid_(domain.grid()), whole_(domain.whole()), shared_(domain.shared()), staggering_(staggering),
      kernel_(std::move(kernel)), method_(method) {
  const int points = marker_maps::points_of(kernel_);
  for (auto* fields : {&scratch_, &per_volume_})
    for (auto& component : *fields) component = Array<double>(memory);
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    walled_[i] = marker_maps::walled(domain, d);
    own_points_[i] = domain.own_points(staggering_[i]);
    if (slides(d)) scratch_[i].resize(grid_.points(staggering_[i]));
  }
  if (shared_) box_ = std::make_unique<BoxMaps>(*shared_, points, staggering_);
}

marker_maps::Layers MarkerMaps::layers(int d) const {
  const int across = walled_[static_cast<std::size_t>(d)].across;
  const Staggering at = staggering_[static_cast<std::size_t>(d)];
  const Axis& axis = whole_.axis(across);
  std::int64_t stride = 1;
  for (int a = 0; a < across; ++a) stride *= grid_.points(at, a);
  const auto first = static_cast<double>(shared_ ? shared_->first(across) : 0);
  return {axis.origin, axis.spacing, first + (on_face(at, across) ? 0 : 0.5), stride, grid_.points(at, across)};
}

marker_maps::Profile MarkerMaps::profile(int d) const {
  const marker_maps::Walled& w = walled_[static_cast<std::size_t>(d)];
  const Axis& axis = whole_.axis(w.across);
  return {axis.origin, axis.length(), w.low, w.high};
}

double MarkerMaps::power_on_own(int d, const double* f, const marker_maps::Profile& profile, const marker_maps::Layers& layers) const {
  const fluid::CellBox& own = own_points_[static_cast<std::size_t>(d)];
  const Staggering at = staggering_[static_cast<std::size_t>(d)];
  const std::int64_t nx = grid_.points(at, 0), ny = grid_.points(at, 1), rows = own.end[1] - own.begin[1];
  const double mine = sum(Cpu{}, rows * (own.end[2] - own.begin[2]), [&](std::int64_t r) {
    const std::int64_t row = nx * (own.begin[1] + r % rows + ny * (own.begin[2] + r / rows));
    double of_row = 0;
    for (std::int64_t i = row + own.begin[0]; i < row + own.end[0]; ++i) of_row += f[i] * profile(layers.place(i));
    return of_row;
  });
  return shared_->team().sums({&mine, 1}).front();
}

void MarkerMaps::interpolate(Cpu cpu, PointBand& band, const ConstPoints& x, const Points& velocity) const {
  const fluid::BandField u = band.velocity();
  const std::int64_t nx = grid_.axis(0).cells;
  for (int d = 0; d < 3; ++d) {
    if (!slides(d)) continue;
    const marker_maps::Profile profile = this->profile(d);
    const marker_maps::Layers layers = this->layers(d);
    for_each(cpu, std::ssize(u.parts), [&](std::int64_t k) {
      const fluid::RowPart& part = u.parts[static_cast<std::size_t>(k)];
      double* at = u.of(static_cast<std::size_t>(k)) + d;
      for (std::int64_t i = nx * part.row + part.begin; i < nx * part.row + part.end; ++i, at += u.lanes) *at -= profile(layers.place(i));
    });
  }
  band.interpolate(cpu, signs(), velocity);
  add_profile(cpu, band.size(), x, velocity);
}

void MarkerMaps::spread(Cpu cpu, PointBand& band, const ConstPoints& values) const {
  band.spread(cpu, values, 1 / grid_.cell_volume(), signs());
}

template void MarkerMaps::interpolate(Cpu, const CellOrder<double>&, const ConstVectorField&, std::int64_t, const ConstPoints&,
                                      const Points&);
template void MarkerMaps::interpolate(Cpu, const MarkerOrder&, const ConstVectorField&, std::int64_t, const ConstPoints&, const Points&);
template void MarkerMaps::interpolate_change(Cpu, const MarkerOrder&, const ConstVectorField&, std::int64_t, const Points&) const;
template void MarkerMaps::spread(Cpu, const MarkerOrder&, std::int64_t, const ConstPoints&, const VectorField&);
template void MarkerMaps::interpolate_change(Cpu, const CellOrder<double>&, const ConstVectorField&, std::int64_t,
                                             const Points&) const;
template void MarkerMaps::clear(Cpu, const VectorField&) const;
template void MarkerMaps::spread(Cpu, const CellOrder<double>&, std::int64_t, const ConstPoints&, const VectorField&);
template double MarkerMaps::power_on_field(Cpu, const ConstVectorField&) const;
template double MarkerMaps::power_on_points(Cpu, std::int64_t, const ConstPoints&, const ConstPoints&) const;

} // namespace corral::structure

#include "structure/markers/marker_maps.t.hpp"

#include <corral/error.hpp>

#include <utility>

namespace corral::structure {

MarkerMaps::MarkerMaps(const fluid::Domain& domain, std::string kernel, Method method,
                       const std::array<Staggering, 3>& staggering, Memory memory)
    : grid_(domain.grid()), staggering_(staggering), walls_(!domain.grid().axis(1).periodic()), kernel_(std::move(kernel)), method_(method) {
  if (!kernels::with_kernel(kernel_, [](const auto&) {})) throw Error("no kernel is called '" + kernel_ + "'");
  if (walls_) wall_ = {domain.wall_velocity(fluid::side(1, false)), domain.wall_velocity(fluid::side(1, true))};
  for (auto* fields : {&scratch_, &per_volume_})
    for (auto& component : *fields) component = Array<double>(memory);
  for (int d = 0; d < 3; ++d)
    if (const auto i = static_cast<std::size_t>(d); slides(d)) scratch_[i].resize(grid_.points(staggering_[i]));
}

marker_maps::Rows MarkerMaps::rows(int d) const {
  return {grid_.axis(1).origin, grid_.axis(1).spacing, on_face(staggering_[d], 1) ? 0 : 0.5};
}

marker_maps::Profile MarkerMaps::profile(int d) const {
  return {grid_.axis(1).origin, grid_.axis(1).length(), wall_[0][d], wall_[1][d]};
}

template void MarkerMaps::interpolate(Cpu, const CellOrder<double>&, const ConstVectorField&, std::int64_t, const ConstPoints&,
                                      const Points&);
template void MarkerMaps::interpolate_change(Cpu, const CellOrder<double>&, const ConstVectorField&, std::int64_t,
                                             const Points&) const;
template void MarkerMaps::clear(Cpu, const VectorField&) const;
template void MarkerMaps::spread(Cpu, const CellOrder<double>&, std::int64_t, const ConstPoints&, const VectorField&);
template double MarkerMaps::power_on_field(Cpu, const ConstVectorField&) const;
template double MarkerMaps::power_on_points(Cpu, std::int64_t, const ConstPoints&, const ConstPoints&) const;

} // namespace corral::structure

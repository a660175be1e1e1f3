/// A viscosity that varies, on a device, and the steps of a flow with it.

#include "fluid/incompressible/device/varying_viscosity.hpp"

#include "fluid/incompressible/device/stresses.hpp"
#include "fluid/incompressible/varying_flow.t.hpp"

#include <corral/for_each.cuh>
#include <corral/together.cuh>

#include <cstddef>

namespace corral::fluid {

using namespace spectral_flow;

namespace {

/// Velocities of walls are theirs, or 0.
Stresses stresses_of(const Domain& domain, const Array<double>& cells, const std::array<Array<double>, 3>& edges,
                     const ConstFacePointers& u, bool sliding) {
  Stresses s{box_of(domain), u, cells.data(), {edges[0].data(), edges[1].data(), edges[2].data()}, {}, {}, {}};
  for (int d = 0; d < 3; ++d) {
    s.per[d] = 1 / domain.grid().axis(d).spacing;
    if (!s.box.walled || !sliding) continue;
    s.low_wall[d] = domain.wall_velocity(side(1, false))[static_cast<std::size_t>(d)];
    s.high_wall[d] = domain.wall_velocity(side(1, true))[static_cast<std::size_t>(d)];
  }
  return s;
}

} // namespace

DeviceVaryingViscosity::DeviceVaryingViscosity(const Domain& domain)
    : domain_(domain), cells_(domain.grid().cells(), 0.0, Memory::device),
      edges_{Array<double>(domain.grid().points(face(1)), 0.0, Memory::device), Array<double>(domain.grid().cells(), 0.0, Memory::device),
             Array<double>(domain.grid().points(face(1)), 0.0, Memory::device)} {}

void DeviceVaryingViscosity::set(Gpu gpu, const double* mu) {
  varying_solver::copy(gpu, cells_.size(), mu, cells_.data());
  for_each(gpu, cells_.size(), ToEdges{box_of(domain_), cells_.data(), {edges_[0].data(), edges_[1].data(), edges_[2].data()}});
}

void DeviceVaryingViscosity::find_force(Gpu gpu, const ConstFacePointers& u, VaryingViscosity::Walls walls, const FacePointers& force) const {
  const Stresses s = stresses_of(domain_, cells_, edges_, u, walls == VaryingViscosity::Walls::slide);
  for_each(gpu, s.box.cells(), ViscousForce{s, force});
}

ViscousWork DeviceVaryingViscosity::work(Gpu gpu, const ConstFacePointers& u) const {
  const Stresses s = stresses_of(domain_, cells_, edges_, u, true);
  Together<Gpu> sums(gpu);
  sums.sum(s.box.cells(), Dissipated{s});
  sums.sum(s.box.walled ? s.box.nx * s.box.nz : 0, WorkOfSlidingWalls{s});
  const double volume = domain_.grid().cell_volume();
  const auto& found = sums.values();
  return {.dissipated = volume * found[0], .by_walls = volume * found[1]};
}

std::array<double, 6> DeviceVaryingViscosity::excess_stress(Gpu gpu, double mu0, const ConstFacePointers& u) const {
  const Stresses s = stresses_of(domain_, cells_, edges_, u, true);
  Together<Gpu> sums(gpu);
  for (int component = 0; component < 6; ++component) sums.sum(s.box.cells(), ExcessStress{s, mu0, component});
  std::array<double, 6> stress{};
  for (std::size_t c = 0; c < stress.size(); ++c) stress[c] = domain_.grid().cell_volume() * sums.values()[c];
  return stress;
}

void subtract_gradient(Gpu gpu, const Domain& domain, double factor, const double* P, const FacePointers& residual) {
  const Grid& grid = domain.grid();
  const std::array<double, 3> per{factor / grid.axis(0).spacing, factor / grid.axis(1).spacing, factor / grid.axis(2).spacing};
  for_each(gpu, grid.cells(), WithoutGradient{box_of(domain), P, per, residual});
}

template class VaryingSolver<Gpu>;
template class VaryingFlow<Gpu>;

} // namespace corral::fluid

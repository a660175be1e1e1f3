#include "fluid/lattice/device/flow.hpp"

#include "fluid/lattice/device/populations.hpp"

#include <cassert>
#include <cstddef>

namespace corral::fluid {

using namespace lattice;

class DeviceLatticeFlow::Parts {
public:
  Parts(const Domain& box, const LatticeProperties& p)
      : properties(suited(box, p)), units{box.grid().axis(0).spacing, p.dt, p.density}, domain(box), sides(box, units.speed()),
        populations(make_device_populations({units, properties, relaxation_time(p, units.length), box.own()}, sides)) {}

  const LatticeProperties properties;
  const Units units;
  const Domain& domain;
  Sides sides;
  std::unique_ptr<DevicePopulations> populations;

  /// By which that of the lattice is multiplied [kg m/s].
  double momentum_of_a_cell() const { return units.density * units.speed() * domain.grid().cell_volume(); }

private:
  static const LatticeProperties& suited(const Domain& domain, const LatticeProperties& p) {
    require_suited(domain, p);
    return p;
  }
};

DeviceLatticeFlow::DeviceLatticeFlow(const Domain& domain, const LatticeProperties& p)
    : parts_(std::make_unique<Parts>(domain, p)) {}
DeviceLatticeFlow::~DeviceLatticeFlow() = default;
DeviceLatticeFlow::DeviceLatticeFlow(DeviceLatticeFlow&&) noexcept = default;
DeviceLatticeFlow& DeviceLatticeFlow::operator=(DeviceLatticeFlow&&) noexcept = default;

void DeviceLatticeFlow::start(const ConstFacePointers& velocity, const double* pressure) {
  LatticeFlow host(parts_->domain, parts_->properties);
  host.start(Cpu{}, velocity, pressure);
  copy_state(host.state(), state());
}

void DeviceLatticeFlow::step(Gpu gpu, const ConstFacePointers& force, const FacePointers& velocity) {
  parts_->sides.refresh();
  parts_->populations->step(gpu, nullptr, force, velocity);
}

void DeviceLatticeFlow::step_forced_in(Gpu gpu, RowParts forced, const ConstFacePointers& force, const FacePointers& velocity) {
  parts_->sides.refresh();
  parts_->populations->step(gpu, &forced, force, velocity);
}

void DeviceLatticeFlow::begin_step(RowParts forced) {
  parts_->sides.refresh();
  parts_->populations->begin_step(forced);
}

void DeviceLatticeFlow::step_elsewhere(Gpu gpu, const FacePointers& velocity) {
  parts_->populations->step_elsewhere(gpu, velocity);
}

void DeviceLatticeFlow::find(Gpu gpu, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) const {
  parts_->populations->find(gpu, nullptr, force, velocity, pressure);
}

void DeviceLatticeFlow::find_in(Gpu gpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity,
                                double* pressure) const {
  parts_->populations->find(gpu, &parts, force, velocity, pressure);
}

std::array<double, 3> DeviceLatticeFlow::fastest(Gpu gpu) const {
  std::array<double, 3> u = parts_->populations->fastest(gpu);
  for (double& component : u) component *= parts_->units.speed();
  return u;
}

double DeviceLatticeFlow::excess_mass(Gpu gpu) const {
  return parts_->populations->totals(gpu).excess / static_cast<double>(parts_->domain.grid().cells());
}

std::array<double, 3> DeviceLatticeFlow::momentum(Gpu gpu) const {
  std::array<double, 3> total = parts_->populations->totals(gpu).momentum;
  for (double& component : total) component *= parts_->momentum_of_a_cell();
  return total;
}

std::array<double, 3> DeviceLatticeFlow::force_of_sides(Gpu gpu) const {
  std::array<double, 3> force = parts_->populations->given_by_sides(gpu);
  for (double& component : force) component *= parts_->momentum_of_a_cell() / parts_->units.time;
  return force;
}

const LatticeProperties& DeviceLatticeFlow::properties() const { return parts_->properties; }
std::int64_t DeviceLatticeFlow::steps() const { return parts_->populations->steps; }
LatticeFlow::State DeviceLatticeFlow::state() { return parts_->populations->state(); }

void copy_state(const LatticeFlow::State& from, const LatticeFlow::State& to) {
  assert(from.outlets.size() == to.outlets.size());
  std::visit([&](auto* values) { *std::get<decltype(values)>(to.populations) = *values; }, from.populations);
  for (std::size_t i = 0; i < from.outlets.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) *to.outlets[i].velocity[d] = *from.outlets[i].velocity[d];
  *to.steps = *from.steps;
}

} // namespace corral::fluid

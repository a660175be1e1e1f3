#include "fluid/incompressible/device/flow.hpp"

#include "fluid/incompressible/device/axis_symbols.hpp"
#include "fluid/incompressible/device/modes.hpp"
#include "fluid/incompressible/device/momentum.hpp"
#include "fluid/incompressible/flow_parts.hpp"
#include "fluid/incompressible/varying_flow.hpp"
#include "fluid/spectral/device/box_transform.hpp"

#include <corral/array.hpp>
#include <corral/error.hpp>
#include <corral/for_each.cuh>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace corral::fluid {

using namespace spectral_flow;

namespace {

/// Columns are few and long: a warp a block, so that they come to all multiprocessors.
constexpr int column_threads = 32;
__global__ void walled_modes_global(WalledModes modes) {
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * column_threads + threadIdx.x;
  if (index < modes.indices()) modes(index);
}

} // namespace

class DeviceIncompressibleFlow::Parts final : public FlowOfOneViscosity<Gpu> {
public:
  Parts(const Domain& domain, const FlowProperties& properties)
      : domain_(domain), properties_(properties), layout_(domain), box_(box_of(domain)), transform_(layout_), padded_(transform_.box()),
        symbols_{SymbolsOfAxis(domain.grid().axis(0), padded_.modes()), SymbolsOfAxis(domain.grid().axis(1), box_.ny),
                 SymbolsOfAxis(domain.grid().axis(2), box_.nz)} {
    for (Array<double>& field : fields_) field.resize(padded_.size());
    if (layout_.walled) pivots_.resize(padded_.size() / 2);
    if (has_inertia()) half_ = make_face_arrays(domain.grid(), 0, Memory::device);
  }

  void step(Gpu gpu, const FlowState& s, const ConstFacePointers& force, double dt) {
    require_step(dt);
    const ConstFacePointers u = begin(gpu, s);
    if (varying_) return varying_->step(gpu, s, force, dt, writable_pointers(half_));
    advance(gpu, {0.5, dt, u, u, force, writable_pointers(half_)}, nullptr);
    advance(gpu, {1, dt, u, pointers(half_), force, s.velocity}, s.pressure);
  }

  void foresee(Gpu gpu, const FlowState& s, const ConstFacePointers& force, double dt) {
    require_step(dt);
    const ConstFacePointers u = begin(gpu, s);
    const FlowHalf first{0.5, dt, u, u, force, writable_pointers(half_)};
    if (varying_) varying_->first(gpu, first);
    else advance(gpu, first, nullptr);
  }

  void stokes(Gpu gpu, const FlowState& s, const ConstFacePointers& force) {
    half_velocity_ = as_const(s.velocity);
    stop_at_walls(gpu, s.velocity);
    if (varying_) return varying_->stokes(gpu, s, force);
    Source source{box_, force, properties_.body_force};
    const double h = layout_.spacing(1);
    for (std::size_t d = 0; d < 3 && layout_.walled; ++d) { // walls that slide are the force that they have on a fluid at rest
      source.low_wall[d] = 2 * properties_.viscosity / (h * h) * domain_.wall_velocity(side(1, false))[d];
      source.high_wall[d] = 2 * properties_.viscosity / (h * h) * domain_.wall_velocity(side(1, true))[d];
    }
    load(gpu, source);
    solve(gpu, 0, properties_.viscosity, {}, s.velocity, s.pressure, 1);
  }

  void respond(Gpu gpu, const FacePointers& field) {
    if (varying_ && !has_inertia()) return answer_varying(gpu, field, 0);
    answer(gpu, field, has_inertia() ? properties_.density : 0, has_inertia() ? 0 : properties_.viscosity);
  }

  void respond_midway(Gpu gpu, const FacePointers& field, double dt) {
    if (!has_inertia()) return respond(gpu, field);
    require_step(dt);
    // The first half's equation times 2 rho/dt, whose right-hand side is the force itself.
    const double mass = 2 * properties_.density / dt;
    if (varying_) return answer_varying(gpu, field, mass);
    answer(gpu, field, mass, properties_.viscosity);
  }

  ConstFacePointers half_velocity() const { return half_velocity_; }
  bool has_inertia() const { return properties_.inertia == Inertia::full; }
  ViscousWork viscous_work(Gpu gpu, const ConstFacePointers& u) const {
    return varying_ ? varying_->work(gpu, u) : fluid::viscous_work(gpu, domain_, properties_.viscosity, u);
  }
  std::array<double, 6> excess_stress(Gpu gpu, const ConstFacePointers& u) const {
    return varying_ ? varying_->excess_stress(gpu, u) : std::array<double, 6>{};
  }
  IncompressibleFlow::Effort effort() const { return varying_ ? varying_->effort() : IncompressibleFlow::Effort{}; }

  void set_viscosity(Gpu gpu, const double* mu) {
    if (!varying_) varying_.emplace(domain_, layout_, nullptr, *this);
    varying_->set_viscosity(gpu, mu);
  }

  // What steps take where viscosity varies.
  const FlowProperties& properties() const override { return properties_; }
  bool keeps_mean() const override { return has_inertia() && properties_.mean_force == MeanForce::acts; }

  void solve_for_one(Gpu gpu, const VaryingSolver<Gpu>::Equation& e, const ConstFacePointers& R, const FacePointers& u,
                     const VaryingSolver<Gpu>::Potential& potential) override {
    load(gpu, Source{box_, R});
    solve(gpu, e.mass, e.factor * e.mu0, {}, u, potential.to, potential.factor, potential.before);
  }

  void put_momentum(Gpu gpu, const FlowHalf& half, double factor, const FacePointers& to) const override {
    for_each(gpu, box_.cells(), Put<Momentum>{momentum(half, false), factor, to});
  }

  void stop_at_walls(Gpu gpu, const FacePointers& u) const override {
    if (layout_.walled) for_each(gpu, box_.nx * box_.nz, StopAtWalls{box_, u[1]});
  }

  void take_mean_out(Gpu gpu, const FacePointers& u) const override {
    const std::array<double, 3> total = fluid::momentum(gpu, domain_, 1, as_const(u)); // times the box
    const double volume = domain_.grid().cell_volume() * static_cast<double>(box_.cells());
    std::array<double, 3> minus{};
    for (std::size_t d = 0; d < 3; ++d) minus[d] = -total[d] / volume;
    for_each(gpu, box_.cells(), Put<Source>{{box_, {u[0], u[1], u[2]}, minus}, 0, u});
  }

private:
  ConstFacePointers begin(Gpu gpu, const FlowState& s) {
    half_velocity_ = pointers(half_);
    stop_at_walls(gpu, s.velocity);
    return as_const(s.velocity);
  }

  Momentum momentum(const FlowHalf& half, bool viscous) const {
    Momentum m{box_, half.start, half.carried, half.force, {}, domain_.wall_velocity(side(1, false)), domain_.wall_velocity(side(1, true))};
    for (int d = 0; d < 3; ++d) m.factors[d] = momentum_factors(layout_, properties_, d, half.duration(), viscous);
    return m;
  }

  void advance(Gpu gpu, const FlowHalf& half, double* pressure) {
    load(gpu, momentum(half, true));
    solve(gpu, 1, 0.5 * (properties_.viscosity / properties_.density) * half.dt, half.start, half.to, pressure,
          properties_.density / half.duration());
  }

  void answer(Gpu gpu, const FacePointers& field, double mass, double diffusion) {
    stop_at_walls(gpu, field);
    load(gpu, Source{box_, as_const(field)});
    solve(gpu, mass, diffusion, {}, field, nullptr, 1);
  }

  void answer_varying(Gpu gpu, const FacePointers& field, double mass) {
    stop_at_walls(gpu, field);
    varying_->respond(gpu, field, mass);
  }

  template <class From> void load(Gpu gpu, const From& from) {
    for_each(gpu, box_.cells(), Load<From>{from, padded_, writable_pointers(fields_)});
  }

  /// (mass - diffusion Lap) u + grad P = R, div u = 0, of the fields that are loaded: `to` = start + u, pressure = before + factor P.
  void solve(Gpu gpu, double mass, double diffusion, const ConstFacePointers& start, const FacePointers& to, double* pressure,
             double factor, const double* before = nullptr) {
    if (pressure) potential_.resize(padded_.size());
    for (Array<double>& field : fields_) transform_.forward(gpu, field.data());
    solve_modes(gpu, {layout_.shape.planes, layout_.spacing(layout_.plane_axis()), mass, diffusion, 1 / layout_.transform_factor()},
                pressure != nullptr);
    for (Array<double>& field : fields_) transform_.backward(gpu, field.data());
    if (pressure) transform_.backward(gpu, potential_.data());
    for_each(gpu, box_.cells(),
             Store{box_, padded_, pointers(fields_), start, to, pressure ? potential_.data() : nullptr, pressure, factor, before});
  }

  void solve_modes(Gpu gpu, const ColumnEquation& equation, bool with_potential) {
    const auto modes = [](Array<double>& field) { return reinterpret_cast<Mode*>(field.data()); };
    const std::array<Mode*, 3> u{modes(fields_[0]), modes(fields_[1]), modes(fields_[2])};
    Mode* const potential = with_potential ? modes(potential_) : nullptr;
    if (layout_.walled) {
      const WalledModes walled{equation, symbols_[0].view(), symbols_[2].view(), padded_.modes(), box_.nz, u, potential, pivots_.data()};
      const auto blocks = static_cast<unsigned>((walled.indices() + column_threads - 1) / column_threads);
      corral::detail::check_cuda(CORRAL_LAUNCH(walled_modes_global, blocks, column_threads, 0, gpu.stream, walled), "modes between walls");
    } else {
      for_each(gpu, padded_.size() / 2, PeriodicModes{equation, keeps_mean(), {symbols_[0].view(), symbols_[1].view(), symbols_[2].view()},
                                                      padded_.modes(), box_.ny, u, potential});
    }
  }

  const Domain& domain_;
  FlowProperties properties_;
  spectral::BoxLayout layout_;
  Box box_;
  spectral::BoxTransform transform_;
  spectral::PaddedBox padded_;
  std::array<SymbolsOfAxis, 3> symbols_;
  std::array<Array<double>, 3> fields_{Array<double>(Memory::device), Array<double>(Memory::device), Array<double>(Memory::device)};
  Array<double> potential_{Memory::device}, pivots_{Memory::device};
  FaceArrays half_;
  ConstFacePointers half_velocity_{};
  std::optional<VaryingFlow<Gpu>> varying_; ///< where viscosity varies
};

DeviceIncompressibleFlow::DeviceIncompressibleFlow(const Domain& domain, const FlowProperties& properties) {
  const bool walled = !domain.grid().axis(1).periodic();
  require_properties(properties, walled);
  if (walled && properties.projection != Projection::exact)
    throw Error("projection " + std::string(name(properties.projection)) + " on a device (which has the exact one) take that");
  if (!walled && properties.inertia == Inertia::none && properties.mean_force == MeanForce::acts)
    throw Error("mean forces that act on a box that wraps (without inertia nothing balances them on a device) let them be balanced");
  if (domain.grid().cells() / 2 >= std::int64_t{1} << 31)
    throw Error(std::to_string(domain.grid().cells()) + " cells (a device has room for less than 2^32) take fewer");
  parts_ = std::make_unique<Parts>(domain, properties);
}
DeviceIncompressibleFlow::~DeviceIncompressibleFlow() = default;

void DeviceIncompressibleFlow::step(Gpu gpu, const FlowState& state, const ConstFacePointers& force, double dt) {
  require_arrays(as_const(state.velocity), "a velocity");
  require_arrays(force, "a force");
  parts_->has_inertia() ? parts_->step(gpu, state, force, dt) : parts_->stokes(gpu, state, force);
}

void DeviceIncompressibleFlow::foresee(Gpu gpu, const FlowState& state, const ConstFacePointers& force, double dt) {
  require_arrays(as_const(state.velocity), "a velocity");
  require_arrays(force, "a force");
  parts_->has_inertia() ? parts_->foresee(gpu, state, force, dt) : parts_->stokes(gpu, state, force);
}

void DeviceIncompressibleFlow::respond(Gpu gpu, const FacePointers& field) {
  require_arrays(as_const(field), "a force");
  parts_->respond(gpu, field);
}

void DeviceIncompressibleFlow::respond_midway(Gpu gpu, const FacePointers& field, double dt) {
  require_arrays(as_const(field), "a force");
  parts_->respond_midway(gpu, field, dt);
}

void DeviceIncompressibleFlow::set_viscosity(Gpu gpu, const double* mu) { parts_->set_viscosity(gpu, mu); }
std::array<double, 6> DeviceIncompressibleFlow::excess_stress(Gpu gpu, const ConstFacePointers& u) const {
  return parts_->excess_stress(gpu, u);
}
IncompressibleFlow::Effort DeviceIncompressibleFlow::effort() const { return parts_->effort(); }
ConstFacePointers DeviceIncompressibleFlow::half_velocity() const { return parts_->half_velocity(); }
ViscousWork DeviceIncompressibleFlow::viscous_work(Gpu gpu, const ConstFacePointers& u) const { return parts_->viscous_work(gpu, u); }

} // namespace corral::fluid

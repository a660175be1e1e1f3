#include "fluid/incompressible/device/flow.hpp"

#include "fluid/incompressible/device/modes.hpp"
#include "fluid/incompressible/device/momentum.hpp"
#include "fluid/incompressible/flow_parts.hpp"
#include "fluid/spectral/device/box_transform.hpp"
#include "fluid/spectral/symbols.hpp"

#include <corral/array.hpp>
#include <corral/error.hpp>
#include <corral/for_each.cuh>

#include <cstdint>
#include <string>
#include <vector>

namespace corral::fluid {

using namespace spectral_flow;

namespace {

/// The symbols of an axis, of its first `kept` modes, in memory of the device.
class SymbolsOfAxis {
public:
  SymbolsOfAxis(const Axis& axis, std::int64_t kept) {
    const spectral::DifferenceSymbols symbols(axis.cells, axis.spacing);
    std::vector<Mode> gradient;
    std::vector<double> square;
    for (std::int64_t m = 0; m < kept; ++m) gradient.push_back({symbols.re(m), symbols.im(m)}), square.push_back(symbols.square(m));
    gradient_.assign(gradient), square_.assign(square);
  }
  AxisSymbols view() const { return {gradient_.data(), square_.data()}; }

private:
  Array<Mode> gradient_{Memory::device};
  Array<double> square_{Memory::device};
};

/// Columns are few and long: a warp a block, so that they come to all multiprocessors.
constexpr int column_threads = 32;
__global__ void walled_modes_global(WalledModes modes) {
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * column_threads + threadIdx.x;
  if (index < modes.indices()) modes(index);
}

} // namespace

class DeviceIncompressibleFlow::Parts {
public:
  Parts(const Domain& domain, const FlowProperties& properties)
      : domain_(domain), properties_(properties), layout_(domain),
        box_{domain.grid().axis(0).cells, domain.grid().axis(1).cells, domain.grid().axis(2).cells, layout_.walled},
        transform_(layout_), padded_(transform_.box()), symbols_{SymbolsOfAxis(domain.grid().axis(0), padded_.modes()),
                                                                 SymbolsOfAxis(domain.grid().axis(1), box_.ny),
                                                                 SymbolsOfAxis(domain.grid().axis(2), box_.nz)} {
    for (Array<double>& field : fields_) field.resize(padded_.size());
    if (layout_.walled) pivots_.resize(padded_.size() / 2);
    if (has_inertia()) half_ = make_face_arrays(domain.grid(), 0, Memory::device);
  }

  void step(Gpu gpu, const FlowState& s, const ConstFacePointers& force, double dt) {
    require_step(dt);
    const ConstFacePointers u = begin(gpu, s);
    advance(gpu, {0.5, dt, u, u, force, writable_pointers(half_)}, nullptr);
    advance(gpu, {1, dt, u, pointers(half_), force, s.velocity}, s.pressure);
  }

  void foresee(Gpu gpu, const FlowState& s, const ConstFacePointers& force, double dt) {
    require_step(dt);
    const ConstFacePointers u = begin(gpu, s);
    advance(gpu, {0.5, dt, u, u, force, writable_pointers(half_)}, nullptr);
  }

  void stokes(Gpu gpu, const FlowState& s, const ConstFacePointers& force) {
    half_velocity_ = as_const(s.velocity);
    stop_at_walls(gpu, s.velocity);
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
    answer(gpu, field, has_inertia() ? properties_.density : 0, has_inertia() ? 0 : properties_.viscosity);
  }

  void respond_midway(Gpu gpu, const FacePointers& field, double dt) {
    if (!has_inertia()) return respond(gpu, field);
    require_step(dt);
    // The first half's equation times 2 rho/dt, whose right-hand side is the force itself.
    answer(gpu, field, 2 * properties_.density / dt, properties_.viscosity);
  }

  ConstFacePointers half_velocity() const { return half_velocity_; }
  bool has_inertia() const { return properties_.inertia == Inertia::full; }
  ViscousWork viscous_work(Gpu gpu, const ConstFacePointers& u) const {
    return fluid::viscous_work(gpu, domain_, properties_.viscosity, u);
  }

private:
  /// One half of a step: `h` times dt from `start`, with what `carried` carries.
  struct Half {
    double h, dt;
    ConstFacePointers start, carried, force;
    FacePointers to;
    double duration() const { return h * dt; }
  };

  ConstFacePointers begin(Gpu gpu, const FlowState& s) {
    half_velocity_ = pointers(half_);
    stop_at_walls(gpu, s.velocity);
    return as_const(s.velocity);
  }

  void advance(Gpu gpu, const Half& half, double* pressure) {
    Momentum momentum{box_, half.start, half.carried, half.force, {}, domain_.wall_velocity(side(1, false)),
                      domain_.wall_velocity(side(1, true))};
    for (int d = 0; d < 3; ++d) momentum.factors[d] = momentum_factors(layout_, properties_, d, half.duration());
    load(gpu, momentum);
    solve(gpu, 1, 0.5 * (properties_.viscosity / properties_.density) * half.dt, half.start, half.to, pressure,
          properties_.density / half.duration());
  }

  void answer(Gpu gpu, const FacePointers& field, double mass, double diffusion) {
    stop_at_walls(gpu, field);
    load(gpu, Source{box_, as_const(field)});
    solve(gpu, mass, diffusion, {}, field, nullptr, 1);
  }

  template <class From> void load(Gpu gpu, const From& from) {
    for_each(gpu, box_.cells(), Load<From>{from, padded_, writable_pointers(fields_)});
  }

  /// (mass - diffusion Lap) u + grad P = R, div u = 0, of the fields that are loaded: `to` = start + u, pressure = factor P.
  void solve(Gpu gpu, double mass, double diffusion, const ConstFacePointers& start, const FacePointers& to, double* pressure,
             double factor) {
    if (pressure) potential_.resize(padded_.size());
    for (Array<double>& field : fields_) transform_.forward(gpu, field.data());
    solve_modes(gpu, {layout_.shape.planes, layout_.spacing(layout_.plane_axis()), mass, diffusion, 1 / layout_.transform_factor()},
                pressure != nullptr);
    for (Array<double>& field : fields_) transform_.backward(gpu, field.data());
    if (pressure) transform_.backward(gpu, potential_.data());
    for_each(gpu, box_.cells(),
             Store{box_, padded_, pointers(fields_), start, to, pressure ? potential_.data() : nullptr, pressure, factor});
  }

  void solve_modes(Gpu gpu, const ColumnEquation& equation, bool with_potential) {
    const auto modes = [](Array<double>& field) { return reinterpret_cast<Mode*>(field.data()); };
    const std::array<Mode*, 3> u{modes(fields_[0]), modes(fields_[1]), modes(fields_[2])};
    Mode* const potential = with_potential ? modes(potential_) : nullptr;
    const bool keep_mean = has_inertia() && properties_.mean_force == MeanForce::acts;
    if (layout_.walled) {
      const WalledModes walled{equation, symbols_[0].view(), symbols_[2].view(), padded_.modes(), box_.nz, u, potential, pivots_.data()};
      const auto blocks = static_cast<unsigned>((walled.indices() + column_threads - 1) / column_threads);
      corral::detail::check_cuda(CORRAL_LAUNCH(walled_modes_global, blocks, column_threads, 0, gpu.stream, walled), "modes between walls");
    } else {
      for_each(gpu, padded_.size() / 2, PeriodicModes{equation, keep_mean, {symbols_[0].view(), symbols_[1].view(), symbols_[2].view()},
                                                      padded_.modes(), box_.ny, u, potential});
    }
  }

  void stop_at_walls(Gpu gpu, const FacePointers& u) const {
    if (layout_.walled) for_each(gpu, box_.nx * box_.nz, StopAtWalls{box_, u[1]});
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

ConstFacePointers DeviceIncompressibleFlow::half_velocity() const { return parts_->half_velocity(); }
ViscousWork DeviceIncompressibleFlow::viscous_work(Gpu gpu, const ConstFacePointers& u) const { return parts_->viscous_work(gpu, u); }

} // namespace corral::fluid

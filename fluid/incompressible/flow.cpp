#include "fluid/incompressible/flow.hpp"

#include "fluid/ghosts.hpp"
#include "fluid/incompressible/flow_parts.hpp"
#include "fluid/incompressible/flow_rows.hpp"
#include "fluid/incompressible/flow_solver.hpp"
#include "fluid/incompressible/varying_flow.hpp"
#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/transformer.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace corral::fluid {
namespace {

void require(bool good, const char* what, double value, const char* why) {
  if (!good) throw Error(std::string(what) + " " + std::to_string(value) + " (" + why + ")");
}

} // namespace

void require_properties(const FlowProperties& p, bool walled) {
  require(std::isfinite(p.viscosity) && p.viscosity > 0, "viscosity", p.viscosity,
          "a positive, finite number is needed");
  if (p.inertia == Inertia::full)
    require(std::isfinite(p.density) && p.density > 0, "density", p.density, "a positive, finite number is needed");
  for (const double f : p.body_force) require(std::isfinite(f), "body force", f, "a finite number is needed");
  if (p.inertia == Inertia::none && p.projection != Projection::exact)
    throw Error("projection " + std::string(name(p.projection)) +
                " without inertia (there is no step to split) take exact");
  if (walled && p.mean_force == MeanForce::balanced)
    throw Error("a mean force that is balanced between walls (they take it) let it act");
}

void require_arrays(const std::array<const double*, 3>& fields, const char* what) {
  for (const double* field : fields)
    if (field == nullptr) throw Error(std::string(what) + " that is missing (three components are needed)");
}

void require_step(double dt) {
  require(std::isfinite(dt) && dt > 0, "time step", dt, "a positive, finite number is needed");
}

MomentumFactors momentum_factors(const spectral::BoxLayout& layout, const FlowProperties& p, int d, double duration, bool viscous) {
  MomentumFactors f;
  for (int e = 0; e < 3; ++e) {
    const double spacing = layout.spacing(e);
    f.advection[e] = duration / (4 * spacing);
    f.viscosity[e] = viscous ? duration * (p.viscosity / p.density) / (spacing * spacing) : 0;
  }
  f.force = duration / p.density;
  f.body = f.force * p.body_force[d];
  f.pressure = f.force / layout.spacing(d);
  return f;
}

std::string_view name(Projection projection) {
  constexpr std::array<std::string_view, 3> names{"exact", "PmII", "PmIII"};
  return names[static_cast<std::size_t>(projection)];
}

class IncompressibleFlow::Parts final : public FlowOfOneViscosity<Cpu> {
public:
  Parts(const Domain& domain, const FlowProperties& properties)
      : domain_(domain), properties_(properties), solver_(domain), layout_(solver_.layout()), ghosts_(domain) {
    require_properties(properties_, layout_.walled);
    if (!layout_.walled) properties_.projection = Projection::exact;
    if (properties_.inertia == Inertia::full)
      for (int d = 0; d < 3; ++d)
        half_[d] = spectral::large_array(domain.grid().points(face(d)));
  }

  void set_viscosity(Cpu cpu, const double* mu) {
    require_exact("a viscosity that varies");
    if (!varying_) varying_.emplace(domain_, layout_, &ghosts_, *this);
    varying_->set_viscosity(cpu, mu);
  }

  void step(Cpu cpu, const FlowState& s, const ConstFacePointers& force, double dt) {
    require_step(dt);
    require_state(s);
    half_velocity_ = pointers(half_);
    stop_at_walls(cpu, s.velocity);
    const ConstFacePointers u = as_const(s.velocity);
    if (varying_) {
      varying_->step(cpu, s, force, dt, writable_pointers(half_));
    } else if (properties_.projection == Projection::exact) {
      advance(cpu, {0.5, dt, u, u, force, writable_pointers(half_)}, nullptr);
      advance(cpu, {1, dt, u, pointers(half_), force, s.velocity}, s.pressure);
    } else {
      begin_split(s, dt);
      const bool last_on_walls = properties_.projection == Projection::pm3;
      split(cpu, {0.5, dt, u, u, force, writable_pointers(half_)}, s, last_on_walls ? 1 : 0, false);
      split(cpu, {1, dt, u, pointers(half_), force, s.velocity}, s, 2, true); // phi goes as the length of the step
    }
  }

  void foresee(Cpu cpu, const FlowState& s, const ConstFacePointers& force, double dt) {
    require_step(dt);
    require_exact("a velocity that is foreseen");
    half_velocity_ = pointers(half_);
    stop_at_walls(cpu, s.velocity);
    const ConstFacePointers u = as_const(s.velocity);
    const FlowHalf first{0.5, dt, u, u, force, writable_pointers(half_)};
    if (varying_) varying_->first(cpu, first);
    else advance(cpu, first, nullptr);
  }

  void stokes(Cpu cpu, const FlowState& s, const ConstFacePointers& force) {
    if (!layout_.walled && properties_.mean_force == MeanForce::acts) require_no_mean(cpu, force);
    half_velocity_ = as_const(s.velocity);
    stop_at_walls(cpu, s.velocity);
    if (varying_) return varying_->stokes(cpu, s, force);
    solve_fields(cpu, {.mass = 0, .diffusion = properties_.viscosity, .keep_mean = false}, force,
                 properties_.body_force, s.velocity, s.pressure, true);
  }

  void project(Cpu cpu, const FacePointers& u) {
    stop_at_walls(cpu, u);
    solve_fields(cpu, {.mass = 1, .diffusion = 0, .keep_mean = true}, as_const(u), {}, u, nullptr, false);
  }

  void respond(Cpu cpu, const FacePointers& field) {
    stop_at_walls(cpu, field);
    if (varying_ && !has_inertia()) return varying_->respond(cpu, field, 0);
    const FlowSolver::Equation e{.mass = has_inertia() ? properties_.density : 0,
                                 .diffusion = has_inertia() ? 0 : properties_.viscosity,
                                 .keep_mean = keeps_mean()};
    solve_fields(cpu, e, as_const(field), {}, field, nullptr, false);
  }

  void respond_midway(Cpu cpu, const FacePointers& field, double dt) {
    if (!has_inertia()) return respond(cpu, field);
    require_step(dt);
    stop_at_walls(cpu, field);
    // The first half's equation times 2 rho/dt, whose right-hand side is the force itself.
    const double mass = 2 * properties_.density / dt, mu = properties_.viscosity;
    if (varying_) return varying_->respond(cpu, field, mass);
    solve_fields(cpu, {.mass = mass, .diffusion = mu, .keep_mean = keeps_mean()}, as_const(field), {}, field, nullptr, false);
  }

  ViscousWork viscous_work(Cpu cpu, const ConstFacePointers& u) const {
    return varying_ ? varying_->work(cpu, u) : fluid::viscous_work(cpu, domain_, properties_.viscosity, u);
  }
  std::array<double, 6> excess_stress(Cpu cpu, const ConstFacePointers& u) const {
    return varying_ ? varying_->excess_stress(cpu, u) : std::array<double, 6>{};
  }
  Effort effort() const { return varying_ ? varying_->effort() : Effort{}; }

  const FlowProperties& properties() const override { return properties_; }
  ConstFacePointers half_velocity() const { return half_velocity_; }
  bool has_inertia() const { return properties_.inertia == Inertia::full; }
  bool keeps_mean() const override { return has_inertia() && properties_.mean_force == MeanForce::acts; }

  // What steps take where viscosity varies.
  void solve_for_one(Cpu cpu, const VaryingSolver<Cpu>::Equation& e, const ConstFacePointers& R, const FacePointers& u,
                     const VaryingSolver<Cpu>::Potential& potential) override {
    const auto from = [&](int d) { return spectral::FieldRows(layout_, d, R[d], 1); };
    const auto to = [&](int d) { return spectral::StoredRows(layout_, d, nullptr, u[d]); };
    const std::array<spectral::FieldRows, 3> sources{from(0), from(1), from(2)};
    const std::array<spectral::StoredRows, 3> sinks{to(0), to(1), to(2)};
    const spectral::StoredRows cells(layout_, 0, potential.before, potential.to, potential.factor);
    stop_at_walls(cpu, u);
    solver_.solve(cpu, {.mass = e.mass, .diffusion = e.factor * e.mu0, .keep_mean = e.keep_mean},
                  {&sources[0], &sources[1], &sources[2]}, {&sinks[0], &sinks[1], &sinks[2]},
                  potential.to != nullptr ? &cells : nullptr);
  }

  void put_momentum(Cpu cpu, const FlowHalf& half, double factor, const FacePointers& to) const override {
    for (int d = 0; d < 3; ++d) {
      const MomentumRows rows(layout_, d, {half.start, half.carried, half.force[d]}, factors(d, half, false));
      const std::int64_t before = layout_.begin_plane();
      for_each_chunk(cpu, layout_.end_plane() - before, 1, [&](std::int64_t begin, std::int64_t end) {
        Array<double> row(layout_.shape.nx);
        for (std::int64_t p = std::max(before + begin, layout_.first_plane(d)); p < before + end; ++p)
          for (std::int64_t r = 0; r < layout_.shape.rows; ++r) {
            rows.read(p, r, 1, row.data(), layout_.shape.nx);
            double* const at = to[d] + layout_.begin(d, layout_.j(p, r), layout_.k(p, r));
            for (std::int64_t i = 0; i < layout_.shape.nx; ++i) at[i] = row[i] + factor * at[i];
          }
      });
    }
  }

  void take_mean_out(Cpu cpu, const FacePointers& u) const override {
    for (int d = 0; d < 3; ++d) {
      double* const component = u[static_cast<std::size_t>(d)];
      const double total = sum(cpu, own_cells(), [own = component + first_own()](std::int64_t i) { return own[i]; });
      const double mean = domain_.over_ranks(total) / static_cast<double>(domain_.whole().cells());
      for_each(cpu, layout_.grid.points(face(d)), [=](std::int64_t i) { component[i] -= mean; });
    }
  }

  /// Velocity through the walls is 0.
  void stop_at_walls(Cpu, const FacePointers& u) const override {
    layout_.each_row_on_walls(1, [&](std::int64_t begin) { std::fill_n(u[1] + begin, layout_.shape.nx, 0.0); });
  }

private:
  struct Rows {
    std::array<MomentumRows, 3> momentum;
    std::array<spectral::StoredRows, 3> stored;
    FlowSolver::Sources sources() const { return {&momentum[0], &momentum[1], &momentum[2]}; }
    FlowSolver::Sinks sinks() const { return {&stored[0], &stored[1], &stored[2]}; }
  };

  double nu() const { return properties_.viscosity / properties_.density; }
  FlowSolver::Equation equation(const FlowHalf& half) const {
    return {.mass = 1, .diffusion = 0.5 * nu() * half.dt, .keep_mean = keeps_mean()};
  }

  MomentumFactors factors(int d, const FlowHalf& half, bool viscous = true) const {
    return momentum_factors(layout_, properties_, d, half.duration(), viscous);
  }

  Rows rows(const FlowHalf& half, const double* q) const {
    const auto momentum = [&](int d) {
      const MomentumRows::Fields fields{
          half.start,
          half.carried,
          half.force[d],
          q,
          {domain_.wall_velocity(side(1, false))[d], domain_.wall_velocity(side(1, true))[d]}};
      return MomentumRows(layout_, d, fields, factors(d, half));
    };
    const auto stored = [&](int d) {
      return spectral::StoredRows(layout_, d, half.start[d], half.to[d]);
    };
    return {{momentum(0), momentum(1), momentum(2)}, {stored(0), stored(1), stored(2)}};
  }

  void advance(Cpu cpu, const FlowHalf& half, double* pressure) {
    const Rows r = rows(half, nullptr);
    const spectral::StoredRows cells(layout_, 0, nullptr, pressure, properties_.density / half.duration());
    solver_.solve(cpu, equation(half), r.sources(), r.sinks(), pressure != nullptr ? &cells : nullptr);
    ghosts_.fill(half.to);
  }

  /// Of fields in a box that wraps, whose planes lie one behind the other: where this rank's faces and cells begin, and how many they are.
  std::int64_t first_own() const { return layout_.begin(0, 0, layout_.begin_plane()); }
  std::int64_t own_cells() const { return layout_.begin(0, 0, layout_.end_plane()) - first_own(); }

  void begin_split(const FlowState& s, double dt) {
    if (properties_.projection == Projection::pm2) return solver_.clear_wall_potential();
    // It is kept as what it is per time, so that steps may differ.
    solver_.set_wall_potential(spectral::FieldRows(layout_, 0, s.potential, 0.5 * dt / properties_.density));
  }

  void split(Cpu cpu, const FlowHalf& half, const FlowState& s, double last_factor, bool whole) {
    const bool pm2 = properties_.projection == Projection::pm2;
    const Rows r = rows(half, pm2 ? s.pressure : nullptr);
    const spectral::StoredRows phi(layout_, 0, nullptr, s.potential),
        pressure(layout_, 0, pm2 ? s.pressure : nullptr, s.pressure);
    solver_.split(cpu, equation(half), r.sources(), r.sinks(),
                  {.last_factor = last_factor,
                   .phi_factor = properties_.density / half.duration(),
                   .divergence_factor = -properties_.viscosity / (2 * half.h),
                   .phi = whole && !pm2 ? &phi : nullptr,
                   .pressure = whole && s.pressure != nullptr ? &pressure : nullptr});
    ghosts_.fill(half.to);
    if (whole && pm2) ghosts_.fill_cells(s.pressure);
  }

  /// R is a field plus numbers. Walls that slide come in as the force that they have on a fluid at rest beside them.
  void solve_fields(Cpu cpu, const FlowSolver::Equation& e, const ConstFacePointers& R,
                    const std::array<double, 3>& more, const FacePointers& u, double* pressure, bool sliding_walls) {
    const auto source = [&](int d) {
      std::array<double, 2> beside{};
      if (sliding_walls)
        for (const bool high : {false, true})
          beside[high ? 1 : 0] =
              2 * e.diffusion / (layout_.spacing(1) * layout_.spacing(1)) * domain_.wall_velocity(side(1, high))[d];
      return spectral::FieldRows(layout_, d, R[d], 1, more[d], beside);
    };
    const std::array<spectral::FieldRows, 3> from{source(0), source(1), source(2)};
    const std::array<spectral::StoredRows, 3> to{spectral::StoredRows(layout_, 0, nullptr, u[0]),
                                                 spectral::StoredRows(layout_, 1, nullptr, u[1]),
                                                 spectral::StoredRows(layout_, 2, nullptr, u[2])};
    const spectral::StoredRows cells(layout_, 0, nullptr, pressure);
    solver_.solve(cpu, e, {&from[0], &from[1], &from[2]}, {&to[0], &to[1], &to[2]},
                  pressure != nullptr ? &cells : nullptr);
    ghosts_.fill(u);
  }

  void require_exact(const char* what) const {
    if (properties_.projection != Projection::exact)
      throw Error(std::string(what) + " with projection " + std::string(name(properties_.projection)) +
                  " (pressure and velocity are found together) take exact");
  }

  void require_state(const FlowState& s) const {
    if (properties_.projection == Projection::pm2 && s.pressure == nullptr)
      throw Error("PmII without an array for the pressure (a step reads that of the last one)");
    if (properties_.projection == Projection::pm3 && s.potential == nullptr)
      throw Error("PmIII without an array for the potential (a step reads that of the last one)");
  }

  void require_no_mean(Cpu cpu, const ConstFacePointers& force) const {
    // Sums of forces that cancel, as membranes' do, are left with their round-off.
    constexpr double least = 1e-10;
    for (std::size_t d = 0; d < 3; ++d) {
      const double* const f = force[d] + first_own();
      const double body = properties_.body_force[d];
      const double total = domain_.over_ranks(sum(cpu, own_cells(), [=](std::int64_t i) { return f[i] + body; }));
      const double size = domain_.over_ranks(sum(cpu, own_cells(), [=](std::int64_t i) { return std::abs(f[i] + body); }));
      if (std::abs(total) > least * size)
        throw Error("a mean force along " + std::string(1, "xyz"[d]) + " of " +
                    std::to_string(total / static_cast<double>(domain_.whole().cells())) +
                    " N/m3 on a box that wraps (without inertia nothing balances it) let mean forces be balanced");
    }
  }

  const Domain& domain_;
  FlowProperties properties_;
  FlowSolver solver_;
  const spectral::BoxLayout& layout_;
  Ghosts ghosts_;
  FaceArrays half_;
  ConstFacePointers half_velocity_{};
  std::optional<VaryingFlow<Cpu>> varying_; ///< where viscosity varies
};

IncompressibleFlow::IncompressibleFlow(const Domain& domain, const FlowProperties& properties)
    : parts_(std::make_unique<Parts>(domain, properties)) {}
IncompressibleFlow::~IncompressibleFlow() = default;

void IncompressibleFlow::set_viscosity(Cpu cpu, const double* mu) { parts_->set_viscosity(cpu, mu); }

void IncompressibleFlow::step(Cpu cpu, const FlowState& state, const ConstFacePointers& force, double dt) {
  require_arrays(as_const(state.velocity), "a velocity");
  require_arrays(force, "a force");
  parts_->has_inertia() ? parts_->step(cpu, state, force, dt) : parts_->stokes(cpu, state, force);
}

void IncompressibleFlow::foresee(Cpu cpu, const FlowState& state, const ConstFacePointers& force, double dt) {
  require_arrays(as_const(state.velocity), "a velocity");
  require_arrays(force, "a force");
  parts_->has_inertia() ? parts_->foresee(cpu, state, force, dt) : parts_->stokes(cpu, state, force);
}

void IncompressibleFlow::project(Cpu cpu, const FacePointers& velocity) {
  require_arrays(as_const(velocity), "a velocity");
  parts_->project(cpu, velocity);
}

void IncompressibleFlow::respond(Cpu cpu, const FacePointers& field) {
  require_arrays(as_const(field), "a force");
  parts_->respond(cpu, field);
}

void IncompressibleFlow::respond_midway(Cpu cpu, const FacePointers& field, double dt) {
  require_arrays(as_const(field), "a force");
  parts_->respond_midway(cpu, field, dt);
}

ConstFacePointers IncompressibleFlow::half_velocity() const { return parts_->half_velocity(); }
const FlowProperties& IncompressibleFlow::properties() const { return parts_->properties(); }
ViscousWork IncompressibleFlow::viscous_work(Cpu cpu, const ConstFacePointers& u) const { return parts_->viscous_work(cpu, u); }
std::array<double, 6> IncompressibleFlow::excess_stress(Cpu cpu, const ConstFacePointers& u) const {
  return parts_->excess_stress(cpu, u);
}
IncompressibleFlow::Effort IncompressibleFlow::effort() const { return parts_->effort(); }

} // namespace corral::fluid

#pragma once

#include "fluid/incompressible/device/varying_viscosity.hpp"
#include "fluid/incompressible/flow_parts.hpp"
#include "fluid/incompressible/varying_solver.hpp"
#include "fluid/incompressible/varying_viscosity.hpp"

#include <corral/execution.hpp>

#include <array>
#include <concepts>
#include <type_traits>

namespace corral::fluid {

/// What a flow lends to its steps where viscosity varies.
template <Execution E> class FlowOfOneViscosity {
public:
  virtual const FlowProperties& properties() const = 0;
  virtual bool keeps_mean() const = 0; ///< of a box that wraps
  /// VaryingSolver's for one viscosity; its mean is kept where the equation says so.
  virtual void solve_for_one(E, const typename VaryingSolver<E>::Equation&, const ConstFacePointers& R, const FacePointers& u,
                             const typename VaryingSolver<E>::Potential&) = 0;
  /// to = the right-hand side of a half without its viscous force + factor `to`, but on walls.
  virtual void put_momentum(E, const FlowHalf&, double factor, const FacePointers& to) const = 0;
  virtual void stop_at_walls(E, const FacePointers& u) const = 0; ///< what goes through them
  virtual void take_mean_out(E, const FacePointers& u) const = 0; ///< in a box that wraps

protected:
  ~FlowOfOneViscosity() = default;
};

/// Steps of IncompressibleFlow where viscosity varies, for either processor. Fields lie where E works.
template <Execution E> class VaryingFlow {
public:
  /// Keeps references to all; `ghosts` may be null.
  VaryingFlow(const Domain&, const spectral::BoxLayout&, const Ghosts* ghosts, FlowOfOneViscosity<E>&);

  void set_viscosity(E execution, const double* mu) { viscosity_.set(execution, mu); }
  /// The first half, which begins with no change; returns what VaryingSolver::solve does.
  double first(E, const FlowHalf&);
  /// Both halves, of which `half` takes the first one's velocity.
  void step(E, const FlowState&, const ConstFacePointers& force, double dt, const FacePointers& half);
  void stokes(E, const FlowState&, const ConstFacePointers& force);
  /// field = what (mass - div 2 mu D) makes of it.
  void respond(E, const FacePointers& field, double mass);

  ViscousWork work(E execution, const ConstFacePointers& u) const { return viscosity_.work(execution, u); }
  std::array<double, 6> excess_stress(E execution, const ConstFacePointers& u) const {
    return viscosity_.excess_stress(execution, flow_.properties().viscosity, u);
  }
  IncompressibleFlow::Effort effort() const { return {solver_.solves(), solver_.iterations()}; }

private:
  using Viscosity = std::conditional_t<std::same_as<E, Cpu>, VaryingViscosity, DeviceVaryingViscosity>;
  using Equation = typename VaryingSolver<E>::Equation;

  Equation equation(double mass, double factor) const {
    return {.mass = mass, .factor = factor, .mu0 = flow_.properties().viscosity, .keep_mean = flow_.keeps_mean()};
  }
  /// That of both halves.
  Equation of_step(double dt) const { return equation(1, 0.5 * dt / flow_.properties().density); }
  void put_momentum(E, const FlowHalf&, const ConstFacePointers& u);
  double solve(E, const Equation&, const FacePointers& u, double* pressure, double pressure_factor, double scale);
  std::int64_t faces(std::size_t d) const { return domain_.grid().points(face(static_cast<int>(d))); }

  const Domain& domain_;
  bool walled_;
  FlowOfOneViscosity<E>& flow_;
  Viscosity viscosity_;
  VaryingSolver<E> solver_;
};

} // namespace corral::fluid

#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/incompressible/measures.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace corral::fluid {

/// How pressure keeps the flow free of divergence between walls. Where the box wraps all three are one.
enum class Projection : std::uint8_t {
  exact, ///< velocity and pressure together: no splitting error
  pm2, ///< the last pressure in the momentum equation, its change by a projection (PmII, Brown, Cortez and Minion 2001)
  pm3  ///< no pressure in the momentum equation; the last potential on the walls (PmIII, the same)
};

enum class Inertia : std::uint8_t {
  full,
  none ///< Stokes flow: velocity is what the forces of the moment make of it
};

/// What becomes of a force's mean over a box that wraps.
enum class MeanForce : std::uint8_t {
  acts,    ///< it accelerates the fluid; without inertia there must be none
  balanced ///< it is taken out of the momentum equation
};

std::string_view name(Projection);

/// What a flow is made of.
struct FlowProperties {
  double density = 0;   ///< rho [kg/m3]
  double viscosity = 0; ///< mu [Pa s]
  Projection projection = Projection::exact;
  Inertia inertia = Inertia::full;
  MeanForce mean_force = MeanForce::acts;
  std::array<double, 3> body_force{}; ///< everywhere, beside a step's forces [N/m3]: a pressure gradient that drives
};

/// All that one step leaves to the next, in arrays of the caller.
struct FlowState {
  FacePointers velocity; ///< [m/s], grid.points(face(d)) values; on walls 0
  /// [Pa] in cells, mean 0, that of the middle of the step: set where it is given. PmII between walls needs it and
  /// reads it, 0 at first.
  double* pressure = nullptr;
  /// [Pa] in cells: PmIII between walls needs it and reads it, 0 at first; otherwise it is left alone.
  double* potential = nullptr;
};

/// Incompressible flow of constant density, and of one viscosity or one that varies, in a box that wraps along three axes,
/// or along x and z between two no-slip walls in y, each with its own velocity. A step is of second order: with h = 1/2,
/// u_adv = u^n, and then with h = 1, u_adv = u^(n+1/2),
///   (1 - nu dt Lap/2)(u - u^n) + grad P = h dt (nu Lap u^n + (f + body)/rho - H(u_adv)),   div u = 0,
/// where u is u^(n+1/2) and u^(n+1), and H is advection in central flux form (Peskin 2002). The linear equations are
/// solved exactly, mode by mode: Fourier transforms along axes that wrap, banded matrices between walls. What a step
/// reads is `FlowState`, forces and the walls' velocities; the same bits for any number of threads.
///
/// Where ranks share the box along the planes of transforms, z or, between walls, y, calls are collective. Each rank has what it gives and
/// gets in its own part; velocities that it hands over have good ghosts, and so have those that it gets. They have one process's
/// bits, as pressure has, unless viscosity varies.
///
/// Where viscosity varies, nu Lap u is div 2 mu D(u)/rho, of the same mu in both halves, and the equations are solved by
/// iterations (VaryingSolver) up to a millionth.
class IncompressibleFlow {
public:
  /// Keeps a reference to the domain. Throws Error for sides that are not served, cells that are blocked, lengths with
  /// prime factors above 7 along axes that wrap, and properties out of range.
  IncompressibleFlow(const Domain&, const FlowProperties&);
  ~IncompressibleFlow();
  IncompressibleFlow(const IncompressibleFlow&) = delete;
  IncompressibleFlow& operator=(const IncompressibleFlow&) = delete;

  /// From now on viscosity is mu[c] in all cells, ghosts among them, x fastest [Pa s]: positive, finite numbers, which are copied.
  /// Throws Error for a projection other than exact.
  void set_viscosity(Cpu, const double* mu);

  /// Advances the state by dt [s] under a force on the faces [N/m3] that acts in both halves; what stands on walls is
  /// not looked at. Without inertia dt is not looked at: the velocity is that under the force. Throws Error for a dt
  /// that is not positive and finite, for arrays that are missing, and without inertia for a mean force that nothing
  /// balances.
  void step(Cpu, const FlowState&, const ConstFacePointers& force, double dt);

  /// Does the first half of `step` alone: finds half_velocity(). The state stays; without inertia this is a step. Throws
  /// Error as `step` does, and for a projection other than exact.
  void foresee(Cpu, const FlowState&, const ConstFacePointers& force, double dt);

  /// u^(n+1/2) of the last step [m/s], null before the first; without inertia the velocity itself. Good until the next
  /// call.
  ConstFacePointers half_velocity() const;

  /// Takes out what has divergence, and what goes through walls. A velocity that a flow is to begin with passes here.
  /// Steps add changes without divergence: theirs is round-off, which adds up as a random walk does.
  void project(Cpu, const FacePointers& velocity);

  /// Turns a field of forces [N/m3] into what it makes of the fluid at once: without inertia a velocity [m/s], otherwise
  /// an acceleration [m/s2]. It is linear and symmetric: body force and moving walls take no part. No state changes.
  void respond(Cpu, const FacePointers& field);
  /// Turns it into what it adds to u^(n+1/2) in a step of dt [s] [m/s], likewise, where that is foreseen.
  void respond_midway(Cpu, const FacePointers& field, double dt);

  const FlowProperties& properties() const;

  // Of a velocity, by the operators of the flow's own scheme.
  ViscousWork viscous_work(Cpu, const ConstFacePointers& velocity) const;
  /// The box's sum of 2 (mu - properties().viscosity) D(u), xx yy zz xy xz yz [N m].
  std::array<double, 6> excess_stress(Cpu, const ConstFacePointers& velocity) const;

  /// Where viscosity varies, so far: solutions, and iterations that they took together.
  struct Effort {
    std::int64_t solves = 0, iterations = 0;
  };
  Effort effort() const;

private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace corral::fluid

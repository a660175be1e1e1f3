#pragma once

#include "fluid/transport/advection.hpp"
#include "fluid/transport/padded_velocity.hpp"
#include "fluid/transport/viscous_stress.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace corral::fluid {

/// The form of the viscous force.
enum class Viscosity : std::uint8_t {
  laplacian, ///< g mu lap u
  stress     ///< div(m (grad u + grad u^T - 2/3 div u)), m the product of g and mu in cells
};

/// What carries momentum through a step: a fluid that fills a share g of the volume around every face.
struct Carrier {
  ConstFacePointers flux{};  ///< F, volume of the fluid through faces, superficial [m/s]
  ConstFacePointers share{}; ///< g once F has flowed, > 0 [-]
  double time = 0;           ///< for which F flows [s]
  const double* cell_share = nullptr; ///< g in cells, where viscosity is a stress [-]
  // Of a fluid whose density and viscosity vary g is its mass per volume [kg/m3], F that mass's flux, and the density and
  // viscosity that CarriedMomentum was made with are 1. Then it is these that viscosity takes:
  ConstFacePointers rubbed{};          ///< viscosity times share of the volume [Pa s]; null where it is constant
  const double* cell_mass = nullptr;   ///< g in cells, cell_share being viscosity times share of the volume there

  const double* rubbed_share(int d) const {
    return rubbed[d] ? rubbed[d] : share[d];
  }
};

/// Momentum rho g u of a fluid of constant density that shares the volume with something else, in conservation form.
///
/// Fd, the mean of F on the faces beside each side of a face's control volume, carries what it carries of the fluid:
///   g_1 u_1 = g_0 u - t div(Fd u_side) + dt g_1 (mu/rho) lap u,   g_0 = g_1 + t div Fd
/// with u_side by an advection scheme. What leaves a control volume enters the next, and a uniform u stays uniform
/// whatever g and F are. g_0 is the share from which F leads to g_1; by how much it differs from what was there is a
/// drift of mass, which carries u and is counted (`drift`). Through a side of the box goes the side's own velocity: the
/// wall's on no-slip walls, inlets among them, the last face's elsewhere. Control volumes on sides are half a cell.
///
/// Sub-steps: n = ceil(N) up to most_substeps, N the largest number of times that a control volume is replaced in the
/// step by what enters (upwind; van Leer what enters and leaves, central half of both) and by viscosity. While N/n <= 1
/// upwind and van Leer give means of values around. Beyond, n grows until advection alone takes half of that, and
/// viscosity is weakened to the other half, all of it alike: so momentum is kept for any dt. Central takes Runge and
/// Kutta's third order in each sub-step (MomentumForces says why). A stress is taken to replace a control volume at the
/// rate 8/3 m sum 1/h^2/(rho g), with the largest m around: 4/3 for what it does to waves along their own direction.
class CarriedMomentum {
public:
  /// Its arrays lie in `memory`, where calls with E want them. `smagorinsky` is the constant of the eddies'
  /// viscosity, which the stress takes from u; 0: none. Throws Error for a domain with blocked cells.
  CarriedMomentum(const Domain& domain, double rho, double mu, Advection advection, Memory memory = Memory::host,
                  Viscosity viscosity = Viscosity::laplacian, double smagorinsky = 0);

  /// `force` is rho (u_1 - u)/dt [N/m3] per volume of fluid, on fixed faces what they would be given if they weren't
  /// held at `u`. Arrays hold grid.points(face(d)) values per direction. Returns n.
  template <Execution E>
  int advance(E, const Carrier& carrier, double dt, const ConstFacePointers& u, const FacePointers& force);

  static constexpr int most_substeps = 8;

  // Where momentum went in the last `advance`, per direction [N s].
  /// What the fluid that came and left through the sides carried.
  template <Execution E> std::array<double, 3> through_sides(E);
  /// What viscosity gave, walls' friction included.
  template <Execution E> std::array<double, 3> by_viscosity(E);
  /// What mass carries that is there though F did not bring it: g_0 - `before`, and what g_0 is raised by where it is
  /// less than half of g_1.
  template <Execution E>
  std::array<double, 3> by_drift(E, const ConstFacePointers& before, const ConstFacePointers& u,
                                 const ConstFacePointers& force) const;
  /// Largest |g_0 - before| [-].
  template <Execution E> double largest_drift(E, const ConstFacePointers& before) const;

  // The parts of a call; public, since nvcc takes the loops of no others.
  template <Execution E> double find_numbers(E, int d, double dt, double& advective, double& viscous);
  template <Advection scheme, Execution E> void take_stage(E, int d, int k, int part, double* out);
  template <Execution E> void add_mean(E, int d);
  template <Execution E> void add_stress_numbers(E, int d, double dt);

private:
  std::array<double, 3> viscous_scales() const; ///< mu/h^2, weakened; 0 where viscosity is a stress [Pa s/m2]

  const Domain& domain_;
  double rho_, mu_, smagorinsky_;
  Advection advection_;
  PaddedVelocity u_, flux_;
  std::optional<ViscousStress> stress_;
  std::array<PaddedFaces, 3> start_; ///< where a sub-step of several stages began
  FaceArrays spread_;                ///< div Fd [1/s]
  FaceArrays mean_;                  ///< of the velocities that were carried
  FaceArrays held_;                  ///< what fixed faces were given [m/s]
  Array<double> numbers_, viscous_;  ///< N of one component's faces, and its viscous part [-]
  Carrier carrier_;
  double dt_ = 0;
  int substeps_ = 1;
  double weakened_ = 1; ///< what is left of viscosity
};

} // namespace corral::fluid

#pragma once

#include "fluid/transport/advection.hpp"
#include "fluid/transport/padded_velocity.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid {

/// What is known of a step's velocities before it, on faces [m/s2]: how the last step changed them, and by what else than
/// H. Both are 0 on fixed faces.
struct Foresight {
  std::array<const double*, 3> rate, others;
};

/// Explicit forces of a fluid of constant density and viscosity on its faces, in advective form:
/// H_d = -rho (u . grad) u_d + mu lap u_d [N/m3], what add_advection and add_viscosity give together, to round-off.
///
/// A face's value is replaced by its neighbours' at the rate c = sum over d of s |u_d|/h_d + 2 nu/h_d^2 [1/s], with s
/// the steepest slope of the scheme: 1 upwind and central, 2 van Leer; for central |u_d| is the mean of both sides of
/// the control volume. With upwind and van Leer, while dt c <= 1, u + dt H/rho is a mean of values around the face, and
/// no larger than they are. With central it is none, and grows without bound where viscosity is weak. Its sub-steps are
/// therefore Runge and Kutta's of third order, stable on the imaginary axis, where central advection has its
/// eigenvalues: while dt c <= 1 and the flow has no divergence the sum of u^2 does not grow; single values may.
class MomentumForces {
public:
  /// Calls take what they work with from `scratch`, and give it back.
  MomentumForces(const Domain& domain, double rho, double mu, Advection advection, Scratch& scratch)
      : domain_(domain), scratch_(scratch), rho_(rho), mu_(mu), advection_(advection), u_(domain, scratch) {}

  /// Where ranks share planes, calls from now on read u there and in two beside them, and find H on the faces of its own cells. They are
  /// collective then.
  void share(const Planes& planes) { planes_ = planes; }

  /// `u` and `force` hold grid.points(face(d)) values per direction; values of `force` on fixed faces are what holds
  /// them, but for the pressure.
  template <Execution E>
  void operator()(E, const std::array<const double*, 3>& u, const std::array<double*, 3>& force);

  /// The mean of H over a step of dt [s] in which u is carried by what it was at the start: `force` is
  /// rho (u_n - u)/dt after n = min(most_substeps, ceil(dt max c)) sub-steps, 0 on fixed faces where n > 1 or the
  /// scheme is central. Where even a sub-step is longer than 1/c its change is divided by so much, so that for any dt
  /// |u_n| <= the largest |u| and speed of a wall; with central the sum of max(1, c dt/n) u^2 does not grow. Where
  /// dt max c <= 1 the force is that of the call without dt, but for central. Returns n.
  template <Execution E>
  int operator()(E, double dt, const std::array<const double*, 3>& u, const std::array<double*, 3>& force);
  /// The same of the central scheme, where u is carried by what it will be in the middle of the step, and goes along with
  /// what else changes it: without that H would be of first order in dt, for pressure keeps what advection does within
  /// bounds. Closed faces hold 0. Of planes that no ranks share.
  template <Execution E>
  int operator()(E, double dt, const std::array<const double*, 3>& u, const std::array<double*, 3>& force,
                 const Foresight& foresight);

  /// From now on viscosity over density is `nu` [m2/s] on each face, at most `largest`, and that given at the start is
  /// not used; arrays hold grid.points(face(d)) values per direction and are read by every call.
  void set_kinematic_viscosity(const std::array<const double*, 3>& nu, double largest) {
    nu_ = nu;
    mu_ = rho_ * largest;
  }

  static constexpr int most_substeps = 8;
  /// dt max c beyond which what was foreseen counts less, and from which on it counts nothing: flows grow by it else.
  static constexpr double foresight_fades = 4, foresight_ends = 6;

  /// What else changes a component, and how far that is trusted.
  struct Others {
    const double* values = nullptr; ///< [m/s2]
    double trusted = 0;
  };

  // The parts of a call; public, since nvcc takes the loops of no others.
  template <Execution E> void evaluate(E, int d, const PaddedFaces& carried, double* force) const;
  template <Execution E> void rub(E, int d, const PaddedFaces& carried, double* force) const;
  template <Execution E> double find_rates(E, int d);
  template <Execution E> void carry(E, int d, double dt, int n, double* force, Others others);
  template <Execution E> void begin_with(E, int d, const double* u);
  template <Execution E> void set_middle(E, double later, const std::array<const double*, 3>& u,
                                         const std::array<double*, 3>& middle, const Foresight& foresight);

private:
  OwnRange own(int d) const { return own_faces(domain_.grid(), planes_, d); }
  OwnRange own_rows(int d) const { return rows_of(domain_.grid(), face(d), own(d)); }
  void take(bool foresees);
  void give_back();

  const Domain& domain_;
  Scratch& scratch_;
  Planes planes_;
  double rho_, mu_;
  Advection advection_;
  std::array<const double*, 3> nu_{}; ///< null where it is constant
  PaddedVelocity u_;
  PaddedFaces carried_; ///< a component on its way through the sub-steps
  PaddedFaces start_;   ///< where it began a sub-step of several stages
  PaddedFaces begun_;   ///< where it began the step, if that is not what carries it
  Array<double> rates_; ///< c of one component's faces [1/s]
};

} // namespace corral::fluid

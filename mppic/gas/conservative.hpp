#pragma once

#include "fluid/transport/carried_momentum.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/laws/gas_laws.hpp"
#include "run/state/registry.hpp"

#include <array>

namespace corral::mppic {

/// Where the gas's momentum came from in a step, per direction [N s].
struct GasBooks {
  std::array<double, 3> before{}, after{};
  std::array<double, 3> sides{};     ///< came in less what left through the sides
  std::array<double, 3> viscosity{}; ///< walls' friction included
  std::array<double, 3> drift{};     ///< of mass that its fluxes did not foresee
  std::array<double, 3> gravity{}, pressure{};
  std::array<double, 3> parcels{};   ///< by drag, with the pressure that parcels hand on
  std::array<double, 3> walls{};     ///< what holds the gas of faces on walls and inlets at its given velocity
  double carried = 0;                ///< sum of its absolute values over all faces
  double largest_drift = 0;          ///< of the gas fraction on a face from what the fluxes foresaw [-]
  double residual = 0;               ///< unexplained, over all of these [-]

  /// Sets `residual`.
  void close();
};

/// The gas's momentum in conservation form (`gas.momentum = conservative`).
///
/// What u is carried by are the fluxes that the last step closed, F = eps u of its end with its own eps, for as long as
/// parcels moved in it: they lead to the gas fraction of this step, but for what the maps of faces and cells see
/// differently and for what contact has changed after the gas was solved. That is the drift.
class ConservativeGas {
public:
  ConservativeGas(const fluid::Domain& domain, const Setup& setup, Memory memory);

  /// Before the first step; its fields are the registry's.
  void bind_state(run::Registry& registry);

  /// Of a gas whose density or viscosity varies, on faces and in cells, and F of the last step as mass: read until the
  /// next call.
  void set_properties(const fluid::FaceArrays& rho, const fluid::FaceArrays& mu, const Array<double>& cell_rho,
                      const Array<double>& cell_mu, const run::Components& mass_flux) {
    properties_ = {fluid::pointers(rho), fluid::pointers(mu), cell_rho.data(), cell_mu.data(),
                   {mass_flux[0]->data(), mass_flux[1]->data(), mass_flux[2]->data()}};
  }

  /// eps from `theta`, which is smooth(theta_f), and the mean force H of advection and viscosity over a step of dt, per
  /// volume of gas [N/m3], per mass [m/s2] where its density or viscosity varies. Part 3b of docs/models.md.
  /// Returns the number of sub-steps.
  template <Execution E>
  int forces(E, const fluid::FaceArrays& theta, double dt, const Flow& flow, fluid::FaceArrays& eps,
             fluid::FaceArrays& H, GasBooks& books);
  /// What the next step begins from, of smooth(theta_f) again; `rho` is empty where it is constant.
  template <Execution E> void remember(E, const fluid::FaceArrays& theta, const fluid::FaceArrays& rho, double dt);

  template <Execution E> void set_carrier(E, const fluid::FaceArrays& theta, const Flow& flow, fluid::FaceArrays& eps,
                                          fluid::FaceArrays& F);
  template <Execution E> void add_before(E, const Flow& flow, GasBooks& books) const;
  template <Execution E> void weigh(E, const fluid::FaceArrays& eps, fluid::FaceArrays& F, fluid::Carrier& carrier);

private:
  fluid::ConstFacePointers last_eps() const { return {last_eps_[0]->data(), last_eps_[1]->data(), last_eps_[2]->data()}; }

  struct Properties {
    fluid::ConstFacePointers rho{}, mu{};
    const double *cell_rho = nullptr, *cell_mu = nullptr;
    fluid::ConstFacePointers mass_flux{};
  };

  const fluid::Domain& domain_;
  bool varies_;                 ///< density or viscosity; momentum is then carried by mass, not by volume
  double rho_, per_density_, coupled_;
  fluid::CarriedMomentum carried_;
  Array<double> cell_eps_, cell_mass_; ///< where viscosity is a stress
  fluid::FaceArrays mass_, rubbed_;    ///< eps rho and eps mu where they vary, else empty
  Properties properties_;
  run::Components last_eps_{}; ///< eps, or eps rho: the registry's
  double last_dt_ = 0;         ///< [s]; 0 before the first step
};

} // namespace corral::mppic

#pragma once

#include "fluid/pressure.hpp"
#include "mppic/face_sums.hpp"
#include "mppic/flow.hpp"
#include "mppic/setup.hpp"

#include <cstdint>

namespace corral::mppic {

/// Contact forces as an implicit equation in the contact pressure pi: the solids fraction that the step would
/// predict without contact is brought to Theta(pi) by the push of pi's gradient,
///   Theta(pi) - (dt^2/rho_p) div(m grad pi) = theta~,  dpi/dn = 0 on all sides,
/// solved by Newton's method. The stress is the unknown because tau(theta) has a pole at close packing, where its
/// inverse is smooth. docs/models.md derives it.
class Packing {
public:
  Packing(const fluid::Domain& domain, const Setup& setup);

  /// From the predicted solids flux Fs to the contact velocity du of the step; predicts theta of the next step.
  void advance(Cpu, const FaceSums& sums, const fluid::FaceArrays& solids_flux, double dt, Flow& flow);

  const fluid::FaceArrays& push() const { return du_; } ///< du [m/s]
  /// m, which turns the push into what the gas expects of contact in the next step: W = du/m.
  const fluid::FaceArrays& mobility() const { return m_; }
  /// theta_c of the next spread, as the fluxes of this step predict it.
  const Array<double>& predicted() const { return predicted_; }

  struct Report {
    int newton = 0;        ///< iterations
    int linear = 0;        ///< iterations of the linear solver, in all
    bool converged = true; ///< to 1e-6 in theta
  };
  const Report& report() const { return report_; }

private:
  static constexpr int most_newton = 40;
  static constexpr double tolerance = 1e-6; ///< of the solids fraction

  /// Least contact pressure [Pa]: too little to move anything, enough to keep Theta's slope finite.
  double pressure_floor() const { return 1e-12 * solids_.stress.ps; }

  void set_mobility(Cpu, const FaceSums& sums, double dt);
  void set_target(Cpu, const fluid::FaceArrays& solids_flux, double dt, const Flow& flow);
  void solve(Cpu, Array<double>& pi);
  double residual(Cpu, const Array<double>& pi);
  void set_push(Cpu, const FaceSums& sums, double dt, const Flow& flow);
  void predict(Cpu, const FaceSums& sums, const fluid::FaceArrays& solids_flux, double dt, const Flow& flow);

  const fluid::Domain& domain_;
  SolidsModel solids_;
  double relaxation_time_; ///< in which excess packing is worked off [s]
  fluid::PressureSolver solver_;
  fluid::FaceArrays m_, b_, du_;
  Array<double> target_, slope_, residual_, correction_, predicted_;
  Report report_;
};

} // namespace corral::mppic

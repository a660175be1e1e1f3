#pragma once

#include "fluid/momentum.hpp"
#include "fluid/pressure.hpp"
#include "mppic/face_sums.hpp"
#include "mppic/flow.hpp"
#include "mppic/setup.hpp"

#include <array>
#include <cstdint>

namespace corral::mppic {

/// The gas over one step, closed on the mixture's volume flux: div(eps u + theta u_s) = 0 with the solids' reaction
/// to pressure and drag eliminated implicitly. That keeps the pressure equation symmetric and positive definite,
/// gives no flux through walls by construction, and is stable where drag or added mass is strong; closing on the
/// gas alone is not. docs/models.md derives it.
class Gas {
public:
  Gas(const fluid::Domain& domain, const Setup& setup);

  /// Superficial velocity [m/s] along +d at which solids enter through the face: 0 but at solids inlets.
  void set_solids_flux(int d, std::int64_t face, double flux) { solids_flux_[static_cast<std::size_t>(d)][face] = flux; }

  /// From u^n to u'; leaves the pressure gradient and the solids' flux without contact forces.
  void advance(Cpu, const FaceSums& sums, double dt, Flow& flow);

  const fluid::FaceArrays& pressure_gradient() const { return G_; } ///< G [Pa/m]
  const fluid::FaceArrays& solids_flux() const { return Fs_; }      ///< Fs, superficial [m/s]
  /// Momentum [N s] per direction that the drag and pressure forces of the last step gave to the gas.
  std::array<double, 3> momentum_from_parcels(Cpu, const FaceSums& sums, double dt, const Flow& flow) const;

  struct Report {
    int iterations = 0;            ///< of the pressure solver
    double mixture_residual = 0;   ///< dt max |div(eps u + theta u_s)| [-]
    std::int64_t clipped = 0;      ///< faces where eps was below its floor
    bool converged = true;
  };
  const Report& report() const { return report_; }

private:
  static constexpr double eps_floor = 0.05;

  void explicit_forces(Cpu, const Flow& flow);
  void face_coefficients(Cpu, const FaceSums& sums, double dt, const Flow& flow);
  void solve_pressure(Cpu, double dt, Flow& flow);
  void correct(Cpu, const FaceSums& sums, double dt, Flow& flow);
  void keep_prescribed(Cpu, const FaceSums& sums, double dt, Flow& flow);
  double measure_residual(Cpu, const FaceSums& sums, double dt, const Flow& flow);

  const fluid::Domain& domain_;
  GasModel gas_;
  SolidsModel solids_;
  std::array<double, 3> gravity_;
  fluid::MomentumForces forces_;
  fluid::PressureSolver solver_;
  fluid::FaceArrays H_, eps_, a_, u_star_, flux_star_, b_, G_, Fs_, solids_flux_;
  Array<double> rhs_;
  Report report_;
};

} // namespace corral::mppic

#pragma once

#include "fluid/few_faces.hpp"
#include "fluid/pressure/pressure.hpp"
#include "fluid/transport/momentum.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/conservative.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/ripple_filter.hpp"
#include "mppic/gas/sums_view.hpp"

#include <corral/together.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace corral::mppic {

/// The parcels' sums on faces, as FaceSums has them, smoothed (part 2b of docs/models.md); what is not asked for is empty.
struct FilteredSums {
  fluid::FaceArrays theta, U, P, Q;
  fluid::FaceArrays Pm, Qm, N; ///< of several densities
  fluid::FaceArrays PJ, NJ;    ///< of several densities where packed solids answer jointly
};

/// A gas whose density or viscosity varies, on faces; else empty.
struct VaryingOnFaces {
  fluid::FaceArrays rho; ///< [kg/m3]
  fluid::FaceArrays nu;  ///< mu/rho [m2/s]; mu where momentum is carried conservatively [Pa s]
};

/// The gas's momentum on faces, and the equation for its pressure: parts 3 and 4 of docs/models.md.
struct GasEquation {
  fluid::FaceArrays H;      ///< advection and viscosity [N/m3], per mass where density or viscosity varies
  fluid::FaceArrays u_star; ///< velocity without pressure [m/s]
  fluid::FaceArrays b;      ///< coefficients of the pressure equation, over h^2
  Array<double> rhs;        ///< its right-hand side, in cells [1/s]
};

/// The gas on the faces of an axis, as loops see it: what its equation has of the smoothed sums.
struct GasOnFaces {
  const double *theta, *Pm; ///< solids fraction; P by mass
  const double* rho_f;      ///< density, where it varies [kg/m3]; else null
  double rho, rho_p;        ///< of the gas and of particles [kg/m3]
  double coupled;           ///< 1 where solids act on the gas and take room in it, else 0
  double dt;                ///< [s]

  CORRAL_HOST_DEVICE double density(std::int64_t f) const { return rho_f ? rho_f[f] : rho; }
  /// Gas fraction [-].
  CORRAL_HOST_DEVICE double eps(std::int64_t f) const { return gas_share(coupled * theta[f]); }
  /// eps rho/dt + A, A that by which drag ties it to the solids [kg/(m3 s)].
  CORRAL_HOST_DEVICE double a(std::int64_t f) const { return eps(f) * density(f) / dt + coupled * rho_p * Pm[f] / dt; }
};

/// What parcels take of the gas: its fields, smoothed.
struct FilteredGas {
  fluid::FaceArrays velocity; ///< smooth(u') [m/s]
  fluid::FaceArrays force;    ///< G_e = smooth(G - rho_p w) [Pa/m]
  fluid::FaceArrays contact;  ///< smooth(w) [m/s2]
};

/// Pressure gradient [Pa/m] that balances all forces on gas and solids, as loops see it: G, but at fixed faces, where the gas is
/// held at its velocity, what that takes.
struct MixtureGradient {
  fluid::DomainView domain;
  bool holds; ///< at fixed faces the gas, which is solved for, and what solids hand on
  std::array<GasOnFaces, 3> gas;
  fluid::ConstFacePointers G, u_star, u, P;

  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const {
    if (!holds || domain.kind(d, f) != fluid::FaceKind::fixed) return G[d][f];
    const GasOnFaces& of = gas[static_cast<std::size_t>(d)];
    return of.a(f) * (u_star[d][f] - u[d][f]) + of.coupled * (of.theta[f] - P[d][f]) * G[d][f];
  }
};

/// What solids inlets let in through faces, as loops see it [m/s].
struct SolidsInflow {
  fluid::ConstFacePointers values; ///< null where no case has an inlet of solids
  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const { return values[d] ? values[d][f] : 0; }
};

/// The gas over one step, closed on the mixture's volume flux: div(eps u' + <V v>) = 0 with the solids' reaction
/// to pressure and drag eliminated implicitly. That keeps the pressure equation symmetric and positive definite,
/// gives no flux through walls by construction, and is stable where drag or added mass is strong; closing on the
/// gas alone is not. docs/models.md derives it.
class Gas {
public:
  Gas(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch);

  /// Superficial velocity [m/s] along + at which solids enter through faces: always of the same faces, 0 on all others.
  template <Execution E> void set_solids_inflow(E execution, const std::vector<fluid::FaceValue>& flux) {
    if (!flux.empty()) inlet_faces_.write(execution, flux, solids_inflow_);
  }
  /// Volume [1/s] that gas and solids let out of each cell in the steps to come; null: none.
  void set_volume_source(const Array<double>* source) { source_ = source; }
  /// Of a gas whose density or viscosity varies, what a step takes: both in cells, and the mass that flowed through faces
  /// in the last step [kg/(m2 s)]. The arrays are read until the next call.
  template <Execution E>
  void set_properties(E, const Array<double>& density, const Array<double>& viscosity, const run::Components& mass_flux);
  /// Finds `gas_fraction`, for those who ask: the step itself has no array of it.
  template <Execution E> void set_fraction(E, const FaceSums& sums, const Flow& flow);

  /// What a step needs of the last one: in conservation form, and where central advection foresees the gas.
  void bind_state(run::Registry& registry);

  /// Of the solids, in a box whose weight is borne: mass [kg/m3] and share [-] of its volume.
  struct SolidsMean {
    double density = 0, fraction = 0;
  };
  void set_solids_mean(const SolidsMean& solids) { solids_mean_ = solids; }

  /// What the parcels feel of the gas's velocity: at the start, and behind contact, which has its place.
  template <Execution E> void feel_velocity(E, const Flow& flow);
  // From u^n to u', in this order.
  /// Coefficients and right-hand side of the pressure equation.
  template <Execution E> void predict(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> void solve_pressure(E, double dt, Flow& flow);
  /// From pressure to velocities, what the parcels feel of them, and their flux without contact forces.
  template <Execution E> void correct(E, const FaceSums& sums, double dt, Flow& flow);
  /// Gives back what only these parts, heat and books ask of it, until the next step.
  void give_back_equation();
  /// Likewise Fs, with smooth(u') that it was found by, and all that parcels feel.
  void give_back_flux() { scratch_.fields.give_back(solids_flux_, filtered_.velocity); }
  void give_back_felt_forces() { scratch_.fields.give_back(filtered_.force, filtered_.contact); }
  void give_back_felt() { scratch_.fields.give_back(filtered_.velocity, filtered_.force, filtered_.contact); }

  /// G [Pa/m], with what drives the box; at fixed faces that of the next inward.
  const fluid::FaceArrays& pressure_gradient() const { return gradient_; }
  /// Its uniform part in the last step, along axis d [Pa/m]; the pressure has the rest.
  double drive(int d) const { return uniform_[d]; }
  const fluid::FaceArrays& gas_fraction() const { return fraction_; } ///< eps of the faces, since `set_fraction` [-]
  const fluid::FaceArrays& filtered_velocity() const { return filtered_.velocity; } ///< smooth(u'), what drag on parcels knows of u' [m/s]
  const fluid::FaceArrays& filtered_force() const { return filtered_.force; }       ///< G_e [Pa/m]
  const fluid::FaceArrays& filtered_contact() const { return filtered_.contact; }   ///< smooth(w) [m/s2]
  /// Fs: of the parcels before contact, on fixed faces as if they were open, superficial [m/s].
  const fluid::FaceArrays& solids_flux() const { return solids_flux_; }
  /// What solids inlets let in, superficial [m/s].
  SolidsInflow solids_inflow() const { return {fluid::pointers(solids_inflow_)}; }
  RippleFilter& filter() { return filter_; }
  /// Momentum [N s] per direction that the drag and pressure forces of the last step gave to the gas: numbers of sums.
  template <class Sums>
  std::array<int, 3> add_momentum_from_parcels(Sums& all, const FaceSums& sums, double dt, const Flow& flow) const;

  struct Report {
    int iterations = 0;            ///< of the pressure solver
    double mixture_residual = 0;   ///< dt max |div(eps u' + <V v>) - source| [-]
    std::int64_t clipped = 0;      ///< faces where eps was below its floor
    bool converged = true;
    int substeps = 0;              ///< in which advection and viscosity took the step; 0 where the gas is given
    GasBooks books;                ///< of momentum, where it is carried in conservation form
    std::array<double, 3> from_parcels{}; ///< momentum that drag and pressure of the parcels gave [N s]
    std::array<double, 3> supply{}; ///< energy along each axis that gas which is blown in supplies, over rho_p and a cell's volume [m2/s2]
    double floor = 0, ceiling = 0;  ///< sums of the pressure at the faces of the box's ends along z [Pa]
    std::array<double, 6> out{};    ///< superficial velocity along + at the outlets of each side, added up [m/s]
  };
  const Report& report() const { return report_; }

  // Parts of these; public, since nvcc takes the loops of no others.
  template <Execution E> void set_forces(E, double dt, const Flow& flow);
  template <Execution E> void filter_sums(E, const FaceSums& sums, const Flow& flow);
  template <Execution E> void filter_fluxes(E, const FaceSums& sums);
  template <Execution E> void set_drive(E);
  template <Execution E> void face_coefficients(E, double dt, const Flow& flow);
  template <Execution E> void set_right_hand_side(E);
  template <Execution E> void correct_velocity(E, double dt, Flow& flow);
  template <Execution E> void continue_gradient(E);
  template <Execution E> void keep_prescribed(E);
  template <Execution E> void remember_change(E, double dt, const Flow& flow, bool after);
  template <Execution E> void feel(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> void set_flux(E, double dt, const Flow& flow);
  template <Execution E> void set_residual(E);
  MixtureGradient mixture_gradient(double dt, const Flow& flow) const;
  template <Execution E> void close_books(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> void measure(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> std::array<int, 2> add_pressures(Together<E>& all, double dt, const Flow& flow) const;
  template <Execution E> int add_out(Together<E>& all, double dt, const Flow& flow, int side) const;
  template <Execution E> std::array<int, 3> add_supply(Together<E>& all, const FaceSums& sums, double dt) const;
  /// Mean of a cell value over the cells beside each face.
  template <Execution E> void to_faces(E, const Array<double>& cells, fluid::FaceArrays& faces) const;

private:
  const fluid::Planes& planes() const { return scratch_.planes_of_sums(); } ///< those that passes find, and what they add up
  void fill_velocity(Flow& flow);
  /// Where ranks share planes, what parcels take goes to the ranks that have these.
  void deliver(fluid::FaceArrays& faces) const { fluid::deliver_faces(domain_.grid(), planes(), scratch_.planes_of_parcels, faces); }
  void give_back_coefficients();
  void report_solved(const fluid::SolveResult& result, double dt);
  SolidsOnFaces filtered_solids(int d) const;
  GasOnFaces gas_on_faces(int d, double dt) const;

  const fluid::Domain& domain_;
  StepScratch& scratch_;
  GasModel gas_;
  SolidsModel solids_;
  std::array<double, 3> gravity_;
  Drive drive_;
  SolidsMean solids_mean_;
  std::array<double, 3> uniform_{}; ///< part of G that drives the box in this step [Pa/m]
  fluid::MomentumForces forces_;
  std::optional<ConservativeGas> conservative_; ///< instead of forces_
  bool foresees_; ///< Setup::foresees_gas
  run::Components rate_{}, others_{}; ///< fluid::Foresight, of the last step: the registry's, if it foresees [m/s2]
  fluid::PressureSolver solver_;
  RippleFilter filter_;
  bool mixed_, joint_; ///< several densities; of them packed solids answer jointly
  FilteredSums sums_;
  VaryingOnFaces varying_;
  GasEquation equation_;
  FilteredGas filtered_;
  fluid::FaceArrays fraction_;                   ///< eps, where others ask for it [-]
  fluid::FaceArrays mixture_flux_, gradient_;    ///< eps u' + <V v> [m/s], in the place of U that it is made of; G [Pa/m]
  fluid::FaceArrays solids_flux_, solids_inflow_; ///< Fs, and what solids inlets let in, if there are any [m/s]
  fluid::FewFaces inlet_faces_;
  const Array<double>* source_ = nullptr;
  Report report_;
};

} // namespace corral::mppic

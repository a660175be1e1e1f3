#pragma once

#include "fluid/domain.hpp"
#include "run/state/registry.hpp"

namespace corral::mppic {

/// What loops see of the state: a value, good while no field is declared or resized.
struct FlowView {
  double *pressure, *contact_pressure, *solids_fraction, *predicted_fraction;
  fluid::FacePointers gas_velocity, contact_acceleration, friction_acceleration;
  double* displacement_potential;
};

/// The fields of the state, declared in the registry: what an exact restart needs.
struct Flow {
  explicit Flow(run::Registry& r)
      : pressure(r.declare_field("pressure", "Pa", "gas pressure, 0 at outlets", centre, shown_state)),
        contact_pressure(r.declare_field("contact_pressure", "Pa", "contact pressure of the solids", centre, shown_state)),
        solids_fraction(r.declare_field("solids_fraction", "", "share of the volume that the particles fill, as mapped at the "
                                                               "start of the last step; inlets read it",
                                        centre, shown_state)),
        predicted_fraction(r.declare_field("predicted_fraction", "", "solids_fraction that the last step expects of the next",
                                           centre, run::Use::saved)),
        gas_velocity(r.declare_vector_field("gas_velocity", "m/s", "of the gas between the particles", run::on_faces,
                                            shown_state)),
        contact_acceleration(r.declare_vector_field("contact_acceleration", "m/s2",
                                                    "that the gas expects contact to give the solids in the next step",
                                                    run::on_faces, run::Use::saved)),
        friction_acceleration(r.declare_vector_field("friction_acceleration", "m/s2",
                                                     "part of contact_acceleration: static friction, as the gas "
                                                     "follows it",
                                                     run::on_faces, run::Use::saved)),
        displacement_potential(r.declare_field("displacement_potential", "m2",
                                               "potential of the last step's displacement: the next first guess",
                                               centre, run::Use::saved)) {}

  Array<double>& pressure;         ///< p [Pa]
  Array<double>& contact_pressure; ///< pi [Pa]
  Array<double>& solids_fraction;  ///< theta_c [-]
  Array<double>& predicted_fraction; ///< theta_n: theta_c of the next spread, as this step foresees it [-]
  run::Components gas_velocity;    ///< u [m/s]
  run::Components contact_acceleration; ///< w [m/s2]
  run::Components friction_acceleration; ///< its part by static friction [m/s2]
  Array<double>& displacement_potential; ///< psi [m2]

  FlowView view() const {
    return {.pressure = pressure.data(),
            .contact_pressure = contact_pressure.data(),
            .solids_fraction = solids_fraction.data(),
            .predicted_fraction = predicted_fraction.data(),
            .gas_velocity = run::pointers(gas_velocity),
            .contact_acceleration = run::pointers(contact_acceleration),
            .friction_acceleration = run::pointers(friction_acceleration),
            .displacement_potential = displacement_potential.data()};
  }

private:
  static constexpr Staggering centre = Staggering::centre;
  static constexpr run::Use shown_state = run::Use::saved | run::Use::shown;
};

} // namespace corral::mppic

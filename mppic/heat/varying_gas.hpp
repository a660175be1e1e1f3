#pragma once

#include "fluid/domain.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/gas.hpp"
#include "mppic/heat/cell_balance.hpp"
#include "run/notices.hpp"
#include "run/state/registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::mppic {

/// The books of one step's gas where its density varies: its mass.
struct MassBooks {
  double mass = 0;                ///< in the box at the end of the step [kg]
  double change = 0;              ///< added up cell by cell [kg]
  std::array<double, 6> entered{}; ///< through each side [kg]
  double residual = 0; ///< what sides do not explain of the change in the step, and of the mass since the last, over the mass [-]

  /// Sets the residual; mass as the last step left it.
  void close(double before) {
    double in = 0;
    for (const double side : entered) in += side;
    residual = mass > 0 ? std::max(std::abs(change - in), std::abs(mass - before - in)) / mass : 0;
  }
};

/// A gas whose density or viscosity follows its temperature (`gas.density_law`, `gas.viscosity_law`), at low Mach number:
/// its pressure p_0 is the same everywhere in what depends on it. docs/models/varying_gas.md has the equations.
class VaryingGas {
public:
  /// Declares its state. Its arrays lie in `memory`.
  VaryingGas(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, Memory memory);

  bool ideal() const { return laws_.ideal; }
  bool closed() const { return closed_; } ///< p_0 follows from the gas in the box
  double pressure() const { return pressure_; } ///< p_0 [Pa]
  double specific_volume_per_temperature() const { return laws_.gas_constant / pressure_; } ///< of an ideal gas [m3/(kg K)]
  const Array<double>& density() const { return density_; }     ///< of the cells at the step's beginning [kg/m3]
  const Array<double>& viscosity() const { return viscosity_; } ///< likewise [Pa s]
  const run::Components& mass_flux() const { return mean_flux_; } ///< mean of the last step [kg/(m2 s)]

  /// Density and viscosity of a step that begins with these temperatures.
  template <Execution E> void set_properties(E, const Array<double>& temperature);
  /// Gas fraction of faces times conductivity over that of the start, at walls that conduct the mean of gas and wall; where it
  /// is constant, the gas fraction.
  template <Execution E> fluid::ConstFacePointers conducting_share(E, const fluid::FaceArrays& eps);

  // How its volume will change, foreseen before the gas is solved, with the flow of the last step. GasHeat does the rest.
  /// Sets F to that flow, and keeps the temperatures.
  template <Execution E> void begin_foresight(E, const Array<double>& temperature, fluid::FaceArrays& F);
  /// T of a sub-step's end; `carried` is what flows of the heat in it.
  template <Execution E>
  void foresee(E, const heat::CellBalance& cells, const fluid::FaceArrays& carried, Array<double>& temperature);
  /// Volume over that of the cell that heat makes in the step; gives the temperatures back.
  template <Execution E> void end_foresight(E, const Array<double>& mass, Array<double>& temperature);
  /// Adds to `source` what makes room for it in a step of dt, and in a closed box takes away what pressure makes of it.
  template <Execution E> void add_expansion(E, const Flow& flow, double dt, Array<double>& source);

  // A step in sub-steps, in which the velocity stays.
  template <Execution E> void begin_flow(E, const fluid::FaceArrays& eps, const Flow& flow);
  /// F of a sub-step, from its temperatures [kg/(m2 s)].
  template <Execution E>
  void set_mass_flux(E, const heat::UpwindTemperature& upwind, int d, Array<double>& F) const;
  /// Adds a sub-step to the step's mean flux, as a share of it.
  template <Execution E> void add_mean(E, const fluid::FaceArrays& F, double part);
  /// By how much p_0 rises in a sub-step for p_0 sum eps V_c to be R_g sum m_g T V_c [Pa]; 0 where the box is open.
  template <Execution E> double rise(E, const heat::CellBalance& cells) const;
  void raise(double rise) { pressure_ += rise; }
  /// Where density is constant: F was this.
  template <Execution E> void keep_flux(E, const fluid::FaceArrays& F);

  /// Largest |m_g R_g T/p_0 - eps| of the cells [-].
  template <Execution E>
  double volume_drift(E, const Array<double>& mass, const Array<double>& temperature, const Flow& flow) const;
  /// Looks for what is beyond low Mach numbers; adds a sentence for what has not been said.
  template <Execution E>
  void look(E, const Flow& flow, const Array<double>& temperature, run::Notices& notices);
  MassBooks& books() { return books_; }
  const MassBooks& books() const { return books_; }
  void open_books(double mass) { mass_before_ = mass; }
  /// Throws Error where they do not balance.
  void close_books();

private:
  void say_mach(double mach, run::Notices& notices);
  void say_pressure(double difference, run::Notices& notices);

  Grid grid_;
  GasLaws laws_;
  double capacity_, rho_, mu_; ///< c [J/(kg K)]; of the gas at the start
  bool closed_;
  run::Components mean_flux_{};
  Array<double> density_, viscosity_, kept_, expansion_;
  fluid::FaceArrays volume_flux_, conducting_;
  std::array<double, 6> wall_viscosity_{}; ///< of gas as warm as a wall that conducts [Pa s], else 0
  MassBooks books_;
  double pressure_, mass_before_ = 0;               // state
  run::Said said_mach_, said_pressure_;
};

} // namespace corral::mppic

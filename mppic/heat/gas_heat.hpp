#pragma once

#include "fluid/domain.hpp"
#include "fluid/few_faces.hpp"
#include "fluid/pressure/pressure.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/gas.hpp"
#include "mppic/heat/cell_balance.hpp"
#include "mppic/heat/varying_gas.hpp"
#include "run/state/registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace corral::mppic {

/// Sums over the parcels of a cell, by the trilinear kernel: what the gas exchanges heat with (docs/models/heat.md).
struct ParcelsInCells {
  Array<double> share; ///< C_T [J/K]
  Array<double> given; ///< H_T [J]
};

/// The books of one step's heat. Energies are c T of what is there, 0 at 0 K.
struct HeatBooks {
  double gas = 0, solids = 0;            ///< in the box at the end of the step [J]
  double gas_change = 0, solids_change = 0; ///< added up cell by cell and parcel by parcel [J]
  std::array<double, 6> carried_by_gas{}; ///< into the box through each side [J]
  std::array<double, 6> carried_by_solids{};
  std::array<double, 6> through_wall{};
  double gas_source = 0, solids_source = 0; ///< given off by them [J]
  double by_pressure = 0;  ///< that the gas got from the rise of its own pressure [J]
  double to_solids = 0;    ///< that the gas gave to the parcels, as the cells have it [J]
  double exchanged = 0;    ///< absolute values of all that gas and parcels gave each other and sides let through [J]
  double residual = 0;     ///< what no term explains of both changes, over `exchanged` [-]
  double store_residual = 0; ///< what neither step explains of gas and solids since the last one, over both [-]

  /// Sets the residuals; gas and solids as the last step left them.
  void close(double gas_before, double solids_before) {
    double in_gas = 0, in_solids = 0;
    for (std::size_t s = 0; s < 6; ++s) {
      in_gas += carried_by_gas[s] + through_wall[s];
      in_solids += carried_by_solids[s];
      exchanged += std::abs(carried_by_gas[s]) + std::abs(through_wall[s]);
    }
    const double store = gas + solids;
    in_gas += by_pressure + gas_source;
    in_solids += solids_source;
    exchanged += std::abs(by_pressure) + std::abs(gas_source) + std::abs(solids_source);
    const double missed = std::abs(gas_change - in_gas + to_solids) + std::abs(solids_change - solids_source - to_solids);
    // Where next to nothing is exchanged, round-off of what is stored is what is seen.
    const double scale = std::max(exchanged, 1e-3 * store);
    residual = scale > 0 ? missed / scale : 0;
    const double lost = std::abs(gas - gas_before - in_gas + to_solids) +
                        std::abs(solids - solids_before - in_solids - to_solids);
    store_residual = store > 0 ? lost / store : 0;
  }
};

/// Mass and temperature of the gas in cells over one step: it carries its heat along, conducts it, and exchanges it with
/// walls and parcels. docs/models/heat.md has the equations.
class GasHeat {
public:
  /// Declares its state. Its arrays lie in `memory`.
  GasHeat(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, Memory memory);

  /// At time 0.
  template <Execution E> void start(E, const Flow& flow);
  /// Of a gas that varies: its density and viscosity of the step, and how heat will change its volume. Before the gas is
  /// solved, which has to know its gas fraction.
  template <Execution E> void foresee(E, const Gas& gas, const ParcelsInCells& parcels, double dt);
  /// What the gas must let out of each cell [1/s] for its mass to meet the room that parcels leave it.
  template <Execution E> const Array<double>& set_volume_source(E, const Flow& flow, double dt);
  /// Temperatures of the step's end and T', after the gas has moved; adds to the books.
  template <Execution E>
  void advance(E, const Gas& gas, const Flow& flow, const ParcelsInCells& parcels, double dt, HeatBooks& books);

  const Array<double>& temperature() const { return temperature_; } ///< [K]
  const Array<double>& mean_temperature() const { return mean_; }   ///< T', that parcels met in the mean of the step [K]
  const Array<double>& mass() const { return mass_; }               ///< m_g [kg/m3]
  int substeps() const { return substeps_; }             ///< of the last step
  bool conducts_implicitly() const { return implicit_; } ///< in the last step
  template <Execution E> double stored(E) const;         ///< heat of the state as it is [J]
  template <Execution E> double total_mass(E) const;     ///< of the gas [kg]
  VaryingGas* varying() { return varying_ ? &*varying_ : nullptr; } ///< null where density and viscosity are constant
  const VaryingGas* varying() const { return varying_ ? &*varying_ : nullptr; }

  // The parts of `advance`; public, since nvcc takes the loops of no others.
  template <Execution E> void set_mass_flux(E, const Gas& gas, const Flow& flow, double dt);
  template <Execution E> void set_next_mass(E, double dt);
  template <Execution E> std::array<double, 2> shares_lost(E, double dt, bool by_inflow = false) const;
  template <Execution E> heat::CellBalance balance(E, const ParcelsInCells& parcels, double done, double part, double dt);
  template <Execution E> void set_flux(E, double part);
  template <Execution E> void set_carried(E);
  template <Execution E> void set_divergence(E, Array<double>& cells) const;
  template <Execution E> void count_mass(E, double dt, MassBooks& books) const;
  template <Execution E> void set_conduction_matrix(E, const heat::CellBalance& cells);
  template <Execution E> void conduct(E);
  template <Execution E> void end_substep(E, const heat::CellBalance& balance, HeatBooks& books);
  template <Execution E> void keep_mass(E);
  template <Execution E> void count_sides(E, double dt, HeatBooks& books) const;

private:
  template <Execution E> HeatWalls walls(E) const;
  void find_inlet_faces();
  std::vector<fluid::FaceValue> inflow() const;
  template <Execution E> void set_inflow(E);
  heat::UpwindTemperature upwind(const fluid::DomainView& domain, int d) const;
  template <Execution E>
  void advance_varying(E, const Gas& gas, const Flow& flow, const ParcelsInCells& parcels, double dt, HeatBooks& books);
  [[noreturn]] static void refuse_emptied();
  template <Execution E> void choose_substeps(E, double dt);
  template <Execution E> void solve_conduction(E, const heat::CellBalance& cells);

  const fluid::Domain& domain_;
  HeatModel model_;
  double rho_; ///< of the gas [kg/m3]
  Array<double>&temperature_, &mass_;       ///< the registry's
  Array<double> next_mass_, mean_, source_; ///< m_g of the step's end [kg/m3], T' [K], `out` [1/s]
  fluid::FaceArrays mass_flux_;             ///< F [kg/(m2 s)]
  fluid::FaceArrays heat_flux_, work_flux_; ///< mean of the sub-steps, and of one [K kg/(m2 s)]
  fluid::FaceArrays inflow_;                ///< temperature of what comes in [K]
  fluid::ConstFacePointers eps_{}; ///< gas fraction of faces, as far as it conducts
  /// A face of an inlet, with what of the inlet's flow it has [m/s].
  struct InletFace {
    int d;
    std::int64_t face;
    std::size_t inlet;
    double flow;
  };
  std::vector<InletFace> inlet_faces_;
  std::vector<double> inflow_factors_; ///< of the inlets' schedules, that inflow_ was set for
  fluid::FewFaces inflow_writer_;
  std::optional<fluid::PressureSolver> solver_; ///< made when conduction first needs it, as what it works with
  fluid::FaceArrays b_;
  Array<double> diagonal_, rhs_, guess_;
  int substeps_ = 0;
  bool implicit_ = false;
  std::optional<VaryingGas> varying_;
};

} // namespace corral::mppic

#pragma once

#include <algorithm>
#include <array>
#include <cmath>

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

} // namespace corral::mppic

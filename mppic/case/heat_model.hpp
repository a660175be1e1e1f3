#pragma once

#include "mppic/laws/nusselt.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace corral::mppic {

/// Biot number from which on particles are not of one temperature.
inline constexpr double most_biot = 0.1;

/// What a side of the box does to the heat of the gas beside it.
struct HeatSide {
  enum class Kind : std::uint8_t {
    adiabatic,
    conducting, ///< at `temperature`, half a cell of gas away
    transferring ///< `coefficient` times the difference to `temperature`
  };
  Kind kind = Kind::adiabatic;
  double temperature = 0; ///< [K]
  double coefficient = 0; ///< [W/(m2 K)]
};

/// Heat of gas and particles, and how they exchange it.
struct HeatModel {
  NusseltModel nusselt;
  bool van_leer = false;          ///< scheme by which the gas carries heat, else upwind
  double gas_capacity = 1005;     ///< c of the gas, per mass [J/(kg K)]
  double gas_conductivity = 0.026; ///< k [W/(m K)]
  double gas_temperature = 300;   ///< at the start [K]
  double outside_temperature = 300; ///< of gas that comes in through outlets [K]
  std::vector<double> capacities{2500 * 840.0}; ///< rho_p c_p of each solid, or of the only one [J/(m3 K)]
  std::vector<double> conductivities{0};        ///< their k_p [W/(m K)]; 0: not given
  double gas_source = 0;                        ///< s_g, by the gas and its volume [W/m3]
  std::vector<double> sources{0};               ///< s_p, by the particles of each solid and their volume [W/m3]

  double capacity(int solid) const { return capacities[capacities.size() > 1 ? static_cast<std::size_t>(solid) : 0]; }
  std::array<HeatSide, 6> sides{};
  std::vector<double> inlet_temperatures; ///< of the gas, one for each inlet of the case [K]

  bool has_source() const {
    return gas_source != 0 || std::any_of(sources.begin(), sources.end(), [](double s) { return s != 0; });
  }
  /// Some source takes up heat.
  bool takes_up() const {
    return gas_source < 0 || std::any_of(sources.begin(), sources.end(), [](double s) { return s < 0; });
  }
  bool on() const { return nusselt.law != NusseltLaw::off; }
};

} // namespace corral::mppic

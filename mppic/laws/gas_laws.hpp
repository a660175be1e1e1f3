#pragma once

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::mppic {

// Beyond these the density of an ideal gas does not follow temperature and the pressure of the whole box alone.
inline constexpr double most_mach = 0.3;           ///< of the gas's speed [-]
inline constexpr double most_pressure_share = 0.1; ///< of differences of pressure in p0 [-]

/// How the gas's density, viscosity and conductivity follow its temperature. By itself they do not.
struct GasLaws {
  bool ideal = false;              ///< density p0/(R T)
  double gas_constant = 287.05;    ///< R, specific [J/(kg K)]
  double pressure = 101325;        ///< p0 at the start, absolute; where there is an outlet for good [Pa]
  bool sutherland = false;         ///< viscosity by Sutherland 1893
  double reference_viscosity = 1.8e-5; ///< of Sutherland's law [Pa s], at
  double reference_temperature = 290;  ///< [K]
  double sutherland_temperature = 110.4; ///< its constant S [K]
  double prandtl = 0;              ///< conductivity mu c/Pr; 0: constant [-]

  bool vary() const { return ideal || sutherland; }
  CORRAL_HOST_DEVICE bool conductivity_varies() const { return sutherland && prandtl > 0; }

  /// [kg/m3], of an ideal gas; T > 0.
  CORRAL_HOST_DEVICE double density(double p0, double T) const { return p0 / (gas_constant * T); }
  /// [Pa s], by Sutherland's law: mu_0 (T/T_0)^(3/2) (T_0 + S)/(T + S).
  CORRAL_HOST_DEVICE double viscosity(double T) const {
    const double t = T / reference_temperature;
    return reference_viscosity * t * std::sqrt(t) * (reference_temperature + sutherland_temperature) /
           (T + sutherland_temperature);
  }
};

/// The gas at the parcels, where its density or viscosity varies.
struct WarmGas {
  const double* temperature; ///< column [K]
  double pressure;           ///< p0 [Pa]
};

constexpr double eps_floor = 0.05; ///< gas fraction that the equations keep at least (docs/models/coupling.md)

CORRAL_HOST_DEVICE inline double gas_share(double theta) { return 1 - theta > eps_floor ? 1 - theta : eps_floor; }

} // namespace corral::mppic

#pragma once

#include "mppic/gas/drag.hpp"
#include "mppic/gas/gas_laws.hpp"
#include "mppic/parcels/parcels.hpp"

#include <corral/execution.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace corral::fluid {
class Domain;
}

namespace corral::mppic {

struct Setup;

/// What a parcel meets at a side of the box.
enum class SideAction : std::uint8_t { wrap, bounce, reflect, leave };

/// Everything that one parcel's step needs, by value: the same on the CPU and on a device.
struct MoveModel {
  double dt;                                       ///< [s]
  double gravity[3];                               ///< [m/s2]
  double rho_p;                                    ///< [kg/m3]; of several densities that of the lightest
  DragModel drag;                                  ///< of the only solid
  bool frozen;
  double low[3], high[3];                          ///< the box [m]
  SideAction side[6];                              ///< x_low, x_high, y_low, ...
  double normal_restitution, tangential_restitution;
  std::span<const SolidMaterial> several{};                ///< solids, where their drag differs; on the host
  GasLaws gas{};            ///< where density and viscosity vary: of the gas around a parcel, for its drag
  double gas_pressure = 0;  ///< p0 [Pa], likewise
  bool drag_later = false; ///< `advance_velocities` leaves the drag rate to `drag_of_slip`
};

MoveModel move_model(const Setup& setup, const fluid::Domain& domain, double dt);

/// Columns of the parcels: state that is advanced, and what was interpolated to them.
struct MoveColumns {
  double *position[3], *velocity[3], *drag;
  const double *volume, *diameter;
  const double *gas[3], *gradient[3], *push[3], *eps; ///< u' [m/s], Ge [Pa/m], c or C1 [m/s], gas fraction [-]
  const double *damping, *damped[3];                  ///< a [-], a ubar [m/s]
  double* slip;                                       ///< scratch: its square [m2/s2]
  double* step[3];                                    ///< how far its velocity takes the parcel in the step [m]
  const double* shift[3];                             ///< displacement beside that [m]
  std::uint8_t* gone;                                 ///< set to 1 + side where a parcel leaves, else 0
  const double* solid = nullptr;                      ///< number of its solid; null where there is one
  ParcelProperty density{};                            ///< where densities differ
  const double* impulse[3] = {};                      ///< C2 - J [kg/(m2 s)], likewise: contact's push by mass
  /// Where packed solids answer jointly, null elsewhere: what drag on each alone leads its velocity to, but for its own Ge, and
  /// what joint drag gives [m/s]. Ge is (1 - chi) G then, and c has the rest of it and the push that the gas expects.
  const double *led_to[3] = {}, *joint_drag[3] = {};
  const double* gas_temperature = nullptr;            ///< at the parcel [K]; null where the gas is that of the drag models
  const double* sauter = nullptr;                     ///< mean diameter around it [m], where a law of drag asks for it

  CORRAL_HOST_DEVICE double rho(const MoveModel& m, std::int64_t i) const { return density.solid ? density[i] : m.rho_p; }
};

/// Sums over all parcels of one step.
struct MoveSums {
  double wall_impulse[3] = {0, 0, 0};  ///< that walls gave the parcels [N s]
  double wall_work = 0;                ///< kinetic energy that walls gave the parcels, never positive [J]
  double from_gas[3] = {0, 0, 0};      ///< momentum that drag and the gas's pressure gave the parcels [N s]
  double exchanged[3] = {0, 0, 0};     ///< the same, absolute values added
  double speed_squared = 0;            ///< the largest [m2/s2]
  std::int64_t left[6] = {0, 0, 0, 0, 0, 0};

  CORRAL_HOST_DEVICE void operator+=(const MoveSums& b) {
    for (int d = 0; d < 3; ++d) {
      wall_impulse[d] += b.wall_impulse[d];
      from_gas[d] += b.from_gas[d];
      exchanged[d] += b.exchanged[d];
    }
    wall_work += b.wall_work;
    if (b.speed_squared > speed_squared) speed_squared = b.speed_squared;
    for (int s = 0; s < 6; ++s) left[s] += b.left[s];
  }
};

/// Velocity implicit in drag, and what it makes of the drag rate; `step` is set. Frozen parcels get the drag rate alone.
template <class Execution>
MoveSums advance_velocities(Execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n);

/// Sets the drag rate D from `slip`.
template <class Execution>
void drag_of_slip(Execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n);

/// Position by `step` and `shift`, walls and outlets.
template <class Execution>
MoveSums move_parcels(Execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n);

/// Sets the drag rate D from the gas at the parcels alone, for the state at the start.
template <class Execution>
void set_drag(Execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n);

} // namespace corral::mppic

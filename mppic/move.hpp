#pragma once

#include "mppic/drag.hpp"

#include <corral/execution.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

/// What a parcel meets at a side of the box.
enum class SideAction : std::uint8_t { wrap, bounce, reflect, leave };

/// Everything that one parcel's step needs, by value: the same on the CPU and on a device.
struct MoveModel {
  double dt;                                       ///< [s]
  double gravity[3];                               ///< [m/s2]
  double rho_p;                                    ///< [kg/m3]
  DragModel drag;
  bool frozen;
  double low[3], high[3];                          ///< the box [m]
  SideAction side[6];                              ///< x_low, x_high, y_low, ...
  double normal_restitution, tangential_restitution;
};

/// Columns of the parcels: state that is advanced, and what was interpolated to them.
struct MoveColumns {
  double *position[3], *velocity[3], *drag;
  const double *volume, *diameter;
  const double *gas[3], *gradient[3], *push[3], *eps; ///< u' [m/s], Ge [Pa/m], c [m/s], gas fraction [-]
  const double *shift[3], *spacing[3];                ///< displacement by boxes and by cells [m]
  const double *damping, *damped[3];                  ///< a [-], a ubar [m/s]
  double* step[3];                                    ///< scratch: how far the parcel goes in the step [m]
  std::uint8_t* gone;                                 ///< set to 1 + side where a parcel leaves, else 0
};

/// Sums over all parcels of one step.
struct MoveSums {
  double wall_impulse[3] = {0, 0, 0};  ///< that walls gave the parcels [N s]
  double wall_work = 0;                ///< kinetic energy that walls gave the parcels, never positive [J]
  double from_gas[3] = {0, 0, 0};      ///< momentum that drag and the gas's pressure gave the parcels [N s]
  double exchanged[3] = {0, 0, 0};     ///< the same, absolute values added
  double speed_squared = 0;            ///< the largest [m2/s2]
  std::int64_t left[6] = {0, 0, 0, 0, 0, 0};
};

/// Step 7 for n parcels: velocity implicit in drag, position explicit, walls and outlets.
template <class Execution>
MoveSums move_parcels(Execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n);

/// Sets the drag rate D from the gas at the parcels alone, for the state at the start.
template <class Execution>
void set_drag(Execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n);

} // namespace corral::mppic

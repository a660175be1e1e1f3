#pragma once

#include "mppic/laws/drag.hpp"
#include "mppic/laws/gas_laws.hpp"
#include "mppic/parcels/fields_on_grid.hpp"
#include "mppic/parcels/parcels.hpp"

#include <corral/execution.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace corral::fluid {
class Domain;
}

namespace corral::mppic {

struct Setup;

/// What a parcel meets at a side of the box.
enum class SideAction : std::uint8_t { wrap, bounce, reflect, leave };

/// The box and its sides, as parcels meet them.
struct BoxSides {
  double low[3], high[3]; ///< [m]
  SideAction action[6];   ///< x_low, x_high, y_low, ...
  double normal_restitution, tangential_restitution; ///< at walls [-]
};

BoxSides sides_of(const Setup& setup, const fluid::Domain& domain);

/// The laws by which drag on a case's parcels follows from their slip.
struct DragOfParcels {
  DragModel all;                              ///< of all of them, where solids have one law
  std::span<const SolidMaterial> by_solid{};  ///< where their laws differ, else empty; on the host
  GasLaws gas{};                              ///< by which the gas that the laws take may vary
};

DragOfParcels drag_of_parcels(const Setup& setup);

/// How the parcels of a place share what contact gives them.
enum class Answer : std::uint8_t {
  alike,   ///< one velocity for all
  by_mass, ///< one impulse by volume, the less velocity the denser they are
  jointly  ///< as one body, as far as they lie packed, gas's force and drag included
};

/// What acts on parcels in a step: fields of the grid at them, a column each.
struct FieldsAtParcels {
  Answer answer;
  const double *gas[3], *force[3]; ///< smooth(u') [m/s]; G_e [Pa/m], where they answer jointly (1 - chi) G
  /// c_f [m/s]; by mass rho_m X [kg/(m2 s)]; jointly X + e_j - chi e_G [m/s] (docs/models/solids.md).
  const double* push[3];
  const double* eps;                  ///< gas fraction [-]
  const double *damping, *damped[3];  ///< alpha [-], alpha ubar [m/s]
  /// Where they answer jointly: what drag on each alone leads its velocity to, but for its own force, and what joint drag
  /// gives [m/s].
  const double *led_to[3], *joint_drag[3];
  const double* sauter; ///< mean diameter around a parcel [m], where a law of drag asks for it
};

/// How a step moves the parcels, a column each.
struct WaysOfParcels {
  double* slip;           ///< its square [m2/s2]; null where nobody asks for it
  double* step[3];        ///< how far its velocity takes a parcel [m]
  const double* shift[3]; ///< displacement beside that [m]
  std::uint8_t* gone;     ///< set to 1 + side where it leaves, else 0
};

/// The parcels of a step: a value, for loops.
template <class Fields> struct MotionIn {
  double dt;         ///< [s]
  double gravity[3]; ///< [m/s2]
  ParcelsView parcels;
  Fields at;
  WaysOfParcels way;
};
using Motion = MotionIn<FieldsAtParcels>;
using MotionOnGrid = MotionIn<FieldsOnGrid>;

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

/// Velocity implicit in drag; sets `step` and `slip`.
template <Execution E> MoveSums advance_velocities(E, const Motion& motion);

/// Sets `slip` of parcels as they are: at rest where they are frozen.
template <Execution E> void set_slip(E, const Motion& motion, bool frozen);

/// Sets the drag rate D from `slip`, in gas that varies as `warm_gas` says.
template <Execution E>
void set_drag(E, const DragOfParcels& drag, const Motion& motion, const std::optional<WarmGas>& warm_gas = {});

/// Position by `step` and `shift`, walls and outlets; sets `gone`.
template <Execution E> MoveSums move_parcels(E, const BoxSides& sides, const Motion& motion);

} // namespace corral::mppic

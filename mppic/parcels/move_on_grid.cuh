#pragma once

/// The calls of move.hpp for parcels that take what acts on them from the grid: of one density, they answer alike. No slip is
/// set, for `set_drag` finds it.

#include "mppic/parcels/move.t.hpp"

#include <corral/for_each.cuh>

namespace corral::mppic {

inline MoveSums advance_velocities(Gpu gpu, const MotionOnGrid& motion) {
  return accumulate(gpu, motion.parcels.count, MoveSums{}, AdvanceVelocityOnGrid{motion}, AddInPlace{});
}

inline void set_drag(Gpu gpu, const DragOfParcels& drag, const MotionOnGrid& motion) {
  with_law(drag.all.law, [&](auto law) {
    if constexpr (!knows_mixture(decltype(law)::value))
      for_each(gpu, motion.parcels.count, DragOnGrid<decltype(law)::value>{drag.all, motion});
  });
}

inline MoveSums move_parcels(Gpu gpu, const BoxSides& sides, const MotionOnGrid& motion, const ShiftOnGrid& shift) {
  return accumulate(gpu, motion.parcels.count, MoveSums{}, MovePosition<ShiftOnGrid>{sides, motion.parcels, motion.way, shift},
                    AddInPlace{});
}

} // namespace corral::mppic

#include "mppic/parcels/move.t.hpp"

#include <corral/for_each.cuh>

namespace corral::mppic {

template MoveSums advance_velocities(Gpu, const MoveModel&, const MoveColumns&, std::int64_t);
template MoveSums move_parcels(Gpu, const MoveModel&, const MoveColumns&, std::int64_t);
template void set_drag(Gpu, const MoveModel&, const MoveColumns&, std::int64_t);

} // namespace corral::mppic

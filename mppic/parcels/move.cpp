#include "mppic/parcels/move.t.hpp"

namespace corral::mppic {

template MoveSums advance_velocities(Cpu, const MoveModel&, const MoveColumns&, std::int64_t);
template MoveSums move_parcels(Cpu, const MoveModel&, const MoveColumns&, std::int64_t);
template void set_drag(Cpu, const MoveModel&, const MoveColumns&, std::int64_t);

} // namespace corral::mppic

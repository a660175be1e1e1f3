#pragma once

#include "distributed/domain.hpp"
#include "distributed/particles/rank_particles.hpp"

#include <cstdint>

namespace corral::distributed {

/// What became of a rank's particles. Of those before, each one stayed or left; of those after, each one stayed or
/// arrived.
struct Migration {
  std::int64_t stayed = 0; ///< those outside and not finite among them
  std::int64_t left = 0, arrived = 0;
  std::int64_t outside = 0;    ///< beyond a side of the whole that is not periodic: whose that is, the caller says
  std::int64_t not_finite = 0; ///< a coordinate is NaN or infinite
};

/// Moves each particle to the rank in whose part it lies, with all its columns: across periodic sides, corners and any
/// number of ranks at once. Coordinates stay as they are; orders of parts wrap them. Who stays keeps its order, and
/// those that arrive stand behind them by ascending id. Collective.
///
/// Counts have 64 bits. Every call compares, over all ranks, the number and the sum of ids of those that left with
/// those that arrived, and throws Error where they differ; and for columns of unequal length, before it has changed
/// anything.
template <class T> Migration migrate(const Domain& domain, const RankParticles<T>& particles);
extern template Migration migrate(const Domain&, const RankParticles<float>&);
extern template Migration migrate(const Domain&, const RankParticles<double>&);

} // namespace corral::distributed

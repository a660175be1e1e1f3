#pragma once

#include "distributed/ranks.hpp"
#include "distributed/team.hpp"

#include <span>

namespace corral::distributed {

/// Each value of these fields, which are of one size on all ranks, becomes the sum over ranks, in their order: all get the same
/// bits. Sent are blocks of 512 values that are not all 0, from each rank to all. Collective.
void add_fields(const Ranks& ranks, std::span<const std::span<double>> fields);
/// The same of what a rank has in the planes that it holds. Each rank gets the sums of those that it wants, in which it has 0 where it
/// does not hold them; what it has in others is lost.
void add_fields(const Ranks& ranks, std::span<const FieldOfPlanes> fields, std::span<const Piece> held, const PiecesOfRanks& wanted);

} // namespace corral::distributed

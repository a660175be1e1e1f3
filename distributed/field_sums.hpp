#pragma once

#include "distributed/ranks.hpp"
#include "distributed/team.hpp"

#include <span>

namespace corral::distributed {

/// Each value of these fields, which are of one size on all ranks, becomes the sum over ranks, in their order: all get the same
/// bits. Sent are blocks of 512 values that are not all 0, from each rank to all. Collective.
void add_fields(const Ranks& ranks, std::span<const std::span<double>> fields);
/// The same of the planes that each rank wants, which other ranks send to it alone. Values are 0 but in the planes that a rank holds
/// something in; what it has in those that it does not want is lost.
void add_fields(const Ranks& ranks, std::span<const FieldOfPlanes> fields, std::span<const Piece> held, const PiecesOfRanks& wanted);

} // namespace corral::distributed

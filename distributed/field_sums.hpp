#pragma once

#include "distributed/ranks.hpp"
#include "distributed/team.hpp"

#include <span>

namespace corral::distributed {

/// Each value of these fields, which are of one size on all ranks, becomes the sum over ranks, in their order: all get the same
/// bits. Sent are blocks of 512 values that are not all 0, from each rank to all. Collective.
void add_fields(const Ranks& ranks, std::span<const std::span<double>> fields);
/// The same of the planes that each rank wants, which other ranks send to it alone. What it has in others becomes 0.
void add_fields(const Ranks& ranks, std::span<const FieldOfPlanes> fields, const PiecesOfRanks& wanted);

} // namespace corral::distributed

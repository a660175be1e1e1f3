#pragma once

#include "fluid/domain.hpp"
#include "fluid/lattice/placed_flow.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace corral::fluid {

namespace lattice {
/// Where ranks keep one of such a flow's populations, from its first value on.
distributed::FieldLayout shared_layout(const LatticeProperties&);
/// Where they begin, of a box of so many cells.
std::function<std::vector<std::int64_t>(const std::array<std::int64_t, 3>& cells)> fields_of(const LatticeProperties&);
} // namespace lattice

/// Ghosts that such a flow's domain has at the least, and how long they serve: each step spoils one layer of them.
inline constexpr std::int64_t lattice_ghosts = 2;

/// A flow in a box that ranks share, of the domain's part: `of` is that flow by itself. Before every second step ghosts get their
/// owners' populations, two layers deep, so that both steps find in all of the rank's own cells what one process would: the same
/// bits. What outlets know goes from rank to rank with that; `state` has it of the whole's sides, on every rank, once it is fetched.
/// Velocities that it hands out are good in ghosts, too; sums, and the fastest, are those of the whole. Forces are the
/// caller's in all cells of the box. Calls are collective. Throws Error where the domain has fewer ghosts.
std::unique_ptr<PlacedLatticeFlow<Cpu>> share_flow(const Domain& domain, std::unique_ptr<PlacedLatticeFlow<Cpu>> of);

} // namespace corral::fluid

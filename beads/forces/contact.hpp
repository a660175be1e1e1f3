#pragma once

#include "beads/setup/assemblies.hpp"
#include "beads/setup/setup.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/grid.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace corral::beads {

/// Which pairs of beads are near, how near, and how they push each other. Those of a fibre that are within reach of each other
/// when it is straight are left out.
class Contact {
public:
  struct Found {
    double energy = 0;  ///< [J]
    double nearest = 0; ///< two radii and the least gap between surfaces [m], at most BeadsSetup::pair_range
  };

  /// Keeps references. `assembly` says of each bead which one it belongs to.
  Contact(const BeadsSetup& setup, const Grid& grid, std::span<const Assembly> assemblies,
          const std::vector<std::int32_t>& assembly);

  /// Adds to the forces [N] what beads do to each other. Along free axes `x` lies within the grid.
  Found add(Cpu, const structure::ConstPoints& x, const structure::Points& force);
  std::int64_t bytes() const { return order_.bytes() + nearest_.size() * 8; }

private:
  const BeadsSetup& setup_;
  std::span<const Assembly> assemblies_;
  const std::vector<std::int32_t>& assembly_;
  std::vector<std::int64_t> apart_; ///< by group: beads of one that are so many places apart meet
  CellOrder<double> order_;
  std::vector<double> skin_; ///< by group: from a bead's centre to its assembly's surface [m]
  Array<double> nearest_;    ///< two radii and each bead's least gap [m]
};

} // namespace corral::beads

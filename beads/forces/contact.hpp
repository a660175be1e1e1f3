#pragma once

#include "beads/setup/assemblies.hpp"
#include "beads/setup/setup.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace corral::beads {

/// Which solids are near each other, how near, and how they push each other: shells as the spheres that they are, all other
/// assemblies bead by bead. Beads of a fibre that are within reach of each other when it is straight are left out.
class Contact {
public:
  struct Found {
    double energy = 0;  ///< [J]
    double nearest = 0; ///< two radii of beads and the least gap between surfaces [m], at most BeadsSetup::pair_range
  };

  /// Keeps references.
  Contact(const BeadsSetup& setup, const Grid& grid, std::span<const Assembly> assemblies);

  /// Adds to the forces [N] on beads at x what solids do to each other; all beads of a shell share what pushes it, so that
  /// nothing turns it. Along free axes `x` lies within the grid.
  Found add(Cpu, const structure::ConstPoints& x, const structure::Points& force);
  std::int64_t bytes() const;

private:
  /// Solid spheres that pairs are looked for among: beads, or shells, which may be much larger.
  struct Balls {
    explicit Balls(const Grid& grid) : order(grid) {}

    void resize();
    void find(Cpu, const structure::ConstPoints& x);
    void give(Cpu, const structure::Points& force) const;
    std::int64_t size() const { return static_cast<std::int64_t>(beads.size()); }

    std::vector<Assembly> beads; ///< that each is made of, at whose mean place it is
    double largest = 0;          ///< radius [m]
    std::array<Array<double>, 3> at, force;
    Array<double> gap; ///< least, to any other [m]
    CellOrder<double> order;
  };

  double add_pairs(Cpu, Balls& targets, const Balls& sources) const;

  const BeadsSetup& setup_;
  std::vector<double> radius_;      ///< by group [m]
  std::vector<std::int64_t> apart_; ///< by group: beads of one fibre that are so many places apart meet
  std::vector<std::int64_t> fibre_; ///< of each ball that is a bead: the first bead of its assembly
  Balls beads_, shells_;
};

} // namespace corral::beads

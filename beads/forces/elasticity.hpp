#pragma once

#include "beads/setup/setup.hpp"
#include "structure/surfaces/membranes.hpp"

#include <cstdint>

namespace corral::beads {

struct ElasticEnergy {
  double stretching = 0, bending = 0; ///< [J]

  ElasticEnergy& operator+=(const ElasticEnergy& other) {
    stretching += other.stretching;
    bending += other.bending;
    return *this;
  }
  double total() const { return stretching + bending; }
};

/// Adds to the forces of a fibre's beads, the first of which is number `first`, those of its bonds [N]. With b_i from bead i
/// to the next, t_i = b_i/|b_i|, the energy is k/2 sum (|b_i| - l)^2 + EI/(2 l) sum |t_{i+1} - t_i|^2.
ElasticEnergy add_elastic_forces(const FibreModel& fibre, std::int64_t first, const structure::ConstPoints& x,
                                 const structure::Points& force);

} // namespace corral::beads

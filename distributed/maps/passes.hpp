#pragma once

#include "distributed/domain.hpp"
#include "distributed/maps/ghosts.hpp"

#include <corral/cell_order.hpp>
#include <corral/spread.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace corral::distributed {

/// Particles of some cells of the whole, seen from a rank's points through so many turns around each periodic axis, in
/// the order of the whole: by cell, and within a cell by id. A spread of one grid adds to a point what comes directly,
/// then what its folding brings around; each is one pass here, in that order.
template <class T> struct Pass {
  std::array<std::int64_t, 3> first; ///< of its cells, counted from the rank's first cell
  CellOrder<T> order;
  Array<std::int64_t> members; ///< which of the particles around, in the order of this one
};

/// All passes of a rank that have particles. `problem` gets what is wrong with the particles: two with one id.
template <class T> std::vector<Pass<T>> make_passes(const Domain& domain, std::int64_t reach,
                                                    const ParticlesAround<T>& particles, std::string& problem);

/// What is spread: values of the particles around, to a field that has memory for `ghosts_of_passes` points around the
/// part.
template <class T> struct PassTerm {
  const Array<T>* values;
  FieldView<T> field;
};
inline std::int64_t ghosts_of_passes(std::int64_t reach) { return 2 * reach; }

template <class T>
void spread_passes(std::vector<Pass<T>>& passes, const KernelWeights<T>& kernel, std::span<const PassTerm<T>> terms);

} // namespace corral::distributed

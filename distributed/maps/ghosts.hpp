#pragma once

#include "distributed/domain.hpp"
#include "distributed/petsc.hpp"

#include <corral/array.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace corral::distributed {

/// The particles that a rank's points are reached by, its own first and then ghosts: each particle of another rank
/// once, however often periodic sides repeat it.
template <class T> struct ParticlesAround {
  Array<T> x, y, z;
  Array<std::uint64_t> id;
  Array<std::array<std::int64_t, 3>> cell; ///< of the whole; the first number is negative where there is none
  std::int64_t own = 0;
  OwnedSF forest; ///< from particles to their ghosts

  std::int64_t size() const { return x.size(); }
  std::int64_t ghosts() const { return size() - own; }

  /// Appends to each of `columns`, which hold the own particles' values, those of the ghosts. Collective.
  void extend(std::span<Array<T>> columns) const;
};

/// Finds them. `cell` are the own particles' cells, all in this rank's part. Collective.
template <class T>
ParticlesAround<T> particles_around(const Domain& domain, std::int64_t reach, const Positions<T>& positions,
                                    const Column<const std::uint64_t>& ids, Array<std::array<std::int64_t, 3>> cell);

} // namespace corral::distributed

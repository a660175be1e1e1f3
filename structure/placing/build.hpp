#pragma once

#include "fluid/domain.hpp"
#include "run/state/registry.hpp"
#include "structure/markers/population.hpp"
#include "structure/markers/pulls_and_anchors.hpp"
#include "structure/setup/immersed.hpp"

#include <deque>
#include <vector>

namespace corral::structure {

/// The sets of particles that a run of this driver may have.
extern const run::ParticleKind vertex_kind, site_kind;

/// All membranes of a case, at their places.
template <Execution E> struct Built {
  std::deque<Population<E>> populations; ///< those of triangles, those of radial functions, as far as there are any
  Pulls<E> pulls;
  TetherAnchors<E> anchors;
};

/// Makes them; sets and columns go into the registry. Throws Error where a material and a shape don't fit, and for sites of radial
/// functions on a device.
template <Execution E>
void build(E, const Immersed& setup, const fluid::Domain& domain, run::Registry& registry, Built<E>& built);

} // namespace corral::structure

#pragma once

#include "mppic/collisions/far_collisions.hpp"
#include "mppic/collisions/isotropy.hpp"

#include <cstdint>
#include <optional>

namespace corral::mppic {

/// What a case asks for of collisions beside damping at the rate of equilibrium. What it does not ask for does nothing
/// and takes no memory.
class Collisions {
public:
  Collisions(const fluid::Domain& domain, const Setup& setup, Memory memory = Memory::host) {
    if (setup.solids.frozen) return;
    if (setup.collisions.far) far_.emplace(domain, memory);
    if (setup.collisions.isotropy) isotropy_.emplace(domain, setup, memory);
  }

  /// What damping takes for a rate; null where that is the one of equilibrium.
  template <Execution E>
  const Array<double>* frequency(E execution, const CellOrder<double>& order, const Parcels& parcels,
                                 const FaceSums& sums, const Flow& flow) {
    if (!far_) return nullptr;
    far_->advance(execution, order, parcels, sums, flow);
    return &far_->frequency();
  }

  /// After velocities have been advanced, return to isotropy.
  template <Execution E>
  Isotropy::Report return_to_isotropy(E execution, const CellOrder<double>& order, const Parcels& parcels,
                                      const FaceSums& sums, const Flow& flow, const Motion& motion,
                                      std::int64_t step) {
    return isotropy_ ? isotropy_->advance(execution, order, parcels, sums, flow, motion, step)
                     : Isotropy::Report{};
  }

  int maps() const { return far_ ? FarCollisions::maps : 0; }
  std::int64_t bytes() const {
    return (far_ ? far_->bytes() : 0) + (isotropy_ ? isotropy_->bytes() : 0);
  }

private:
  std::optional<FarCollisions> far_;
  std::optional<Isotropy> isotropy_;
};

} // namespace corral::mppic

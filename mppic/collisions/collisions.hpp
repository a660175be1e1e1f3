#pragma once

#include "mppic/collisions/blending.hpp"
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
    if (setup.collisions.blended) blending_.emplace(domain, setup, memory);
  }

  /// What damping takes for a rate; null where that is the one of equilibrium.
  template <Execution E>
  const Array<double>* frequency(E execution, const CellOrder<double>& order, const Parcels& parcels,
                                 const FaceSums& sums, const Flow& flow) {
    if (!far_) return nullptr;
    far_->advance(execution, order, parcels, sums, flow);
    return &far_->frequency();
  }

  /// Before velocities are advanced: `columns` are told what contacts share.
  template <Execution E>
  void blend(E execution, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums,
             const MoveModel& model, const Flow& flow, MoveColumns& columns) {
    if (!blending_) return;
    blending_->advance(execution, order, parcels, sums, model, columns, flow);
    columns.share = blending_->share().data();
    for (std::size_t d = 0; d < 3; ++d) columns.common[d] = blending_->common()[d].data();
  }

  /// After that, return to isotropy.
  template <Execution E>
  Isotropy::Report turn(E execution, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums,
                        const Flow& flow, const MoveColumns& columns, double dt, std::int64_t step) {
    return isotropy_ ? isotropy_->advance(execution, order, parcels, sums, flow, columns, dt, step)
                     : Isotropy::Report{};
  }

  int maps() const { return (far_ ? FarCollisions::maps : 0) + (blending_ ? Blending::maps : 0); }
  std::int64_t bytes() const {
    return (far_ ? far_->bytes() : 0) + (isotropy_ ? isotropy_->bytes() : 0) + (blending_ ? blending_->bytes() : 0);
  }

private:
  std::optional<FarCollisions> far_;
  std::optional<Isotropy> isotropy_;
  std::optional<Blending> blending_;
};

} // namespace corral::mppic

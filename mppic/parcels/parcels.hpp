#pragma once

#include "run/registry.hpp"

#include <corral/cell_order.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

/// The parcels' columns, declared in the registry.
struct Parcels {
  explicit Parcels(run::Registry& registry);

  std::int64_t size() const { return registry.parcel_count(); }
  Positions<double> positions() const;
  std::array<const double*, 3> places() const { return {position[0]->data(), position[1]->data(), position[2]->data()}; }
  /// Removes the parcels whose `gone` flag is set, keeping the order of the others.
  void remove(Cpu, const Array<std::uint8_t>& gone);
  /// Brings every reordered column into the order.
  void reorder(Cpu, CellOrder<double>& order);

  run::Registry& registry;
  run::Components position; ///< [m]
  run::Components velocity; ///< [m/s]
  Array<double>& volume;    ///< of all particles of a parcel [m3]
  Array<double>& diameter;  ///< of a particle [m]
  Array<double>& drag;      ///< drag over mass and slip velocity, at the end of the last step [1/s]
  Array<std::uint64_t>& id; ///< permanent

private:
  Array<double> real_copy_; ///< scratch that columns swap places with
  Array<std::uint64_t> id_copy_;
};

} // namespace corral::mppic

#pragma once

#include "mppic/boxes/boxes.hpp"
#include "mppic/heat/gas_heat.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/parcels.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::mppic {

/// Biot number from which on particles are not of one temperature.
inline constexpr double most_biot = 0.1;

/// Heat of gas and parcels over one step: both exchange it implicitly, each parcel at its own rate, by adjoint maps, so
/// that what one gives the other gets. Keeps the books of it.
class Heat {
public:
  /// Declares its state: temperatures, and the parcels' rates. Its arrays lie in `memory`.
  Heat(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, const Parcels& parcels,
       Memory memory = Memory::host);

  // The parts of a step, in their order.
  /// A step begins: `entered` is the heat that parcels brought with them through each side [J].
  void begin(const std::array<double, 6>& entered);
  /// What cells have to be told of the parcels, to be spread before `advance`.
  template <Execution E> std::vector<Boxes::Term> terms(E, const Parcels& parcels, double dt);
  /// Of a gas that varies, before it moves: its density and viscosity, and how its volume will change.
  void foresee(Cpu cpu, const Gas& gas, double dt) { gas_.foresee(cpu, gas, in_cells_, dt); }
  /// After the gas has moved.
  void advance(Cpu cpu, const Gas& gas, const Flow& flow, double dt) {
    gas_.advance(cpu, gas, flow, in_cells_, dt, books_);
  }
  /// T' at the parcels, to be interpolated before `exchange` [K].
  Array<double>& gas_at() { return gas_at_; }
  /// T_p of the parcels, once their velocities are known, and their rates for the next step.
  template <Execution E> void exchange(E, const MoveModel& model, const MoveColumns& columns, const Parcels& parcels);
  /// Rates alone, at the start.
  template <Execution E> void set_rates(E, const MoveModel& model, const MoveColumns& columns, const Parcels& parcels);
  /// Heat [J] of the parcels marked as leaving through a side, 1 + side.
  template <Execution E>
  double leaving(E, const Parcels& parcels, const Array<std::uint8_t>& gone, int mark) const;
  /// The step ends: `left` is the heat that parcels took along through each side [J]. Throws Error where the books do not
  /// balance.
  void close(const std::array<double, 6>& left);
  /// Looks at a step for what the model does not hold for.
  void look(const MoveModel& model, const MoveColumns& columns, const Parcels& parcels, const Flow& flow);

  GasHeat& gas() { return gas_; }
  const GasHeat& gas() const { return gas_; }
  const HeatBooks& books() const { return books_; }
  ParcelProperty capacity(const Parcels& parcels) const; ///< [J/(m3 K)]
  double stored(Cpu, const Parcels& parcels) const; ///< heat of the parcels as they are [J]
  /// Sets what the books go on from, at the start.
  void open_books(Cpu cpu, const Parcels& parcels);
  std::vector<std::string> take_notices();
  std::int64_t bytes() const;

private:
  void look_at_biot(const MoveColumns& columns, const Parcels& parcels);

  HeatModel model_;
  Array<double> capacities_;                  ///< of several solids [J/(m3 K)]
  GasHeat gas_;
  Array<double>& rate_;                       ///< 1/t_h of the parcels [1/s], the registry's
  double gas_before_ = 0, solids_before_ = 0; ///< in the box at the end of the last step [J]: state
  std::int64_t said_biot_ = 0, said_range_ = 0; ///< 1 once it has been said: state
  std::vector<std::string> notices_;
  ParcelsInCells in_cells_;
  Array<double> share_column_, given_column_, gas_at_;
  HeatBooks books_;
};

} // namespace corral::mppic

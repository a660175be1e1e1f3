#pragma once

#include "mppic/heat/gas_heat.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/parcels.hpp"
#include "run/notices.hpp"

#include <corral/boxes.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corral::mppic {

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
  template <Execution E> std::vector<BoxTerm> terms(E, const Parcels& parcels, double dt);
  /// Sets the state at time 0, and what the books go on from.
  template <Execution E>
  void start(E, const DragOfParcels& drag, const Motion& motion, const Parcels& parcels, const Flow& flow);
  /// Of a gas that varies, before it moves: its density and viscosity, and how its volume will change.
  template <Execution E> void foresee(E execution, const Gas& gas, double dt) {
    gas_.foresee(execution, gas, in_cells_, dt);
  }
  /// After the gas has moved.
  template <Execution E> void advance(E execution, const Gas& gas, const Flow& flow, double dt) {
    gas_.advance(execution, gas, flow, in_cells_, dt, books_);
  }
  /// The gas at the parcels, where it varies.
  std::optional<WarmGas> warm_gas() const {
    if (!gas_.varying() || gas_at_.empty()) return {}; // at the start it has not been interpolated, but is what drag knows
    return WarmGas{gas_at_.data(), gas_.varying()->pressure()};
  }
  /// T' at the parcels, to be interpolated before `exchange` [K].
  Array<double>& gas_at() { return gas_at_; }
  /// T_p of the parcels, once their velocities are known, and their rates for the next step.
  template <Execution E> void exchange(E, const DragOfParcels& drag, const Motion& motion, const Parcels& parcels);
  /// Rates alone, at the start.
  template <Execution E> void set_rates(E, const DragOfParcels& drag, const Motion& motion, const Parcels& parcels);
  /// What the parcels take along that leave: `count` of them through each side, marked with 1 + the side.
  template <Execution E>
  void leave(E, const Parcels& parcels, const Array<std::uint8_t>& gone, const std::int64_t (&count)[6]);
  /// The step ends. Throws Error where the books do not balance.
  void close();
  /// Looks at a step for what the model does not hold for.
  template <Execution E>
  void look(E, const DragOfParcels& drag, const Motion& motion, const Parcels& parcels, const Flow& flow);

  GasHeat& gas() { return gas_; }
  const GasHeat& gas() const { return gas_; }
  const HeatBooks& books() const { return books_; }
  ParcelProperty capacity(const Parcels& parcels) const; ///< [J/(m3 K)]
  ParcelProperty heating(const Parcels& parcels) const;  ///< s_p/(rho_p c_s) [K/s]
  template <Execution E> double stored(E, const Parcels& parcels) const; ///< heat of the parcels as they are [J]
  std::vector<run::Notice> take_notices() { return notices_.take(); }

  template <Execution E> double leaving(E, const Parcels& parcels, const Array<std::uint8_t>& gone, int mark) const;
  template <Execution E> double largest_biot(E, const Motion& motion, const Parcels& parcels) const;
  template <Execution E> void check_coldest(E, const Parcels& parcels) const;
  template <Execution E>
  double largest_reynolds(E, const DragOfParcels& drag, const Motion& motion) const;

private:
  [[noreturn]] static void refuse_cold(double temperature);
  void say_biot(double biot);
  void say_range(double reynolds, double dense); ///< dense: share of the parcels

  HeatModel model_;
  Array<double> capacities_;                  ///< of several solids [J/(m3 K)]
  Array<double> heating_;                     ///< of several solids [K/s]
  Array<double> conductivities_;              ///< k_p of the solids, 0 where it is not known [W/(m K)]
  GasHeat gas_;
  Array<double>& rate_;                       ///< 1/t_h of the parcels [1/s], the registry's
  double gas_before_ = 0, solids_before_ = 0; ///< in the box at the end of the last step [J]: state
  run::Said said_biot_, said_range_;
  run::Notices notices_;
  ParcelsInCells in_cells_;
  Array<double> share_column_, given_column_, gas_at_;
  std::array<double, 6> left_{}; ///< that parcels took along through each side in the step [J]
  HeatBooks books_;
};

} // namespace corral::mppic

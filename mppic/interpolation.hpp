#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/contact/contact.hpp"
#include "mppic/contact/damping.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/gas.hpp"
#include "mppic/gas/gathering.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/parcels.hpp"

#include <corral/cell_order.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

struct StepState;

/// Part 7 of docs/models.md: the fields of the grid that act on parcels in a step, each interpolated to a column of its own,
/// all in one pass: smooth(u'), G_e and contact's push c_f on faces; eps, alpha and alpha ubar of damping and the Sauter
/// diameter in cells. On a device the plain step makes no columns: its parcels take fields from the grid where they are asked
/// for (`on_grid`).
class Interpolation {
public:
  Interpolation(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch);

  /// After gas, contact and damping. At the start, without a dt, what drag asks for alone.
  template <Execution E> void run(E, const StepState& state, double dt);
  FieldsAtParcels columns() const; ///< as the last call has left them
  bool on_grid() const { return on_grid_; }
  /// Columns of parcels that are alive at once in a step.
  std::int64_t most_columns() const {
    if (on_grid_) return 3;
    return (frozen_ ? 5 : 15) + (mixture_ ? 2 : 0) + (answer_ == Answer::jointly ? 6 : 0);
  }
  FieldsOnGrid fields_on_grid(const StepState& state) const;
  int fields() const { return fields_; } ///< interpolated by the last call

  /// Velocities have been advanced: gives back what drag does not ask for, and leaves the columns of the push in `steps`.
  void give_back_forces(std::array<Array<double>, 3>& steps);
  /// Gives back what is left.
  void give_back();
  /// Where steps are written: each parcel's push is read before.
  std::array<double*, 3> steps() { return fluid::writable_pointers(push_at_); }

  /// Part of `run`; public, since nvcc takes the loops of no others.
  template <Execution E> void set_joint(E, const FaceSums& sums, const Gas& gas, double dt);

private:
  void take_columns(const Parcels& parcels, bool moved);

  const fluid::Domain& domain_;
  StepScratch& scratch_;
  bool frozen_, on_grid_;
  Answer answer_;
  double rho_;   ///< that mixtures are counted by [kg/m3]
  std::array<double, 3> gravity_; ///< [m/s2]
  bool mixture_; ///< is known to drag
  /// c_f: du and what takes back the push that the gas expected [m/s]; of several densities that are not blended rho_m X
  /// [kg/(m2 s)].
  fluid::FaceArrays c_;
  // Where packed solids answer jointly: what drag on each alone leads its velocity to, but for its own force [m/s]; the share
  // 1 - chi of the gas's force [Pa/m]; what joint drag gives [m/s].
  fluid::FaceArrays led_to_, loose_force_, drag_;
  Array<double> eps_c_, surface_c_; ///< in cells; theta/d32 where drag knows the mixture [1/m]
  Array<double> eps_at_, damping_at_, theta_at_, sauter_at_; ///< columns
  std::array<Array<double>, 3> gas_at_, force_at_, push_at_, damped_at_; ///< columns
  std::array<Array<double>, 3> led_to_at_, drag_at_;
  int fields_ = 0;
};

} // namespace corral::mppic

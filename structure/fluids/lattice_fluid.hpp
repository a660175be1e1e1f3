#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/lattice/placed_flow.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/setup/flow.hpp"

#include <corral/host_device.hpp>
#include <corral/memory.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace corral::structure {

/// Of a box that is sheared across its ends in y the first and the last row of a component, at all x and z, or those that are a
/// rank's own.
template <class T> struct RowsOfJump {
  T* values;           ///< of the component along the shear, from the rows' first x and z on
  std::int64_t nx, ny;
  std::int64_t width;   ///< points along x
  std::int64_t points;  ///< of each row; 0 where nothing jumps

  CORRAL_HOST_DEVICE T* first(std::int64_t p) const { return values + p % width + nx * ny * (p / width); }
  CORRAL_HOST_DEVICE T* last(std::int64_t p) const { return first(p) + nx * (ny - 1); }
};

/// The weakly compressible flow of fluid/lattice in the middles of cells, in steps of one length. Forces meet the velocity
/// in collisions, where half of them are in it: that is velocity_midway(). Between two collisions populations move.
///
/// velocity() is what they hold then, with half of the body force and without that of other forces: with it membranes fall and
/// are pushed by turns, each at the other's middle, which swings without growing up to 2/frequency (docs/lattice.md, "Behind
/// the fluid interface"). It is found when it is asked for. What files show has half of the last step's forces in it.
///
/// Where E is the CPU populations may lie on a device: points, forces and all fields that are handed out lie on the host then.
///
/// The registry has velocity and pressure, which are shown, and populations, what outlets know, and the number of steps,
/// which are saved.
template <Execution E> class LatticeFluid final : public Fluid<E> {
public:
  /// Steps of dt [s]. A reference to `domain` is kept. Throws Error as LatticeFlow does.
  LatticeFluid(const FlowSetup& flow, double dt, const fluid::Domain& domain, run::Registry& registry);

  std::array<Staggering, 3> staggering() const override { return {Staggering::centre, Staggering::centre, Staggering::centre}; }
  double middle() const override { return 0; }

  void start() override;
  void restored() override; ///< throws Error where the state is not that of this lattice

  VectorField begin_forces(E) override; ///< holds nothing
  VectorField begin_forces_in(E, fluid::RowParts) override;
  bool knows_bands() const override { return std::same_as<E, Cpu> && !domain_.shared(); }
  void begin_forces_in_band(E, const fluid::ConstBandField& forces) override;
  ConstVectorField forces() const override;
  bool can_step_elsewhere() const override { return !setup_.drive.keeps_mean && !is_sheared_box(); }
  bool steps_by_itself() const override { return can_step_elsewhere() && setup_.fluid.lattice.on_device(); }
  void step_elsewhere(E, double dt) override;
  void step(E, double dt) override; ///< throws Error, too, where the Mach number is above .3 or a velocity is no number
  void keep_midway(bool keep) override { keeps_midway_ = keep; }

  void respond(E, const VectorField& field) override;
  void foresee(E, double dt) override;
  void foresee_in_band(E, double dt, bool pushed, const fluid::BandField& velocity) override;
  void respond_midway(E, const VectorField& field, double dt) override;

  ConstVectorField velocity() const override;
  ConstVectorField velocity_midway() const override { return fluid::pointers(midway_); }
  void before_output() override;
  void before_checkpoint() override { flow_->fetch_state(); }

  /// In the middle of the last step.
  typename Fluid<E>::Fastest fastest() const override { return fastest_; }
  double kinetic_energy() const override;
  std::array<double, 3> momentum() const override { return flow_->momentum(E{}); }
  std::array<double, 3> force_of_sides() const override; ///< and of what keeps the mean flow
  typename Fluid<E>::Powers powers() const override;

private:
  enum class Holds : std::uint8_t { nothing, velocity, shown };

  static constexpr Memory memory = memory_for<E>;

  bool is_sheared_box() const { return domain_.grid().axis(1).periodic() && setup_.drive.shear_rate != 0; }
  void register_state(run::Registry&);
  void require_step(double dt) const;
  void clear_forces(E);
  void show_forces() const;
  /// Whether forces and velocities go from and to the caller's band, and through no field.
  bool in_band() const { return band_ && flow_->knows_bands() && can_step_elsewhere(); }
  void set_start(const VectorField& u, double* pressure) const; ///< of the host
  VectorField seen(); ///< where the velocity of a collision goes, if anywhere
  void take_out_mean(E);
  template <class T> RowsOfJump<T> rows_of_jump(const std::array<T*, 3>& field) const; ///< in all of the grid
  template <class T> RowsOfJump<T> own_rows_of_jump(const std::array<T*, 3>& field) const;
  double jump_force() const; ///< in the first and, with the other sign, the last row [N/m3]
  template <Execution X> void add_beside_jump(X, const VectorField& field, double by) const;
  void mend_jump(E, const VectorField& velocity) const;
  double power_of_jump(const ConstVectorField& velocity) const;
  void find_velocity(const ConstVectorField& force, double* pressure) const;
  void scale(E, const VectorField& field, double by) const;
  void set_fastest(const std::array<double, 3>& most);
  void watch() const;

  const FlowSetup setup_;
  const fluid::Domain& domain_;
  run::Components velocity_; ///< what it holds is known by holds_
  Array<double>& pressure_;
  std::unique_ptr<fluid::PlacedLatticeFlow<E>> flow_;
  mutable std::array<Array<double>, 3> force_;
  std::array<Array<double>, 3> midway_;
  mutable std::vector<fluid::RowPart> forced_; ///< where force_ may be other than 0,
  bool forced_anywhere_ = true;                ///< unless it is anywhere
  std::optional<fluid::ConstBandField> band_;  ///< of this step's forces, if they are kept in one
  mutable bool shown_ = true;                  ///< whether force_ has them
  std::int64_t populations_ = 0; ///< how many values
  std::array<double, 3> taken_out_{}; ///< the mean of the last step's forces, where the mean flow is kept [N/m3]
  mutable Holds holds_ = Holds::nothing;
  bool keeps_midway_ = true;
  Array<double> most_; ///< the speed along each axis that it comes from [m/s]
  typename Fluid<E>::Fastest fastest_;
};

} // namespace corral::structure

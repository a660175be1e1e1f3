#pragma once

#include "fluid/row_part.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace corral::structure {

/// A vector field by components: [d] holds component d at grid.points(staggering()[d]) points, x fastest.
using ConstVectorField = std::array<const double*, 3>;
using VectorField = std::array<double*, 3>;

/// A fluid as those see it who are immersed in it: it carries their points, and takes their forces. Whoever steps it
/// calls `start` or `restored` once. A step is then, in this order, `begin_forces`, to whose field forces are added, and
/// `step`. Fields that are handed out stay good until the next of these two calls. The fluid's state, and what it shows
/// in files, stands in the registry that it was made with. All fields lie where E works. Results have the same bits for any
/// number of threads.
template <Execution E> class Fluid {
public:
  virtual ~Fluid() = default;

  /// Where the components of velocities and forces lie: on faces, or all in the middles of cells.
  virtual std::array<Staggering, 3> staggering() const = 0;

  /// Sets the state at time 0.
  virtual void start() = 0;
  /// In its place, where the registry was assigned the state of another run: finds what follows from that.
  virtual void restored() = 0;

  /// The field of forces [N/m3], anew: what drives the fluid may be in it, and no one else's.
  virtual VectorField begin_forces(E) = 0;
  /// The same for those who add forces in these parts of rows alone, of fields in the middles of cells: elsewhere the field
  /// stays as it is. Until the next of these calls `foresee` may look there alone, and velocity_midway() is not good elsewhere.
  virtual VectorField begin_forces_in(E execution, fluid::RowParts parts) {
    static_cast<void>(parts);
    return begin_forces(execution);
  }
  /// Whether it takes forces and tells velocities that are kept in parts of rows alone: fluids in the middles of cells may.
  virtual bool knows_bands() const { return false; }
  /// The same as begin_forces_in of these parts, of forces that the caller keeps, until `step` at least.
  virtual void begin_forces_in_band(E execution, const fluid::ConstBandField& forces) { static_cast<void>(execution), static_cast<void>(forces); }
  /// `foresee` of such a step; `velocity` has the same parts. `pushed`: whether any of the forces is not 0.
  virtual void foresee_in_band(E execution, double dt, bool pushed, const fluid::BandField& velocity) {
    static_cast<void>(execution), static_cast<void>(dt), static_cast<void>(pushed), static_cast<void>(velocity);
  }
  /// Whether step_elsewhere does a part of the step.
  virtual bool can_step_elsewhere() const { return false; }
  /// After begin_forces_in: begins the step of dt [s] where forces in these parts have nothing to do with it. Another thread
  /// may foresee, and read velocity_midway() and add forces in the parts, meanwhile. `step` does the rest, to the same bits.
  virtual void step_elsewhere(E, double dt) { static_cast<void>(dt); }
  /// Whether step_elsewhere returns while a device does that part. Then it is called by the thread that foresees, after it has done
  /// so once: what is foreseen later waits for the device.
  virtual bool steps_by_itself() const { return false; }
  /// What it holds now.
  virtual ConstVectorField forces() const = 0;
  /// Advances the fluid by dt [s] under these forces, constant in time. Throws Error for a dt that it cannot take.
  virtual void step(E, double dt) = 0;

  /// From now on its viscosity is mu[c] in all cells of the grid, x fastest [Pa s], which is copied. It is no part of the
  /// state. Throws Error where the fluid has one viscosity only.
  virtual void set_viscosity(E, const double* mu) {
    static_cast<void>(mu);
    throw Error("this fluid has one viscosity");
  }

  /// Turns a field of forces [N/m3], laid out as `begin_forces` has it, into what they make of the fluid at once: in Stokes
  /// flow a velocity [m/s], otherwise an acceleration [m/s2]. Drives and moving walls take no part. No state changes.
  virtual void respond(E, const VectorField& field) = 0;

  // For what answers the velocity in the middle of a step with forces, and is found together with it. Fluids that do not
  // foresee throw Error.

  /// In the place of `step`, and before it: makes velocity_midway() what it would be in a step of dt [s] under these
  /// forces. The fluid does not advance; in Stokes flow velocity() is that, too.
  virtual void foresee(E, double dt) {
    static_cast<void>(dt);
    throw Error("this fluid does not foresee what forces make of it");
  }
  /// Turns a field of forces [N/m3] into what they add to that velocity [m/s], as `respond` does.
  virtual void respond_midway(E, const VectorField& field, double dt) {
    static_cast<void>(field), static_cast<void>(dt);
    throw Error("this fluid does not foresee what forces make of it");
  }

  /// After the last step [m/s].
  virtual ConstVectorField velocity() const = 0;
  /// At the middle of the last step; in Stokes flow that of the forces in it.
  virtual ConstVectorField velocity_midway() const = 0;
  /// Whether steps leave that behind, which costs some fluids time. Where they don't it is what was foreseen last, and powers()
  /// may be those of velocity(). They do at first.
  virtual void keep_midway(bool keep) { static_cast<void>(keep); }
  /// Brings what files show up to date.
  virtual void before_output() {}
  /// Brings what is saved, and lies elsewhere, to where the registry has it.
  virtual void before_checkpoint() {}

  /// Where in a step velocity_midway() stands, and forces meet it: half a step after its beginning, or, where fluids find
  /// the velocity at that beginning together with the forces, 0.
  virtual double middle() const { return 0.5; }
  /// Momentum that sides gave the fluid in the last step, over its length [N]. Throws Error where the fluid cannot tell.
  virtual std::array<double, 3> force_of_sides() const {
    throw Error("this fluid does not know what its sides take");
  }

  /// Of velocity(): its largest part along an axis, and the largest sum over the axes of cells crossed per time.
  struct Fastest {
    double speed = 0; ///< [m/s]
    double rate = 0;  ///< [1/s]
  };
  virtual Fastest fastest() const = 0;

  virtual double kinetic_energy() const = 0;          ///< [J]; 0 in Stokes flow
  virtual std::array<double, 3> momentum() const = 0; ///< [kg m/s]

  /// At the middle of the last step.
  struct Powers {
    double dissipation = 0; ///< by viscosity [W]
    double drive = 0;       ///< of body forces, sliding walls, and what keeps the mean velocity [W]
    /// Of the forces in its field [W], said by fluids whose other powers are right in steady flow alone.
    std::optional<double> forces{};
  };
  virtual Powers powers() const = 0;
  /// Likewise: the box's sum of 2 (mu - that of the case) D(u), xx yy zz xy xz yz [N m].
  virtual std::array<double, 6> excess_stress() const { return {}; }

  /// Of the solutions that a viscosity which varies took, so far; 0 where there was none.
  virtual double mean_iterations() const { return 0; }

protected:
  Fluid() = default;
  Fluid(const Fluid&) = default;
  Fluid& operator=(const Fluid&) = default;
};

} // namespace corral::structure

#pragma once

#include "fluid/domain.hpp"
#include "fluid/incompressible/flow.hpp"
#include "membrane/case/setup.hpp"
#include "run/state/registry.hpp"

#include <array>
#include <cstdint>

namespace corral::membrane {

/// The fluid's state in the registry, the forces on it, and its measures.
class FluidMotion {
public:
  FluidMotion(const MembraneSetup& setup, const fluid::Domain& domain, run::Registry& registry);

  void start(); ///< the velocity at time 0
  void restored() { find_fastest(); }

  /// The field that membranes add their forces to [N/m3]; holds what drives a sheared box, and nothing else.
  fluid::FacePointers begin_forces(Cpu);
  fluid::ConstFacePointers forces() const { return fluid::pointers(force_); } ///< what is there then
  /// Advances the velocity by dt [s] under these forces.
  void step(Cpu, double dt);

  fluid::ConstFacePointers velocity() const;
  /// At the middle of the last step; in Stokes flow that of the forces then.
  fluid::ConstFacePointers velocity_midway() const { return flow_.half_velocity(); }

  /// The largest part of the velocity along an axis, and the largest sum over the axes of cells crossed per time.
  struct Fastest {
    double speed = 0; ///< [m/s]
    double rate = 0;  ///< [1/s]
  };
  const Fastest& fastest() const { return fastest_; }

  double kinetic_energy() const;           ///< [J]; 0 in Stokes flow
  std::array<double, 3> momentum() const;  ///< [kg m/s]
  /// At the middle of the last step [W].
  struct Powers {
    double dissipation = 0; ///< by viscosity
    double drive = 0;       ///< of body forces, sliding walls, and what keeps the mean velocity
  };
  Powers powers() const;
  std::int64_t bytes() const;              ///< memory beside the registry's

private:
  void find_fastest();
  void add_developed();
  void add_mean(Cpu);

  const MembraneSetup& setup_;
  const fluid::Domain& domain_;
  run::Components velocity_;
  Array<double>& pressure_;
  Array<double>* potential_; ///< PmIII's
  fluid::IncompressibleFlow flow_;
  fluid::FaceArrays force_, drive_; ///< drive_: of a sheared box, empty else
  Fastest fastest_;
};

} // namespace corral::membrane

#pragma once

#include "fluid/domain.hpp"
#include "fluid/incompressible/device/flow.hpp"
#include "fluid/incompressible/flow.hpp"
#include "fluid/incompressible/measures.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/setup/flow.hpp"

#include <corral/execution.hpp>

#include <array>
#include <concepts>
#include <type_traits>

namespace corral::structure {

/// The incompressible flow of fluid/incompressible on faces, solved mode by mode; of second order in time. The registry
/// has its velocity and pressure, and PmIII's potential. On a device it has the exact projection. Where ranks share
/// the domain calls are collective; velocities have good ghosts.
template <Execution E> class SpectralFluid final : public Fluid<E> {
public:
  /// `domain` is that of the flow; a reference to it is kept.
  SpectralFluid(const FlowSetup& flow, const fluid::Domain& domain, run::Registry& registry);

  std::array<Staggering, 3> staggering() const override { return run::on_faces; }

  void start() override;
  void restored() override { find_fastest(); }

  VectorField begin_forces(E) override; ///< holds what drives a sheared box
  ConstVectorField forces() const override { return fluid::pointers(force_); }
  void step(E, double dt) override;

  void set_viscosity(E execution, const double* mu) override { flow_.set_viscosity(execution, mu); }
  void respond(E execution, const VectorField& field) override { flow_.respond(execution, field); }
  void foresee(E, double dt) override;
  void respond_midway(E execution, const VectorField& field, double dt) override { flow_.respond_midway(execution, field, dt); }

  ConstVectorField velocity() const override;
  ConstVectorField velocity_midway() const override { return flow_.half_velocity(); }

  typename Fluid<E>::Fastest fastest() const override { return fastest_; }
  double kinetic_energy() const override;
  std::array<double, 3> momentum() const override;
  typename Fluid<E>::Powers powers() const override;
  std::array<double, 6> excess_stress() const override { return flow_.excess_stress(E{}, velocity_midway()); }
  std::array<double, 3> force_of_sides() const override;
  double mean_iterations() const override;

private:
  using Flow = std::conditional_t<std::same_as<E, Cpu>, fluid::IncompressibleFlow, fluid::DeviceIncompressibleFlow>;

  bool walls() const { return !domain_.whole().axis(1).periodic(); }
  bool mean_is_kept() const;
  bool is_sheared_box() const { return !walls() && drive_.shear_rate != 0; }
  fluid::FlowProperties properties() const;
  fluid::BoxShear shear() const { return {.flow = drive_.along, .gradient = 1, .rate = drive_.shear_rate}; }
  fluid::FlowState state();
  void set_start(fluid::IncompressibleFlow& flow, const VectorField& velocity) const; ///< all of them of the host
  void add_developed(const VectorField& velocity) const;
  void find_fastest();
  void add_mean(E);

  FluidModel fluid_;
  DriveModel drive_;
  const fluid::Domain& domain_;
  run::Components velocity_;
  Array<double>& pressure_;
  Array<double>* potential_; ///< PmIII's
  Flow flow_;
  fluid::FaceArrays force_, shear_force_; ///< shear_force_: of a sheared box, empty else
  typename Fluid<E>::Fastest fastest_;
};

} // namespace corral::structure

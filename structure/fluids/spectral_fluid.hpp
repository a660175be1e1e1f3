#pragma once

#include "fluid/domain.hpp"
#include "fluid/incompressible/flow.hpp"
#include "fluid/incompressible/measures.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/setup/flow.hpp"

#include <array>
#include <cstdint>

namespace corral::structure {

/// The incompressible flow of fluid/incompressible on faces, solved mode by mode; of second order in time. The registry
/// has its velocity and pressure, and PmIII's potential.
class SpectralFluid final : public Fluid<Cpu> {
public:
  /// `domain` is that of the flow; a reference to it is kept.
  SpectralFluid(const FlowSetup& flow, const fluid::Domain& domain, run::Registry& registry);

  std::array<Staggering, 3> staggering() const override { return run::on_faces; }

  void start() override;
  void restored() override { find_fastest(); }

  VectorField begin_forces(Cpu) override; ///< holds what drives a sheared box
  ConstVectorField forces() const override { return fluid::pointers(force_); }
  void step(Cpu, double dt) override;

  void set_viscosity(Cpu cpu, const double* mu) override { flow_.set_viscosity(cpu, mu); }
  void respond(Cpu cpu, const VectorField& field) override { flow_.respond(cpu, field); }
  void foresee(Cpu, double dt) override;
  void respond_midway(Cpu cpu, const VectorField& field, double dt) override { flow_.respond_midway(cpu, field, dt); }

  ConstVectorField velocity() const override;
  ConstVectorField velocity_midway() const override { return flow_.half_velocity(); }

  Fastest fastest() const override { return fastest_; }
  double kinetic_energy() const override;
  std::array<double, 3> momentum() const override;
  Powers powers() const override;
  std::array<double, 6> excess_stress() const override { return flow_.excess_stress(Cpu{}, velocity_midway()); }
  std::array<double, 3> force_of_sides() const override;
  double mean_iterations() const override;

private:
  bool walls() const { return !domain_.grid().axis(1).periodic(); }
  bool mean_is_kept() const;
  bool is_sheared_box() const { return !walls() && drive_.shear_rate != 0; }
  fluid::FlowProperties properties() const;
  fluid::BoxShear shear() const { return {.flow = drive_.along, .gradient = 1, .rate = drive_.shear_rate}; }
  fluid::FlowState state();
  void find_fastest();
  void add_developed();
  void add_mean(Cpu);

  FluidModel fluid_;
  DriveModel drive_;
  const fluid::Domain& domain_;
  run::Components velocity_;
  Array<double>& pressure_;
  Array<double>* potential_; ///< PmIII's
  fluid::IncompressibleFlow flow_;
  fluid::FaceArrays force_, shear_force_; ///< shear_force_: of a sheared box, empty else
  Fastest fastest_;
};

} // namespace corral::structure

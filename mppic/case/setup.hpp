#pragma once

#include "fluid/domain.hpp"
#include "fluid/transport/carried_momentum.hpp"
#include "fluid/transport/momentum.hpp"
#include "mppic/laws/drag.hpp"
#include "mppic/laws/gas_laws.hpp"
#include "mppic/laws/nusselt.hpp"
#include "mppic/laws/stress.hpp"
#include "mppic/seeds/earlier_bed.hpp"
#include "mppic/seeds/seeding.hpp"
#include "mppic/seeds/sizes.hpp"
#include "run/case/flow_box.hpp"
#include "run/case/keys.hpp"
#include "run/case/settings.hpp"
#include "run/time_step.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace corral::mppic {

/// How the gas's momentum is carried.
enum class MomentumForm : std::uint8_t {
  advective,   ///< rho (u . grad) u
  conservative ///< div(eps rho u u), by fluxes of mass that lead from one step's gas fraction to the next
};

/// The gas and how it is treated.
struct GasModel {
  double rho = 1.2;   ///< density [kg/m3]; where it varies that of the gas at the start
  double mu = 1.8e-5; ///< viscosity [Pa s], likewise
  GasLaws laws;       ///< by which they do
  bool solved = true; ///< false: the velocity stays what it is at the start, the pressure gradient is rho g
  bool counterflow = false;               ///< start so that no face carries net volume, instead of at `velocity`
  std::array<double, 3> velocity{};       ///< at the start [m/s]
  fluid::Advection advection = fluid::Advection::upwind;
  MomentumForm momentum = MomentumForm::advective;
  fluid::Viscosity viscous_force = fluid::Viscosity::laplacian;
  double smagorinsky = 0;  ///< constant of the eddies' viscosity; 0: no turbulence model [-]
  double tolerance = 1e-9; ///< of the volume balance of a step: dt max |residual| [-]

  bool carries_conservatively() const { return solved && momentum == MomentumForm::conservative; }
};

/// One of several solids: what its particles are made of, and the drag on them. Each parcel is of one solid.
struct SolidMaterial {
  std::string name;  ///< of its block [solid.NAME]
  double rho = 2500; ///< density [kg/m3]
  DragModel drag;
  double restitution = 0.97; ///< as that of SolidsModel, of its particles [-]
};

/// The particles' material and their forces.
struct SolidsModel {
  double rho = 2500; ///< density [kg/m3]; of several solids that of the lightest, which mixtures are counted by
  DragModel drag;    ///< of the only solid
  std::vector<SolidMaterial> several; ///< by their numbers; empty where there is one
  bool packing = true; ///< contact pressure keeps the solids fraction below close packing
  HarrisCrighton stress;
  double friction = 0.1;     ///< coefficient of Coulomb's law where contact acts [-]
  double restitution = 0.97; ///< of particles that collide with each other, where solids have one [-]
  bool two_way = true; ///< the gas feels the particles
  bool frozen = false; ///< parcels never move
  double contact_tolerance = 1e-6;      ///< of the relative change of volume in a step that contact leaves [-]
  double displacement_tolerance = 1e-5; ///< of the solids fraction that displacement leaves [-]
  double normal_restitution = 0.97, tangential_restitution = 0.91; ///< at walls [-]

  bool densities_differ() const;
  double density_range() const; ///< of the heaviest solid less that of the lightest [kg/m3]
  bool restitutions_differ() const;
  bool drag_knows_mixture() const; ///< of one of the solids
  double density(int solid) const { return several.empty() ? rho : several[solid].rho; }
  const DragModel& drag_of(int solid) const { return several.empty() ? drag : several[solid].drag; }
};

/// What collisions do. All but damping is off unless a case asks for it.
struct CollisionModel {
  bool damping = true;       ///< they take energy where they are not elastic
  bool far = false;          ///< rates of velocities far from equilibrium
  bool isotropy = false;     ///< fluctuations are shared among the directions
  bool blended = false;      ///< packed particles share what accelerates them
};

/// Biot number from which on particles are not of one temperature.
inline constexpr double most_biot = 0.1;

/// What a side of the box does to the heat of the gas beside it.
struct HeatSide {
  enum class Kind : std::uint8_t {
    adiabatic,
    conducting, ///< at `temperature`, half a cell of gas away
    transferring ///< `coefficient` times the difference to `temperature`
  };
  Kind kind = Kind::adiabatic;
  double temperature = 0; ///< [K]
  double coefficient = 0; ///< [W/(m2 K)]
};

/// Heat of gas and particles, and how they exchange it.
struct HeatModel {
  NusseltModel nusselt;
  bool van_leer = false;          ///< scheme by which the gas carries heat, else upwind
  double gas_capacity = 1005;     ///< c of the gas, per mass [J/(kg K)]
  double gas_conductivity = 0.026; ///< k [W/(m K)]
  double gas_temperature = 300;   ///< at the start [K]
  double outside_temperature = 300; ///< of gas that comes in through outlets [K]
  std::vector<double> capacities{2500 * 840.0}; ///< rho_p c_p of each solid, or of the only one [J/(m3 K)]
  std::vector<double> conductivities{0};        ///< their k_p [W/(m K)]; 0: not given
  double gas_source = 0;                        ///< s_g, by the gas and its volume [W/m3]
  std::vector<double> sources{0};               ///< s_p, by the particles of each solid and their volume [W/m3]

  double capacity(int solid) const { return capacities[capacities.size() > 1 ? static_cast<std::size_t>(solid) : 0]; }
  std::array<HeatSide, 6> sides{};
  std::vector<double> inlet_temperatures; ///< of the gas, one for each inlet of the case [K]

  bool has_source() const {
    return gas_source != 0 || std::any_of(sources.begin(), sources.end(), [](double s) { return s != 0; });
  }
  /// Some source takes up heat.
  bool takes_up() const {
    return gas_source < 0 || std::any_of(sources.begin(), sources.end(), [](double s) { return s < 0; });
  }
  bool on() const { return nusselt.law != NusseltLaw::off; }
};

struct TimeStep : run::StepLengths {
  TimeStep() : StepLengths{.adaptive = true} {}
  explicit TimeStep(const run::StepLengths& lengths) : StepLengths(lengths) {}

  double gas_courant = 2;       ///< cells that the gas crosses in a step; sub-steps carry it
  double parcel_courant = 0.1; ///< cells that a parcel crosses in a step
  double outliers = 1e-3;       ///< share of the parcels that may cross more
  bool unsafe = false;          ///< fixed: longer than solids may fall in
  double drag_number = 75;      ///< times that drag takes hold of packed solids in a step
};

/// Cells that gas and parcels may cross in a step. Beyond these a step is not inaccurate but wrong: it moves matter
/// past what it should have met.
constexpr double most_gas_cells = 20, most_parcel_cells = 100;

/// Parcels that a case starts with.
struct Seed {
  std::string name;
  Seeding seeding;
  SizeDistribution sizes;
  std::array<double, 3> velocity; ///< [m/s]
  int solid = 0;                  ///< number in SolidsModel::several
  double temperature = 300;       ///< [K], where the case has heat
  std::array<double, 3> granular_temperature{}; ///< variance of the velocity along each axis [m2/s2]
};

/// Solids that enter through an inlet.
struct SolidsInlet {
  fluid::Inlet inlet;             ///< where; its velocity function isn't used
  double rate;                    ///< before its schedule [kg/s]
  double velocity;                ///< of the solids, into the box [m/s]
  double particles_per_parcel;    ///< [-]
  SizeDistribution sizes;
  std::array<double, 3> tangential{}; ///< their velocity along the side [m/s]
  int solid = 0;                  ///< number in SolidsModel::several
  double temperature = 300;       ///< of the solids [K], where the case has heat
  fluid::Schedule schedule{};     ///< what the rate is multiplied by: a feed that starts, ramps and stops

  double parcel_volume() const { return particles_per_parcel * sizes.mean_particle_volume(); } ///< mean, of solids [m3]
  /// Share of the volume that the solids fill as they come in where the rate is largest, for a density of theirs [kg/m3].
  double solids_fraction(double rho) const { return rate * schedule.largest() / (rho * fluid::area(inlet) * velocity); }
};

/// Uniform pressure gradient along periodic axes, beside what the pressure in the box varies by.
struct Drive {
  std::array<double, 3> gradient{}; ///< [Pa/m]
  bool bears_weight = false;        ///< and one more, which bears the weight of gas and solids

  bool on() const { return bears_weight || gradient != std::array<double, 3>{}; }
};

/// A gas-solid case, read and checked.
struct Setup : run::FlowBox {
  std::vector<fluid::Inlet> inlets;
  std::vector<SolidsInlet> solids_inlets;
  GasModel gas;
  Drive drive;
  SolidsModel solids;
  CollisionModel collisions;
  HeatModel heat;
  TimeStep time;
  std::optional<Start> start;
  std::vector<Seed> seeds;
  std::uint64_t random_seed = 1;
  int ranks = 1;      ///< that share the parcels
  bool audit = false; ///< keep books of every step's momentum and energy
  std::vector<std::string> warnings; ///< what a user should know before trusting the results

  /// Of each solid that the case takes from another run.
  std::vector<EarlierSolids> taken() const { return start ? start->solids : std::vector<EarlierSolids>{}; }
  /// No solids are there, and none come.
  bool gas_alone() const { return seeds.empty() && solids_inlets.empty() && !start; }
  /// Gas alone, by central advection in the advective form, is of second order in time: it knows how the last step changed it.
  bool foresees_gas() const {
    return gas.solved && gas_alone() && gas.advection == fluid::Advection::central && !gas.carries_conservatively();
  }
  /// Nothing asks for the parcels' sums, and for what the gas does with them, in other cells than a rank's own.
  bool own_sums_suffice() const {
    return !gas.carries_conservatively() && !foresees_gas() && !heat.on() && !collisions.far && !audit;
  }
  /// Packed solids answer gas and contact together, as one body.
  bool answers_jointly() const { return collisions.blended && !solids.frozen; }
  /// Parcels that move ask for no more fields than the plain step has: loops of a device take these from the grid.
  bool parcels_ask_plainly() const {
    return !solids.frozen && solids.several.empty() && !solids.drag_knows_mixture() && !answers_jointly() && !heat.on() && !audit;
  }
  fluid::Domain make_domain() const { return {make_grid(), sides, inlets}; }
  /// Solids fraction that a cell may start with: close packing; where nothing presses parcels apart, what leaves the
  /// gas the share that the equations keep for it.
  double most_solids() const;
};

/// What is allowed but rarely meant: too few parcels or cells, regions and particles of another size than the cells,
/// sides along gravity, steps that are too long.
std::vector<std::string> warnings(const Setup&);

/// The rows of the key table that gas-solid cases add.
void declare_keys(run::KeyTable&);

/// Reads and checks the settings as a whole; nothing where `problems` has been added to.
std::optional<Setup> read_setup(const run::Settings&, run::Problems& problems);
/// For so many ranks, of which each has some of the parcels.
std::optional<Setup> read_setup_for(const run::Settings&, run::Problems&, int ranks);

} // namespace corral::mppic

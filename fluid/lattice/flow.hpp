#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/lattice/collision.hpp"
#include "fluid/row_part.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

namespace corral::fluid {

namespace lattice {

enum class VelocitySet : std::uint8_t { d2q9, d3q19, d3q27 };
enum class Precision : std::uint8_t {
  doubles,
  floats,
  floats_in_double ///< kept as floats, computed with as doubles
};
enum class Scheme : std::uint8_t {
  in_place,    ///< one lattice, read and written at the same places by turns (Bailey et al. 2009, AA)
  two_lattices ///< from one to the other: twice the memory, and half as much traffic again
};

std::string_view name(VelocitySet);
std::string_view name(Precision);
std::string_view name(Scheme);

} // namespace lattice

/// What a lattice fluid is made of, in SI units.
struct LatticeProperties {
  double density = 0;   ///< rho at rest [kg/m3]
  double viscosity = 0; ///< mu [Pa s]
  double dt = 0;        ///< [s]; with the edge of a cell it says what one is on the lattice
  std::array<double, 3> body_force{}; ///< everywhere, beside a step's forces [N/m3]
  lattice::Collision collision = lattice::Collision::trt;
  double magic = 3. / 16;  ///< of trt: at 3/16 a wall stands midway between cells at any viscosity
  double smagorinsky = 0;  ///< constant C of eddies that are not resolved, 0: none
  lattice::VelocitySet set = lattice::VelocitySet::d3q19;
  lattice::Precision precision = lattice::Precision::doubles;
  lattice::Scheme scheme = lattice::Scheme::in_place;
};

/// tau of even moments: 1/2 + 3 nu dt/h^2.
double relaxation_time(const LatticeProperties&, double spacing);

/// Weakly compressible flow by the lattice Boltzmann method, on cells that are cubes (squares for D2Q9, where z is thin).
/// A step pulls populations from the neighbours, and lets those of each cell collide under a force (Guo, Zheng and Shi
/// 2002). Sides stand midway between cells: `periodic`; `no_slip`, which may slide and let fluid in at the velocity that the
/// domain gives (bounce-back with momentum, Ladd 1994: mass enters exactly as given); `free_slip` and `symmetry`
/// (specular; with inlets their momentum is added likewise); `outlet` (pressure 0 by anti-bounce-back, Ginzburg, Verhaeghe and d'Humieres 2008, at the velocity of the
/// cell before it). Density varies by some Ma^2; pressure is (rho - rho_0)/3 (h/dt)^2. The same bits for any number of
/// threads.
class LatticeFlow {
public:
  /// Keeps a reference to the domain. Throws Error for cells that are no cubes, blocked cells, a set that does not suit
  /// thin axes, fewer than two cells along another axis, and properties out of range (tau at most 1/2).
  LatticeFlow(const Domain&, const LatticeProperties&);
  ~LatticeFlow();
  LatticeFlow(LatticeFlow&&) noexcept;
  LatticeFlow& operator=(LatticeFlow&&) noexcept;

  /// Sets populations to equilibrium at velocity [m/s] and pressure [Pa] (null: 0), given at the cells' centres, x fastest,
  /// and to the stress that the velocity's differences make. The next `step` is the first.
  void start(Cpu, const ConstFacePointers& velocity, const double* pressure = nullptr);

  /// Advances by dt under a force at the cells' centres [N/m3], constant in the step; null pointers: none along that
  /// axis. The domain's inlets and walls are those of the moment. Where not null, `velocity` becomes what the collisions
  /// saw [m/s]: half of the force is in it.
  void step(Cpu, const ConstFacePointers& force = {}, const FacePointers& velocity = {});
  /// The same of a force that is 0 but in these parts of rows: elsewhere it need not be read.
  void step_forced_in(Cpu, RowParts, const ConstFacePointers& force, const FacePointers& velocity = {});

  /// The same of a force that is kept there alone.
  void step_forced_in(Cpu, const ConstBandField& force, const FacePointers& velocity = {});

  /// The same in three calls, for those who find such a force while the fluid moves elsewhere: begin_step; step_elsewhere on a thread
  /// of its own, beside find_in of these parts on others; when both have ended, step_forced_in with the same parts. Results are the
  /// same to the bit. Without step_elsewhere it is step_forced_in alone.
  void begin_step(RowParts);
  void step_elsewhere(Cpu, const FacePointers& velocity = {});

  /// The largest part of that velocity along each axis in the last step [m/s], 0 before; no number where one is none.
  std::array<double, 3> fastest() const;

  /// The velocity [m/s] and, where not null, the pressure [Pa] at the cells' centres, before the next step's collision; a
  /// force given acts for half a step, as it will have in the middle of that collision.
  void find(Cpu, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) const;
  /// The same of parts of rows alone; other places are left alone.
  void find_in(Cpu, RowParts, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) const;
  /// And of fields that are kept there alone; `forces` is laid out as the velocity, null: none.
  void find_in(Cpu, const double* forces, const BandField& velocity) const;

  /// Over density times the box's volume, less 1: in a closed box it stays what it is, to round-off.
  double excess_mass(Cpu) const;
  /// Of all populations, without a part of the next step's force [kg m/s].
  std::array<double, 3> momentum(Cpu) const;
  /// Momentum that sides gave in the last step, over dt [N]: with the forces of that step it is all that `momentum` changed
  /// by, to round-off, where walls and inlets keep their velocity.
  std::array<double, 3> force_of_sides(Cpu) const;

  const LatticeProperties& properties() const;
  std::int64_t steps() const; ///< since the start

  /// All with which a flow goes on as if it had never stopped.
  struct State {
    std::variant<Array<double>*, Array<float>*> populations; ///< by the precision
    std::int64_t* steps = nullptr;
    struct Outlet {
      int side;
      std::array<Array<double>*, 3> velocity; ///< before it, a value a face, cells a step
    };
    std::vector<Outlet> outlets{};
  };
  State state();

private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace corral::fluid

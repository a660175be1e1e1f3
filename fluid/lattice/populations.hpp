#pragma once

#include "fluid/faces.hpp"
#include "fluid/lattice/flow.hpp"
#include "fluid/lattice/sides.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <numbers>

namespace corral::fluid::lattice {

/// By which numbers of the lattice are multiplied to be SI's.
struct Units {
  double length = 1;  ///< edge of a cell h [m]
  double time = 1;    ///< dt [s]
  double density = 1; ///< [kg/m3]

  double speed() const { return length / time; }
  double force() const { return density * length / (time * time); } ///< [N/m3]
  double pressure() const { return density * speed() * speed() / 3; } ///< of a density of 1 more [Pa]
};

/// The populations of a box, whatever the set and the precision. Rows lie along x; number y + ny z.
class Populations {
public:
  virtual ~Populations() = default;

  /// Velocity in SI units; rate[d][e] of it [1/s] is d u_d/d x_e.
  using Gradient = std::array<std::array<double, 3>, 3>;
  struct Begin {
    ConstFacePointers velocity;
    const double* pressure; ///< null: 0
    Gradient (*gradient)(const void* context, std::int64_t cell);
    const void* context;
  };
  virtual void start(Cpu, const Begin&) = 0;
  /// forced: where forces are not 0; null: anywhere. velocity: where not null, what the collision saw goes there.
  virtual void step(Cpu, const RowParts* forced, const ConstFacePointers& force, const FacePointers& velocity) = 0;
  /// Of the step that comes next, the part of it that forces in these parts of rows have nothing to do with: all blocks of cells
  /// beside them. `find` of the parts may be at work meanwhile. `step` then gets the same parts, and does the rest.
  virtual void begin_step(RowParts forced) = 0; ///< before that, alone; they stay where they are until `step`
  virtual void step_elsewhere(Cpu, const FacePointers& velocity) = 0;
  /// parts: null means all.
  virtual void find(Cpu, const RowParts* parts, const ConstFacePointers& force, const FacePointers& velocity,
                    double* pressure) const = 0;
  /// `step` and `find` of fields that are kept in such parts alone; forces: null means none.
  virtual void step_in_band(Cpu, const ConstBandField& force, const FacePointers& velocity) = 0;
  virtual void find_in_band(Cpu, const double* forces, const BandField& velocity) const = 0;
  /// In units of the lattice.
  struct Totals {
    double excess = 0;                ///< sum of rho - 1
    std::array<double, 3> momentum{}; ///< sum of c f
  };
  virtual Totals totals(Cpu) const = 0;
  virtual std::array<double, 3> given_by_sides(Cpu) const = 0; ///< in the last step, of that momentum
  virtual LatticeFlow::State state() = 0; ///< the populations'

  std::int64_t steps = 0;
  std::array<double, 3> fastest{}; ///< of the last step, cells a step; NaN where one was no number
};

/// What all of them are made of.
struct PopulationsSetup {
  Units units;
  LatticeProperties properties;
  double tau;
  CellBox own; ///< that sums are made of

  template <class A> Relaxation<A> relaxation() const {
    const double magic = properties.collision == Collision::bgk ? (tau - 0.5) * (tau - 0.5) : properties.magic;
    const double eddies = 18 * std::numbers::sqrt2 * properties.smagorinsky * properties.smagorinsky;
    return {static_cast<A>(tau), static_cast<A>(magic), static_cast<A>(eddies)};
  }
};

/// Throws Error for what LatticeFlow does not take.
void require_suited(const Domain&, const LatticeProperties&);

/// Those of the properties' set and precision; keeps a reference to the sides.
std::unique_ptr<Populations> make_populations(const PopulationsSetup&, Sides&);

} // namespace corral::fluid::lattice

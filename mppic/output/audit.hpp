#pragma once

#include "mppic/contact/damping.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/gas.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/parcels.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

/// What acts on parcels within a step, in its order.
enum class Term : std::uint8_t { gravity, pressure, drag, contact, friction, collisions, isotropy, walls };
inline constexpr std::size_t term_count = 8;
inline constexpr std::array<const char*, term_count> term_names{"gravity",  "pressure",   "drag", "contact",
                                                                "friction", "collisions", "isotropy",
                                                                "walls"};

/// The books of one step: where the parcels' momentum and energy came from. Each term's work is its impulse times the
/// mean of the velocities before and after the sub-step it belongs to, so that the works add up to the change of
/// kinetic energy to round-off, and a term that is left out shows.
struct StepBooks {
  std::array<double, term_count> work{};                     ///< [J]
  std::array<std::array<double, 3>, term_count> impulse{};   ///< [N s]
  double kinetic = 0, potential = 0;                    ///< of the parcels inside at the end [J]
  double kinetic_entered = 0, kinetic_left = 0;         ///< with parcels that came and went [J]
  double potential_entered = 0, potential_left = 0;     ///< [J]
  double mass_entered = 0, mass_left = 0;               ///< [kg]
  double lift_flight = 0, lift_displacement = 0;        ///< potential energy by velocities, by displacement [J]
  double lift_sides = 0;                                ///< by reflection at walls and wrapping around [J]
  double rise = 0;                  ///< of kinetic and potential energy in the step, without what entered and left [J]
  double energy_residual = 0; ///< kinetic energy that no term explains, over it, the works' absolute values and what
                              ///< gravity gives in the step to what is at rest [-]
  double momentum_residual = 0;     ///< momentum that no term explains, over it and the impulses' absolute values [-]
};

/// Keeps the books of a step in passes over the parcels of its own: a diagnostic that a case switches on.
class Audit {
public:
  /// `rho`: the density that mixtures are counted by [kg/m3].
  Audit(const std::array<double, 3>& gravity, double rho, Memory memory = Memory::host);

  /// Before inlets let parcels in.
  template <Execution E> void begin(E, const Parcels& parcels);
  /// After inlets have, before the sort.
  template <Execution E> void entered(E, const Parcels& parcels);
  /// What tells the terms apart, beside the mover's columns.
  template <Execution E>
  void gather(E, const CellOrder<double>& order, const Grid& grid, const Gas& gas, const Damping& damping,
              const FaceSums& sums);
  /// Before velocities are advanced: what is about to change them.
  template <Execution E> void forces(E, const Parcels& parcels, const Motion& motion);
  /// Around it, after velocities have been advanced.
  template <Execution E> void before_isotropy(E, const Parcels& parcels);
  template <Execution E> void after_isotropy(E, const Parcels& parcels);
  /// Before parcels move: what displacement lifts.
  template <Execution E> void displacement(E, const Parcels& parcels, const Motion& motion);
  /// After that, with the parcels that leave still there, flagged in `gone`.
  template <Execution E> void end(E, const MoveSums& moved, const Parcels& parcels, const Array<std::uint8_t>& gone, double dt);

  /// Energies alone, of parcels as they are.
  template <Execution E> StepBooks energies(E, const Parcels& parcels) const;
  const StepBooks& books() const { return books_; }

  // Public, since nvcc takes the loops of no others.
  struct State {
    double kinetic = 0, potential = 0, mass = 0;
    std::array<double, 3> momentum{};

    CORRAL_HOST_DEVICE void operator+=(const State& b) {
      kinetic += b.kinetic;
      potential += b.potential;
      mass += b.mass;
      for (std::size_t d = 0; d < 3; ++d) momentum[d] += b.momentum[d];
    }
  };
  /// Of all parcels, or of those that are `gone`, or of the others.
  enum class Which : std::uint8_t { all, gone, staying };
  template <Execution E>
  State state(E, const Parcels& parcels, Which which, const Array<std::uint8_t>* gone) const;
  template <Execution E> void set_joint_pressure(E, const Grid& grid, const Gas& gas, const FaceSums& sums);

private:
  void close(const State& left, const State& end, double dt);

  std::array<double, 3> gravity_;
  double rho_;
  State before_, start_, ordered_;
  Array<double> friction_; ///< of damping's a and a ubar, in cells
  std::array<Array<double>, 3> friction_mean_;
  std::array<Array<double>, 3> contact_at_;  ///< w, the acceleration by contact that the gas expected, columns [m/s2]
  std::array<Array<double>, 3> pressure_at_; ///< by the gas's pressure, of solids as far as they answer jointly [m/s2]
  fluid::FaceArrays joint_pressure_;         ///< the same on faces
  std::array<Array<double>, 3> friction_of_; ///< a_F ubar, friction's part of a ubar [m/s]
  Array<double> friction_at_;                ///< a_F, friction's part of a [-]
  StepBooks books_;
};

} // namespace corral::mppic

#pragma once

#include "fluid/lattice/flow.hpp"

#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace corral::fluid {

/// LatticeFlow on a CUDA device, the current one: the same collisions, sides and places of populations. Fields that calls are
/// handed lie in device memory but for `start`; parts of rows lie on the host. Calls return before their work is done, but
/// for those which return numbers. One call after the other; on another stream once it has seen the end of those before.
///
/// What differs from the host is round-off: maths functions are the device's, sums have another order, and where populations
/// are kept as floats but computed with as doubles, what moving walls, inlets and outlets make of them is a float.
class DeviceLatticeFlow {
public:
  /// Keeps a reference to the domain. Throws Error as LatticeFlow does, for 2^32 cells or more, and where no device is.
  DeviceLatticeFlow(const Domain&, const LatticeProperties&);
  ~DeviceLatticeFlow();
  DeviceLatticeFlow(DeviceLatticeFlow&&) noexcept;
  DeviceLatticeFlow& operator=(DeviceLatticeFlow&&) noexcept;

  /// As on the host, where it is made: fields lie there, and so does a second lattice meanwhile. Waits for the device.
  void start(const ConstFacePointers& velocity, const double* pressure = nullptr);

  // As LatticeFlow's.
  void step(Gpu, const ConstFacePointers& force = {}, const FacePointers& velocity = {});
  void step_forced_in(Gpu, RowParts, const ConstFacePointers& force, const FacePointers& velocity = {});
  /// A step in two, so that forces may be found meanwhile: first all cells outside of these parts, under no force but the body
  /// force, then those inside, under a force, which ends the step. In between `find_in` finds what these parts hold; nothing
  /// else may be asked for. The result is that of step_forced_in.
  void step_outside(Gpu, RowParts, const FacePointers& velocity = {});
  void step_inside(Gpu, const ConstFacePointers& force, const FacePointers& velocity = {});

  void find(Gpu, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) const;
  void find_in(Gpu, RowParts, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) const;

  // As LatticeFlow's. They wait for the stream.
  std::array<double, 3> fastest(Gpu) const;
  double excess_mass(Gpu) const;
  std::array<double, 3> momentum(Gpu) const;
  std::array<double, 3> force_of_sides(Gpu) const;

  const LatticeProperties& properties() const;
  std::int64_t steps() const;

  /// Arrays in device memory with the values of the host's: either may be assigned to the other (copy_state).
  LatticeFlow::State state();

private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// Lets a flow go on from another one's state, of the same box and properties, whatever memory each lies in. Waits for the
/// device.
void copy_state(const LatticeFlow::State& from, const LatticeFlow::State& to);

} // namespace corral::fluid

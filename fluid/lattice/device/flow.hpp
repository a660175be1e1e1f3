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
  // In three calls: begin_step; find_in of these parts, and step_elsewhere, which returns while the device works; forces are
  // found meanwhile; step_forced_in with the same parts. In between nothing else may be asked for but find_in of the parts.
  void begin_step(RowParts);
  void step_elsewhere(Gpu, const FacePointers& velocity = {});

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

#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/lattice/flow.hpp"
#include "fluid/row_part.hpp"

#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace corral::fluid {

namespace lattice {

/// What moves the populations.
enum class Processor : std::uint8_t {
  host,  ///< threads of the caller's
  device ///< the current CUDA device
};
std::string_view name(Processor);

inline constexpr double most_cells_of_a_device = 4294966271; ///< of a flow: their numbers have 32 bits
/// Of its memory, what a flow on a device takes of each cell beside its populations, and beside cells [bytes].
inline constexpr double device_bytes_of_a_cell = 7 * 8, device_bytes_beside_cells = 1e6;

} // namespace lattice

/// A lattice flow for those whose fields lie where E works. Calls are LatticeFlow's, and on the host have its bits. Those with
/// fields on the host choose a processor: on a device (DeviceLatticeFlow) what a call is handed is sent there, and what it finds
/// is fetched: of parts of rows these rows alone, else whole fields. Work of the host is done by the caller's threads.
template <Execution E> class PlacedLatticeFlow {
public:
  virtual ~PlacedLatticeFlow() = default;

  /// Of fields on the host.
  virtual void start(Cpu, const ConstFacePointers& velocity, const double* pressure = nullptr) = 0;

  virtual void step(E, const ConstFacePointers& force = {}, const FacePointers& velocity = {}) = 0;
  // step_forced_in, step_elsewhere and find_in come after begin_step of the same parts.
  virtual void begin_step(RowParts) = 0;
  virtual void step_forced_in(E, RowParts, const ConstFacePointers& force, const FacePointers& velocity = {}) = 0;
  /// On a device it returns while that works; find_in then waits for it, so that it is called after the first of these.
  virtual void step_elsewhere(E, const FacePointers& velocity = {}) = 0;

  virtual void find(E, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) = 0;
  virtual void find_in(E, RowParts, const ConstFacePointers& force, const FacePointers& velocity) = 0;

  /// Whether it takes fields that are kept in parts of rows alone: LatticeFlow's step_forced_in and find_in of these.
  virtual bool knows_bands() const { return false; }
  virtual void step_in_band(E, const ConstBandField& force, const FacePointers& velocity = {}) {
    static_cast<void>(force), static_cast<void>(velocity);
  }
  virtual void find_in_band(E, const double* forces, const BandField& velocity) { static_cast<void>(forces), static_cast<void>(velocity); }

  virtual std::array<double, 3> fastest() const = 0;
  virtual std::array<double, 3> momentum(E) const = 0;
  virtual std::array<double, 3> force_of_sides(E) const = 0;

  virtual const LatticeProperties& properties() const = 0;

  /// Arrays of the host. A device's are others: `fetch_state` brings what they hold here, and `send_state` takes it there, for
  /// those who have changed it.
  virtual LatticeFlow::State state() = 0;
  virtual void fetch_state() {}
  virtual void send_state() {}
};

/// Keeps a reference to the domain. Throws Error as LatticeFlow does, and where the processor is a device as DeviceLatticeFlow does,
/// or where its memory does not suffice.
std::unique_ptr<PlacedLatticeFlow<Cpu>> make_placed_flow(const Domain&, const LatticeProperties&, lattice::Processor);

namespace lattice {
/// That of a device; in a build without CUDA it throws Error.
std::unique_ptr<PlacedLatticeFlow<Cpu>> make_flow_on_device(const Domain&, const LatticeProperties&);
/// That of those whose fields lie there, too; likewise.
std::unique_ptr<PlacedLatticeFlow<Gpu>> make_flow_of_device(const Domain&, const LatticeProperties&);
} // namespace lattice

} // namespace corral::fluid
